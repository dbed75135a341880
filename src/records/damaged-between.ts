/**
 * Damaged records beside those that a filter finds. A filter compares columns as they are stored, and of a damaged record nobody
 * knows what they were: it may be what is asked for, so it has its place, without content, in every list that covers it.
 */
import type { AuditPlace, AuditRecord, AuditSlice } from "./record.ts";

/** Records of a slice's range that are looked at, the first ones, some at a time; and bytes of their details. As many as a page may show. */
const LOOKED_AT = { records: 1000, some: 200, bytes: 1024 * 1024 };

/** Reads records of the same range, of whatever kind. The caller may see them all. */
type ReadRange = (part: { after: AuditPlace | undefined; size: number; bytes: number }) => Promise<AuditSlice>;

/** A slice with the damaged records that lie in its range. */
export async function withDamaged(
  { after, size, isAscending = false }: { after: AuditPlace | undefined; size: number; isAscending?: boolean },
  { records, isLast }: AuditSlice,
  readRange: ReadRange,
): Promise<AuditSlice> {
  const isBefore = (one: AuditPlace, other: AuditPlace) => (isAscending ? 1 : -1) * comparePlaces(one, other) < 0;
  const end = isLast ? undefined : records.at(-1);
  const known = new Set(records.map(idOf));
  const all = [...records];
  let [place, left, bytes] = [after, LOOKED_AT.records, LOOKED_AT.bytes];
  // When the filter skips nothing in between, one record more ends the slice.
  let some = end === undefined ? LOOKED_AT.some : Math.min(LOOKED_AT.some, records.length + 1);
  while (left > 0 && bytes > 0) {
    const found = await readRange({ after: place, size: Math.min(some, left), bytes });
    const within = found.records.filter((each) => end === undefined || isBefore(each, end));
    all.push(...within.filter((each) => each.isDamaged === true && !known.has(idOf(each))));
    if (found.isLast || within.length < found.records.length) break;
    left -= found.records.length;
    bytes -= found.records.reduce((sum, { detail }) => sum + Buffer.byteLength(detail), 0);
    place = found.records.at(-1);
    some = LOOKED_AT.some;
  }
  const shown = all.toSorted((one, other) => (isBefore(one, other) ? -1 : 1)).slice(0, size);
  return { records: shown, isLast: isLast && shown.length === all.length };
}

function idOf({ chain, seq }: AuditRecord): string {
  return `${chain} ${seq}`;
}

/** As the databases order them: by bytes. */
function comparePlaces(one: AuditPlace, other: AuditPlace): number {
  const [first, second] = [one, other].map(({ at, chain }) => Buffer.from(`${at}\0${chain}`)) as [Buffer, Buffer];
  return Buffer.compare(first, second) || one.seq - other.seq;
}
