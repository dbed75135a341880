/**
 * Shows the merged rules of a subject, or of two side by side, as a table that answers what the engine answers. Implements
 * `/v1/acl/effective`.
 */
import { MATRIX_RESOURCES } from "../../../packages/model/rule-kinds.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import type { BindingRule } from "../../acl/binding-rules/store.ts";
import { rightsTurns } from "../../acl/rule-limit.ts";
import { compileParsed } from "../../acl/tokens/compile.ts";
import type { AccessOptions } from "../../acl/tokens/resolve.ts";
import { accessesOf, matrixOf, type MatrixRow, type MatrixSubject, type RowKey } from "../../rights/rules/matrix.ts";
import { authorize } from "../../rights/authorize.ts";
import { explained, type Decision } from "../../rights/rules/authorizer.ts";
import type { Access, Resource } from "../../rights/rules/rule.ts";
import type { RenderScope, Scope } from "../../rights/scope.ts";
import type { QuestionLane } from "../../rights/question-lane.ts";
import { policyReader, showDecision, type ShownDecision } from "../why/path.ts";
import { findPast } from "./past/subject.ts";
import type { ChainDamage } from "./past/walk.ts";
import { findRow, writeRow } from "./place.ts";
import { findEffective, type EffectiveSubject, type SubjectName } from "./subject.ts";

/** Dependencies of the table besides the request. */
export interface EffectiveOptions {
  access: AccessOptions;
  renderScope: RenderScope;
  /** Lane in whose turns it runs. */
  lane: QuestionLane;
}

export interface EffectiveRequest {
  subject: SubjectName;
  /** The second subject; undefined for one alone. */
  other: SubjectName | undefined;
  /** Kind of things; empty for all. */
  resource: string;
  /** The moment as of which it is asked, ISO 8601 in UTC with milliseconds; undefined for now. */
  at: string | undefined;
  /** The `next` of the page before; empty for the first. */
  after: string;
  size: number;
}

/** Accesses about which one rule decides, or none. */
export interface ShownCell extends Omit<ShownDecision, "Allow"> {
  accesses: readonly Access[];
  /** Allowed accesses among them. */
  allowed: readonly Access[];
}

export interface ShownRow extends RowKey {
  /** Cells of each subject. */
  cells: readonly (readonly ShownCell[])[];
  /** Whether an access is allowed to one of two subjects alone. */
  differs: boolean;
}

export interface ShownSubject {
  shown: Readonly<Record<string, unknown>>;
  scope: Scope;
  computed: readonly BindingRule[];
}

/** Records that an answer about the past was made of. */
export interface ShownRecords {
  at: string;
  /** Records since then; undefined for who may not know how much is written elsewhere. */
  count: number | undefined;
  damage: ChainDamage | undefined;
}

export interface EffectivePage {
  /** Only of an answer about the past. */
  records: ShownRecords | undefined;
  subjects: readonly ShownSubject[];
  rows: readonly ShownRow[];
  /** Position of the next page; undefined on the last page. */
  next: string | undefined;
  /** Whether policies have a part in it that the caller may not read. */
  isFiltered: boolean;
}

/** Most names of a table, over all its places. */
const MOST_NAMES = 50_000;
/** Bytes of rows after which a page ends. */
const MOST_BYTES = 1024 * 1024;

/**
 * Returns a page of the table.
 *
 * @param scope of the subjects
 * @throws AppError `forbidden` without acl:read there, unless it is the caller's own token; `not_found`, `bad_parameter`, `invalid`
 * when there are too many rules, `rate_limited` when too many ask
 */
export function effectivePermissions(
  ctx: Context,
  options: EffectiveOptions,
  scope: Scope,
  asked: EffectiveRequest,
): Promise<EffectivePage> {
  const resources = MATRIX_RESOURCES.filter((resource) => asked.resource === "" || resource === asked.resource);
  if (resources.length === 0)
    throw new AppError("bad_parameter", `Invalid resource. Use one of ${MATRIX_RESOURCES.join(", ")}`);
  return options.lane.run(ctx.actor, async () => {
    const names = [asked.subject, ...(asked.other === undefined ? [] : [asked.other])];
    const { subjects, records } = await findAll(ctx, options.access, scope, names, asked.at);
    const { rows, isFiltered } = await tableOf(ctx, options, subjects, resources);
    const page = pageOf(rows, asked, (row) => showRow(ctx, options, subjects, row));
    return { subjects, records, ...page, isFiltered };
  });
}

async function findAll(
  ctx: Context,
  access: AccessOptions,
  scope: Scope,
  names: readonly SubjectName[],
  at: string | undefined,
): Promise<{ subjects: EffectiveSubject[]; records: ShownRecords | undefined }> {
  if (at === undefined) {
    const subjects: EffectiveSubject[] = [];
    for (const name of names) subjects.push(await findEffective(ctx, access.datacenter, scope, name));
    return { subjects, records: undefined };
  }
  if (Date.parse(at) > ctx.now())
    throw new AppError("bad_parameter", 'Invalid parameter "at": the time is in the future');
  const { subjects, records } = await findPast(ctx, access, scope, names, at);
  const seesWhole = authorize(ctx.actor, "operator", "", "read", scope);
  return { subjects, records: { at, count: seesWhole ? records.count : undefined, damage: records.damage } };
}

/** All rows that the caller may know of. @throws AppError `invalid` when there are too many */
async function tableOf(
  ctx: Context,
  { access }: EffectiveOptions,
  subjects: readonly EffectiveSubject[],
  resources: readonly Resource[],
): Promise<{ rows: MatrixRow[]; isFiltered: boolean }> {
  const compiled: MatrixSubject[] = [];
  for (const { effective } of subjects) compiled.push(await compileParsed(effective, access));
  const readers = compiled.map(({ policies }, index) => {
    const reads = policyReader(ctx, subjects[index]?.scope ?? ctx.actor.scope);
    return new Set(policies.filter((policy) => reads(policy)));
  });
  const isFiltered = compiled.some(({ policies }, index) => policies.length > (readers[index]?.size ?? 0));
  const rows = await rightsTurns.run(
    matrixOf(compiled, {
      resources,
      isShown: (policy) => readers.some((shown) => shown.has(policy)),
      // A subject may know the names that it has access to; names without access are in policies alone.
      showsAllowed: subjects.every(({ isOwn }) => isOwn),
      most: MOST_NAMES,
    }),
  );
  if (rows === undefined) throw invalid(`The list has more than ${MOST_NAMES} names. Set resource to list one kind`);
  return { rows: subjects.length === 1 ? rows : whereDifferent(rows), isFiltered };
}

/** Rows of all kinds of things about which two subjects differ: a row that does not may be an exception from one that does. */
function whereDifferent(rows: readonly MatrixRow[]): MatrixRow[] {
  const kinds = new Set(rows.filter(differs).map(({ resource }) => resource));
  return rows.filter(({ resource }) => kinds.has(resource));
}

function differs({ cells: [first = [], second] }: Pick<MatrixRow, "cells">): boolean {
  return second !== undefined && first.some(({ allow }, index) => allow !== second[index]?.allow);
}

function pageOf(
  rows: readonly MatrixRow[],
  { after, size }: Pick<EffectiveRequest, "after" | "size">,
  show: (row: MatrixRow) => ShownRow,
): Pick<EffectivePage, "rows" | "next"> {
  const first = findRow(after, rows);
  const shown: ShownRow[] = [];
  let bytes = 0;
  for (const row of rows.slice(first, first + size)) {
    const next = show(row);
    bytes += JSON.stringify(next).length;
    if (bytes > MOST_BYTES && shown.length > 0) break;
    shown.push(next);
  }
  const last = shown.at(-1);
  const end = first + shown.length;
  return { rows: shown, next: last === undefined || end >= rows.length ? undefined : writeRow(last, end - 1) };
}

function showRow(
  ctx: Context,
  { renderScope }: EffectiveOptions,
  subjects: readonly EffectiveSubject[],
  { cells, ...key }: MatrixRow,
): ShownRow {
  const accesses = accessesOf(key.resource);
  const shown = subjects.map((subject, index) =>
    grouped(cells[index] ?? []).map((decisions) => {
      const [first] = decisions;
      const { Allow: _, ...rest } = showDecision(ctx, subject, explained(first), renderScope);
      const about = (all: readonly Decision[]) =>
        accesses.filter((_access, at) => all.includes(cells[index]?.[at] as Decision));
      return { ...rest, accesses: about(decisions), allowed: about(decisions.filter(({ allow }) => allow)) };
    }),
  );
  return { ...key, cells: shown, differs: differs({ cells }) };
}

/** Decisions by one rule together. */
function grouped(decisions: readonly Decision[]): [Decision, ...Decision[]][] {
  const found: [Decision, ...Decision[]][] = [];
  for (const decision of decisions) {
    const before = found.find(([each]) => each.grant === decision.grant && each.decidedBy === decision.decidedBy);
    if (before === undefined) found.push([decision]);
    else before.push(decision);
  }
  return found;
}
