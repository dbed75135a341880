/** Counts what a node and PostgreSQL send each other, through a proxy between them. */
import { startTcpProxy } from "../../test/faults/tcp-proxy.ts";

/** Bytes by direction, and what PostgreSQL reported. */
export interface WireCounts {
  toDatabase: number;
  fromDatabase: number;
  /** Statements that ended: `CommandComplete` and `EmptyQueryResponse`; BEGIN and COMMIT are statements too. */
  statements: number;
  /** `ReadyForQuery` outside of a transaction: what `xact_commit` counts, but at once and not up to 10 s later. */
  transactions: number;
}

/** The proxy's address and what has passed so far. */
export interface WireCounter {
  readonly url: string;
  /** Returns the counts since the start. */
  read(): WireCounts;
  close(): Promise<void>;
}

/** Puts a counting proxy in front of PostgreSQL. Its URL must ask for no TLS. */
export async function startWireCounter(database: string): Promise<WireCounter> {
  const counts: WireCounts = { toDatabase: 0, fromDatabase: 0, statements: 0, transactions: 0 };
  const parsers = new Map<number, MessageParser>();
  const proxy = await startTcpProxy(database);
  proxy.judge = (direction, data, connection) => {
    if (direction === "up") {
      counts.toDatabase += data.length;
      return "pass";
    }
    counts.fromDatabase += data.length;
    const parser = parsers.get(connection) ?? new MessageParser();
    parsers.set(connection, parser);
    parser.take(data, (type, first) => {
      if (type === "C" || type === "I") counts.statements += 1;
      if (type === "Z" && first === "I") counts.transactions += 1;
    });
    return "pass";
  };
  return { url: proxy.url, read: () => ({ ...counts }), close: async () => proxy.close() };
}

const HEAD_BYTES = 5;

/** Finds the messages of one connection: a letter, four bytes of length that count themselves, the content. */
class MessageParser {
  #left = Buffer.alloc(0);
  /** Bytes of a message's content that are still to come and of no interest. */
  #skip = 0;

  take(data: Buffer, found: (type: string, first: string) => void): void {
    let at = Math.min(this.#skip, data.length);
    this.#skip -= at;
    const buffer = this.#left.length > 0 ? Buffer.concat([this.#left, data.subarray(at)]) : data.subarray(at);
    at = 0;
    // The first byte of the content is wanted too; only messages without content end before it.
    while (buffer.length - at >= HEAD_BYTES) {
      const length = buffer.readInt32BE(at + 1) - 4;
      if (length > 0 && buffer.length - at === HEAD_BYTES) break;
      found(String.fromCharCode(buffer[at] ?? 0), length > 0 ? String.fromCharCode(buffer[at + HEAD_BYTES] ?? 0) : "");
      at += HEAD_BYTES + length;
    }
    this.#skip += Math.max(0, at - buffer.length);
    this.#left = Buffer.from(buffer.subarray(Math.min(at, buffer.length)));
  }
}
