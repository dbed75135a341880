/** What has to be done to make a server what files say. */
import type { Live } from "./object.ts";
import type { Declared } from "./object.ts";
import { HIDDEN, mapSecrets, secretsIn } from "./secrets.ts";
import { isRecord, isSame, type Content } from "./shape.ts";
import type { Value } from "./documents.ts";

/** A member that changes; one that comes or goes has one side. */
export interface Field {
  readonly name: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

export interface Change {
  readonly action: "create" | "update" | "delete";
  /** What it is about: as it is declared, or as the server has it where it goes. */
  readonly object: Declared;
  readonly live: Live | undefined;
  /** As it is to be, secrets included; of what goes, nothing. */
  readonly content: Content;
  readonly fields: readonly Field[];
  /** Those of one stage may be done at the same time, after those of the stages before. */
  readonly stage: number;
}

/** The members in which an object differs from what is to be. */
export function fieldsOf({ kind, content: declared }: Declared, wanted: Content, live: Live | undefined): Field[] {
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
function comparable(after: Value | undefined, before: Value | undefined): Value | undefined {
  if (!isRecord(after) || !isRecord(before)) return after;
  const known = secretsIn(before);
  return mapSecrets(after, (name, value) => (known.get(name) === HIDDEN ? HIDDEN : value));
}

/** The members that may not change once an object is made, of those that do. */
export function fixedFields({ kind }: Declared, fields: readonly Field[]): string[] {
  return fields.flatMap(({ name }) => (kind.members[name]?.isFixed === true ? [name] : []));
}
