/**
 * Lists that are made while they are sent: once for all who ask for the same while it is made. The fastest reader sets
 * the pace. Who falls behind by more than is remembered goes on with a reading of its own, so that a slow client
 * neither holds the others nor makes the memory grow.
 */
import { setImmediate } from "node:timers/promises";
import { Askers, callerNow, workFor } from "../../../callers.ts";
import { afterNextTurn } from "../../../turns.ts";
import { bytesOf, type Bytes, type ListPiece, type Pieces, type ListPlaceAfter } from "./pieces.ts";
import { type MadeAnswer, MAX_SHARED_BYTES } from "../../reads/shared-answers.ts";

/** A list whose making has begun. */
export interface BegunList {
  /** Settled before the first piece: headers go before all that is read. */
  headers: Readonly<Record<string, string>>;
  pieces: Pieces;
  /** Permissions that it was made with so far: whoever reads along uses them too. */
  uses?: () => MadeAnswer["uses"];
}

/** Begins to make the list, or to go on with it where another reading has come to. */
export type OpenList = (from?: ListPlaceAfter) => Promise<BegunList>;

/** Told of the whole text of a list that was made to its end and is short enough to be kept. */
type OnWhole = (body: Buffer, headers: BegunList["headers"]) => void;

/** A list as one of its readers gets it. */
interface ReadList {
  headers: BegunList["headers"];
  bytes: Bytes;
  uses?: BegunList["uses"];
}

export interface SharedLists {
  /**
   * The list, from its beginning.
   *
   * @param name says all that the list depends on, the indexes of its tables included
   * @param open reads after it is called; of those who ask for the same, the first one's is used
   * @throws what `open` does, each caller what its own one says
   */
  read(name: string, open: OpenList, onWhole?: OnWhole): Promise<ReadList>;
  /** Lists that are made now, and the bytes of them that are remembered. */
  stats(): { lists: number; bytes: number };
}

/** Bytes of all lists together that are remembered for those who read behind the fastest. */
const MAX_HELD_BYTES = 4 * MAX_SHARED_BYTES;

/** One reading, and who reads along. */
interface Making {
  name: string;
  /** For whom it is made: it ends when all of them have gone. */
  askers: Askers;
  begun: Promise<BegunList>;
  /** Remembered pieces. The first of them is the `dropped`th of the list. */
  held: ListPiece[];
  dropped: number;
  bytes: number;
  readers: Set<Reader>;
  /** The next piece, while it is made. */
  next: Promise<void> | undefined;
  isOver: boolean;
  failure: Error | undefined;
  onWhole: OnWhole | undefined;
}

interface Reader {
  /** How many pieces it has taken. */
  taken: number;
}

/** Result of a reader's request: a piece, the end, or `lost` when its piece is not kept any longer. */
type Found = ListPiece | "end" | "lost";

/** Makes an empty set of lists that are being made. */
export function createSharedLists(): SharedLists {
  return new ListsInMaking();
}

class ListsInMaking implements SharedLists {
  readonly #makings = new Map<string, Making>();
  #held = 0;

  async read(name: string, open: OpenList, onWhole?: OnWhole): Promise<ReadList> {
    const found = this.#makings.get(name);
    const shared = found?.askers.isGone() === true ? undefined : found;
    const making = shared ?? this.#begin(name, open, onWhole);
    making.askers.add(callerNow());
    const reader: Reader = { taken: 0 };
    making.readers.add(reader);
    try {
      const { headers, uses } = await making.begun;
      return { headers, uses, bytes: this.#follow(making, reader, open, shared === undefined) };
    } catch (error) {
      void this.#leave(making, reader);
      if (shared === undefined) throw error;
    }
    // The words of a refusal name the token of who was refused.
    const { headers, pieces } = await open();
    return { headers, bytes: bytesOf(pieces) };
  }

  stats(): { lists: number; bytes: number } {
    return { lists: this.#makings.size, bytes: this.#held };
  }

  #begin(name: string, open: OpenList, onWhole: OnWhole | undefined): Making {
    const askers = new Askers(callerNow());
    const making: Making = {
      name,
      askers,
      // For all who will read along, whoever of them asks for the next piece.
      begun: workFor(askers, open),
      held: [],
      dropped: 0,
      bytes: 0,
      readers: new Set(),
      next: undefined,
      isOver: false,
      failure: undefined,
      onWhole,
    };
    this.#makings.set(name, making);
    return making;
  }

  /** Nobody joins any more. */
  #close(making: Making): void {
    if (this.#makings.get(making.name) === making) this.#makings.delete(making.name);
  }

  #forget(making: Making, count: number): void {
    for (const { bytes } of making.held.splice(0, count)) {
      making.dropped += 1;
      making.bytes -= bytes.length;
      this.#held -= bytes.length;
    }
  }

  /** Forgets what is too much, and then what nobody comes back for. */
  #trim(making: Making): void {
    while (making.held.length > 1 && (making.bytes > MAX_SHARED_BYTES || this.#held > MAX_HELD_BYTES))
      this.#forget(making, 1);
    if (making.dropped === 0) return;
    this.#close(making);
    let slowest = Infinity;
    for (const { taken } of making.readers) slowest = Math.min(slowest, taken);
    this.#forget(making, Math.max(0, Math.min(slowest - making.dropped, making.held.length)));
  }

  async #makeNext(making: Making): Promise<void> {
    try {
      const { headers, pieces } = await making.begun;
      const { done, value } = await pieces.next();
      if (done === true) {
        making.isOver = true;
        if (making.dropped === 0) making.onWhole?.(Buffer.concat(making.held.map(({ bytes }) => bytes)), headers);
        return;
      }
      const { bytes } = value;
      making.held.push(value);
      making.bytes += bytes.length;
      this.#held += bytes.length;
      this.#trim(making);
    } catch (error) {
      making.failure = error instanceof Error ? error : new Error("list response aborted", { cause: error });
      this.#close(making);
    } finally {
      making.next = undefined;
    }
  }

  async #take(making: Making, reader: Reader): Promise<Found> {
    for (;;) {
      if (reader.taken < making.dropped) return "lost";
      const piece = making.held[reader.taken - making.dropped];
      if (piece !== undefined) {
        reader.taken += 1;
        return piece;
      }
      if (making.isOver) return "end";
      if (making.failure !== undefined) throw making.failure;
      await (making.next ??= workFor(making.askers, () => this.#makeNext(making)));
    }
  }

  async #leave(making: Making, reader: Reader): Promise<void> {
    making.readers.delete(reader);
    if (making.readers.size > 0) return;
    // A request that arrived while the end of the list was made, perhaps in one turn, is noticed in the next turn.
    if (making.isOver && making.dropped === 0) await afterNextTurn();
    if (making.readers.size > 0) return;
    this.#close(making);
    this.#forget(making, making.held.length);
    const begun = await making.begun.catch(() => undefined);
    await begun?.pieces.return();
  }

  /** @param isMine whether the reading is this caller's; what goes wrong with another's is made good by one of its own */
  async *#follow(making: Making, reader: Reader, open: OpenList, isMine: boolean): Bytes {
    let place: ListPlaceAfter | undefined;
    try {
      for (;;) {
        const found = await this.#take(making, reader).catch((error: unknown): Found => {
          if (isMine) throw error;
          return "lost";
        });
        if (found === "end") return;
        if (found === "lost") break;
        place = found.end;
        yield found.bytes;
        // A reader that catches up finds all pieces in memory, and must not block the others.
        if (reader.taken < making.dropped + making.held.length) await setImmediate();
      }
    } finally {
      void this.#leave(making, reader);
    }
    yield* bytesOf((await open(place)).pieces);
  }
}
