/**
 * Audit records as lines of JSON: in files, to webhooks and in exports. A line holds all that a record's hash is made over, so
 * that a file of them can be verified by itself.
 */
import type { AuditRow } from "../storage/proofs/audit-chain.ts";

/** A head of a chain as it leaves the database. `mac` is empty where nobody has signed it. */
export interface AuditHead {
  chain: string;
  seq: number;
  hash: string;
  at: string;
  mac: string;
}

export type AuditLine = { type: "record"; record: AuditRow } | { type: "head"; head: AuditHead };

/** Members of a line and their columns, in the order of the line; those of them that may be left out are empty then. */
const MEMBERS = [
  ["chain", "chain"],
  ["seq", "seq"],
  ["at", "at"],
  ["outcome", "outcome"],
  ["action", "action"],
  ["kind", "kind"],
  ["id", "object_id"],
  ["name", "name"],
  ["partition", "partition"],
  ["namespace", "namespace"],
  ["organization", "organization_id"],
  ["accessorId", "accessor_id"],
  ["requestId", "request_id"],
] as const satisfies readonly (readonly [string, keyof AuditRow])[];

/** The line of a record, without the end of the line. */
export function recordLine(row: AuditRow): string {
  const shown: Record<string, unknown> = { type: "record" };
  for (const [member, column] of MEMBERS) if (row[column] !== "") shown[member] = row[column];
  return `${JSON.stringify(shown).slice(0, -1)},"detail":${detailOf(row)},"hash":${JSON.stringify(row.hash)}}`;
}

/** The line of a head. */
export function headLine({ chain, seq, hash, at, mac }: AuditHead): string {
  return JSON.stringify({ type: "head", chain, seq, hash, at, mac });
}

/** The stored text itself, which is what was hashed. One that somebody has changed into something else is shown as a text. */
function detailOf({ detail }: AuditRow): string {
  try {
    const parsed: unknown = JSON.parse(detail);
    if (typeof parsed === "object" && JSON.stringify(parsed) === detail) return detail;
  } catch {
    // As below.
  }
  return JSON.stringify(detail);
}

/**
 * Reads a line.
 *
 * @returns undefined when it is none that the functions above have written, byte for byte: what they would write otherwise, such
 * as a member that comes twice, no hash is made over, and another reader may read otherwise
 */
export function parseLine(text: string): AuditLine | undefined {
  const line = parseMembers(text);
  if (line === undefined) return undefined;
  const own = line.type === "head" ? headLine(line.head) : recordLine(line.record);
  return own === text ? line : undefined;
}

function parseMembers(text: string): AuditLine | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof line !== "object" || line === null) return undefined;
  const members = line as Readonly<Record<string, unknown>>;
  if (members["type"] === "head") return parseHead(members);
  return members["type"] === "record" ? parseRecord(members) : undefined;
}

function parseHead({ chain, seq, hash, at = "", mac = "" }: Readonly<Record<string, unknown>>): AuditLine | undefined {
  if (!isText(chain) || !isPlace(seq) || !isText(hash) || !isText(at) || !isText(mac)) return undefined;
  return { type: "head", head: { chain, seq, hash, at, mac } };
}

function parseRecord(members: Readonly<Record<string, unknown>>): AuditLine | undefined {
  const { seq, detail, hash } = members;
  if (!isPlace(seq) || !isText(hash) || detail === undefined) return undefined;
  const row: Record<string, unknown> = { hash, detail: isText(detail) ? detail : JSON.stringify(detail) };
  for (const [member, column] of MEMBERS) {
    const value = members[member] ?? "";
    if (member !== "seq" && !isText(value)) return undefined;
    row[column] = value;
  }
  return { type: "record", record: row as unknown as AuditRow };
}

const isText = (value: unknown): value is string => typeof value === "string";
const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
