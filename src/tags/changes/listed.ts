/**
 * Records of many objects that one transaction changes in one way share a row, which lists the objects: most of the cost of a record
 * is that of its row. Readers get a record for each object, so nobody else knows of lists.
 *
 * Each record keeps the position that it would have alone. The row has the position of the last one, so what is behind any of them
 * is found by the position of the row: a cursor may stand within a list.
 */
import type { ObjectOf } from "../../storage/writes/objects.ts";

/** As `store.ts` gives it. */
type StoredChange = ObjectOf<"changes">;

/** With fewer a list saves little. */
export const LEAST_LISTED = 8;
/** Records of a list, and its bytes. */
export const MOST_LISTED = 1000;
export const MOST_LISTED_BYTES = 256 * 1024;

/** Content of `details` of a list: the objects in the order of their positions, and the details of each of them. */
interface ListedDetails {
  objects: [id: string, name: string][];
  details: unknown;
}

/**
 * Puts records into lists where that is worth it. Those of jobs stay as they are: an undo goes backwards through them.
 *
 * @param changes of one transaction, with positions that follow each other
 */
export function asLists(changes: readonly StoredChange[]): StoredChange[] {
  const rows: StoredChange[] = [];
  let alike: StoredChange[] = [];
  for (const change of changes) {
    if (alike[0] !== undefined && !isAlike(alike[0], change)) {
      rows.push(...listsOf(alike));
      alike = [];
    }
    alike.push(change);
  }
  rows.push(...listsOf(alike));
  return rows;
}

function isAlike(one: StoredChange, other: StoredChange): boolean {
  return (
    one.details === other.details &&
    one.kind === other.kind &&
    one.action === other.action &&
    one.organizationId === other.organizationId &&
    one.jobId === "" &&
    other.jobId === ""
  );
}

/** @param alike records that differ in the object alone */
function listsOf(alike: readonly StoredChange[]): StoredChange[] {
  const [first] = alike;
  if (first === undefined || alike.length < LEAST_LISTED) return [...alike];
  const frame = Buffer.byteLength(first.details) + EMPTY_BYTES;
  const rows: StoredChange[] = [];
  let objects: string[] = [];
  let bytes = frame;
  for (const [place, change] of alike.entries()) {
    const object = JSON.stringify([change.objectId, change.name]);
    const more = Buffer.byteLength(object) + 1;
    if (objects.length > 0 && (objects.length === MOST_LISTED || bytes + more > MOST_LISTED_BYTES)) {
      rows.push(...listOf(alike.slice(place - objects.length, place), objects));
      objects = [];
      bytes = frame;
    }
    objects.push(object);
    bytes += more;
  }
  return [...rows, ...listOf(alike.slice(alike.length - objects.length), objects)];
}

/** Bytes of a list around its objects and their details. */
const EMPTY_BYTES = Buffer.byteLength('{"objects":[],"details":}');

/** @param objects ID and name of each record, as JSON */
function listOf(changes: readonly StoredChange[], objects: readonly string[]): StoredChange[] {
  const last = changes.at(-1);
  if (last === undefined || changes.length < LEAST_LISTED) return [...changes];
  const details = `{"objects":[${objects.join(",")}],"details":${last.details}}`;
  return [{ ...last, objectId: "", name: String(changes.length), details }];
}

/** The records that a row holds, in their order. @throws SyntaxError when a list is damaged */
export function entriesOf(row: StoredChange): StoredChange[] {
  // Every object has an ID.
  if (row.objectId !== "") return [row];
  const { objects, details } = JSON.parse(row.details) as ListedDetails;
  const text = JSON.stringify(details);
  const first = row.position - objects.length + 1;
  return objects.map(([objectId, name], place) => {
    return { ...row, position: first + place, objectId, name, details: text };
  });
}
