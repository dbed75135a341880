/**
 * Objects of access control as audit records show them: the members of their row in the spelling of the wire, without what is
 * declared secret or the server's own (`storage/tables/tables.ts`). Links are IDs: a name would be that of now.
 */
import { objectChange, type RecordedObject } from "../records/changes.ts";
import type { RuleContent, Transaction } from "../storage/database.ts";
import { memberName } from "../storage/writes/objects.ts";
import { keyOf, TABLES, type Tables } from "../storage/tables/tables.ts";
import type { Scope } from "../rights/scope.ts";

/** Noun for an object of a table in audit records: `auth_methods` are `auth-method`. */
export function nounOf(table: keyof Tables): string {
  return table.replace(/ies$/, "y").replace(/s$/, "").replaceAll("_", "-");
}

/** Content of a record besides the difference. */
export interface RecordExtras {
  /** Action such as `login`, when it is more than the creation or deletion of an object. */
  action?: string;
  /** Members that are not in the row in the clear, such as a configuration without its secrets. */
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
  /** Further details. */
  detail?: Readonly<Record<string, unknown>>;
}

/** Records the change of an object. @param before undefined for a created one @param after undefined for a deleted one */
export type RecordWrite<R> = (
  tx: Transaction,
  before: R | undefined,
  after: R | undefined,
  told?: RecordExtras,
) => void;

/** @param scopeOf returns the scope of an object's record. Default: the scope of the object */
export function writeRecorder<R extends object>(
  table: keyof Tables,
  scopeOf: (object: R) => Scope = (object) => (object as R & { scope: Scope }).scope,
): RecordWrite<R> {
  const show = recordedForm(table);
  const key = memberName(keyOf(table));
  return (tx, before, after, told = {}) => {
    const object = after ?? before;
    if (object === undefined) return;
    const { name, [key]: id, authMethod: within } = object as Readonly<Record<string, string | undefined>>;
    const subject = {
      ...scopeOf(object),
      kind: nounOf(table),
      objectId: id ?? name ?? "",
      name: calledIn(object),
      otherName: calledIn(before ?? object),
      ...(within !== undefined && { within }),
      ...("bindType" in object && {
        says: [after, before].flatMap((each) => (each === undefined ? [] : [saidBy(each)])),
      }),
    };
    const { action, detail } = told;
    tx.record(
      objectChange(subject, show(before, told.before), show(after, told.after), {
        ...detail,
        ...(action === undefined ? {} : { action }),
      }),
    );
  };
}

function saidBy(rule: object): RuleContent {
  const { bindType = "", bindName = "", selector = "" } = rule as Readonly<Record<string, string | undefined>>;
  return [bindType, bindName, selector];
}

/** Name of an object in records: its name, or the description of one without a name. */
export function calledIn(object: object): string {
  const { name, description } = object as Readonly<Record<string, string | undefined>>;
  return name ?? description ?? "";
}

/** Makes the function that returns objects of a table as records show them. */
export function recordedForm(table: keyof Tables): (object: object | undefined, more?: object) => RecordedObject {
  const declared: Readonly<Record<string, { kind: string; hidden?: true }>> = TABLES[table];
  const members = Object.entries(declared)
    .filter(([, column]) => column.kind !== "made" && column.hidden !== true)
    .map(([column]) => [memberName(column), wireName(column)] as const);
  return (object, more) => {
    if (object === undefined) return undefined;
    const shown: Record<string, unknown> = {};
    for (const [member, wire] of members) {
      const value = (object as Readonly<Record<string, unknown>>)[member];
      if (isSaid(value)) shown[wire] = typeof value === "bigint" ? String(value) : value;
    }
    return { ...shown, ...more };
  };
}

/** Checks whether a value is set. An empty one counts as absent, as in answers. */
function isSaid(value: unknown): boolean {
  return !(value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0));
}

function wireName(column: string): string {
  return column
    .replace(/^is_/, "")
    .split("_")
    .map((word) => (word === "id" || word === "ttl" ? word.toUpperCase() : word[0]?.toUpperCase() + word.slice(1)))
    .join("");
}
