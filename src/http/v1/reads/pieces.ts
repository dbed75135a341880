/** A list as text, in pieces of which each is about half a millisecond of work. */
import type { TextPiece } from "../../../lists/page.ts";
import { escapeJson, renderJson, renderPretty } from "../render.ts";
import { listTurns } from "../../../list-work.ts";

const PIECE_LENGTH = 32 * 1024;
/** Length of the pieces that are no work here but to be sent: each costs as much as a short answer. */
const TEXT_LENGTH = 64 * 1024;

const encoder = new TextEncoder();

/** Entries of a list in slices. A request for the next slice passes the length of the previous one as text. */
export type Slices<T> = AsyncGenerator<readonly T[], void, number>;

/** Slices of a list that are text already. */
export type TextSlices = AsyncGenerator<readonly TextPiece[], void, number>;

/** Position in a list at which it can be continued. */
export interface ListPlaceAfter {
  /** The key of the last entry before it. */
  after: string;
  /** How many entries are before it. */
  count: number;
  /** How many entries there are, with those after it; undefined when the list goes on to its end. */
  total?: number | undefined;
}

/** A part of a list, as it is sent. */
export interface ListPiece {
  bytes: Buffer;
  /** Position after the piece. Undefined when the piece has no entry and no entry precedes it. */
  end: ListPlaceAfter | undefined;
}

export type Pieces = AsyncGenerator<ListPiece, void>;

/** Bytes of a list as they are sent. */
export type Bytes = AsyncGenerator<Buffer, void>;

export interface Rendering<T> {
  /** The text of an entry; see `textOfEntry`. */
  textOf(entry: T): string;
  keyOf(entry: T): string;
  isPretty: boolean;
  /** How many entries there are, when the list ends before what is stored does. */
  total?: number | undefined;
}

/**
 * Renders a list; the next slice is asked for when the piece before has been taken.
 *
 * @param from where the text goes on that was begun elsewhere
 */
export async function* renderPieces<T>(
  slices: Slices<T>,
  { textOf, keyOf, isPretty, total }: Rendering<T>,
  from?: ListPlaceAfter,
): Pieces {
  let text = "";
  let count = from?.count ?? 0;
  let last: T | undefined;
  const piece = (): ListPiece => {
    const end = last === undefined ? from : { after: keyOf(last), count, total };
    return { bytes: Buffer.from(text), end };
  };
  try {
    for (let slice = await slices.next(0); slice.done !== true;) {
      let length = 0;
      for (const entry of slice.value) {
        const rendered = textOf(entry);
        length += rendered.length;
        text += `${count === 0 ? "[" : ","}${rendered}`;
        count += 1;
        last = entry;
        if (text.length < PIECE_LENGTH) continue;
        yield piece();
        text = "";
        // A client that takes all at once must not keep the others waiting.
        await listTurns.pause();
      }
      slice = await slices.next(length);
    }
  } finally {
    await slices.return();
  }
  const closing = isPretty ? "]\n" : "]";
  text = count === 0 ? `[${closing}` : `${text}${isPretty ? "\n" : ""}${closing}`;
  yield piece();
}

/**
 * Length of text at which a page ends, whatever its size: all of it is held, since its cursor goes before it. An answer
 * that is made while it is sent counts as much; see `sending.ts`.
 */
const MAX_PAGE_LENGTH = 1024 * 1024;

/** A page as text. What it was made of is not held. */
export interface MadePage {
  pieces: ListPiece[];
  /** How many entries it has, and the key of the last of them. */
  count: number;
  last: string;
  /** Whether there are more entries behind it. */
  hasMore: boolean;
}

/** The entries of a page: so many, or fewer when they are long. */
export async function collectPage<T>(
  slices: Slices<T>,
  size: number,
  { textOf, keyOf, isPretty }: Rendering<T>,
): Promise<MadePage> {
  const pieces: ListPiece[] = [];
  let text = "";
  let length = 0;
  let count = 0;
  let last: string | undefined;
  const cut = (): void => {
    pieces.push({ bytes: Buffer.from(text), end: last === undefined ? undefined : { after: last, count } });
    text = "";
  };
  const end = (hasMore: boolean): MadePage => {
    text = `${count === 0 ? "[" : text}${isPretty && count > 0 ? "\n" : ""}${isPretty ? "]\n" : "]"}`;
    cut();
    for (const { end: place } of pieces) if (place !== undefined) place.total = count;
    return { pieces, count, last: last ?? "", hasMore };
  };
  try {
    for (let slice = await slices.next(0); slice.done !== true;) {
      const before = length;
      for (const entry of slice.value) {
        if (count === size || length >= MAX_PAGE_LENGTH) return end(true);
        const rendered = textOf(entry);
        length += rendered.length;
        text += `${count === 0 ? "[" : ","}${rendered}`;
        count += 1;
        last = keyOf(entry);
        if (text.length < PIECE_LENGTH) continue;
        cut();
        await listTurns.pause();
      }
      slice = await slices.next(length - before);
    }
  } finally {
    await slices.return();
  }
  return end(false);
}

/** The text of a page as it is sent. */
export async function* piecesOf({ pieces }: MadePage): Pieces {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    await listTurns.pause();
    yield piece;
  }
}

/**
 * The list of slices that are text already.
 *
 * @param from where the text goes on that was begun elsewhere
 */
export async function* joinTexts(slices: TextSlices, isPretty: boolean, from?: ListPlaceAfter): Pieces {
  let end = from;
  try {
    for (let slice = await slices.next(0); slice.done !== true;) {
      let length = 0;
      for (const { bytes, count, last } of slice.value) {
        await listTurns.pause();
        length += bytes.length;
        end = { after: last, count: (end?.count ?? 0) + count };
        yield { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), end };
      }
      slice = await slices.next(length);
    }
  } finally {
    await slices.return();
  }
  const closing = isPretty ? "]\n" : "]";
  yield { bytes: Buffer.from(end === undefined ? `[${closing}` : `${isPretty ? "\n" : ""}${closing}`), end };
}

/** Writes a slice of a list. What could mean something in HTML is escaped here, in one go. @param isFirst whether the list begins with it */
export function cutText<T>(
  entries: Iterable<T>,
  { textOf, keyOf, isFirst }: Pick<Rendering<T>, "textOf" | "keyOf"> & { isFirst: boolean },
): TextPiece[] {
  const pieces: TextPiece[] = [];
  let text = "";
  let count = 0;
  let last: T | undefined;
  const cut = (): void => {
    if (last === undefined) return;
    // With a buffer of its own, which can be handed over.
    pieces.push({ bytes: encoder.encode(escapeJson(text)), count, last: keyOf(last) });
    [text, count, last] = ["", 0, undefined];
  };
  for (const entry of entries) {
    text += `${isFirst && pieces.length === 0 && count === 0 ? "[" : ","}${textOf(entry)}`;
    count += 1;
    last = entry;
    if (text.length >= TEXT_LENGTH) cut();
  }
  cut();
  return pieces;
}

/** The wire object of an entry as it stands in the array. */
export function textOfEntry(value: unknown, isPretty: boolean): string {
  if (!isPretty) return renderJson(value);
  return `\n    ${renderPretty(value).trimEnd().replaceAll("\n", "\n    ")}`;
}

/**
 * The whole list, for many to be sent.
 *
 * @returns undefined when it is longer than `limit`
 */
export async function collectPieces(pieces: Pieces, limit: number): Promise<Buffer | undefined> {
  const whole: Buffer[] = [];
  let length = 0;
  for await (const { bytes } of pieces) {
    whole.push(bytes);
    length += bytes.length;
    if (length > limit) return undefined;
  }
  return Buffer.concat(whole);
}

/** The pieces as they are sent. */
export async function* bytesOf(pieces: Pieces): Bytes {
  for await (const { bytes } of pieces) yield bytes;
}
