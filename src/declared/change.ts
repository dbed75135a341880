/** Changes that make a server equal to the declared files. */
import type { Live } from "./object.ts";
import type { Declared } from "./object.ts";
import { HIDDEN, mapSecrets, secretsIn } from "./secrets.ts";
import { isRecord, isSame, type FileContent } from "./shape.ts";
import type { FileValue } from "./documents.ts";

/** A member that changes; one that comes or goes has one side. */
export interface Field {
  readonly name: string;
  readonly before: FileValue | undefined;
  readonly after: FileValue | undefined;
}

export interface PlannedChange {
  readonly action: "create" | "update" | "delete";
  /** Object of the change: as it is declared or, for an object to delete, as the server has it. */
  readonly object: Declared;
  readonly live: Live | undefined;
  /** Wanted content, secrets included. Empty for an object to delete. */
  readonly content: FileContent;
  readonly fields: readonly Field[];
  /** Stage of the change. Changes of one stage may be made at the same time, after those of the stages before. */
  readonly stage: number;
}

/** The members in which an object differs from what is to be. */
export function fieldsOf({ kind, content: declared }: Declared, wanted: FileContent, live: Live | undefined): Field[] {
  const names = kind.isSparse === true ? Object.keys(declared) : Object.keys(kind.members);
  const fields: Field[] = [];
  for (const name of names) {
    const member = kind.members[name];
    // It is given when the object is made, and never again.
    if (member === undefined || (name === "secret" && live !== undefined)) continue;
    const before = live?.content[name];
    const after = name === "config" ? comparable(wanted[name], before) : wanted[name];
    if (!isSame(member.shape, before, after)) fields.push({ name, before, after: wanted[name] });
  }
  return fields;
}

/** A secret that the server does not show to this token is taken to be the right one. */
function comparable(after: FileValue | undefined, before: FileValue | undefined): FileValue | undefined {
  if (!isRecord(after) || !isRecord(before)) return after;
  const known = secretsIn(before);
  return mapSecrets(after, (name, value) => (known.get(name) === HIDDEN ? HIDDEN : value));
}

/** The members that may not change once an object is made, of those that do. */
export function fixedFields({ kind }: Declared, fields: readonly Field[]): string[] {
  return fields.flatMap(({ name }) => (kind.members[name]?.isFixed === true ? [name] : []));
}
