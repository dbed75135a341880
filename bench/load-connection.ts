/** One keep-alive HTTP connection of the load generator: raw sockets, no parsing beyond what finds an answer's end. */
import { connect, type Socket } from "node:net";

/** Events that a connection reports. */
export interface ConnectionEvents {
  readonly answered: (status: number, bodyBytes: number, head: string) => void;
  readonly broken: () => void;
  /** Gets the text of an answer whose status is not 2xx, as far as it came in one piece. */
  readonly failed: (text: string) => void;
}

/** A connection that sends one request at a time. */
export interface LoadConnection {
  readonly send: (request: Buffer | string) => void;
  readonly close: () => void;
}

const headEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");

/** Opens a connection; resolves when it is ready for the first request. */
export async function openConnection(host: string, port: number, events: ConnectionEvents): Promise<LoadConnection> {
  const parser = new AnswerParser(events);
  let socket: Socket;
  let closing = false;
  const open = async (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const created: Socket = connect({
        host,
        port,
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(64 * 1024),
          callback: (length, buffer) => {
            parser.take(buffer as Buffer, length);
            return true;
          },
        },
      });
      created.once("connect", () => resolve(created));
      created.once("error", reject);
      created.once("close", () => {
        if (closing) return;
        parser.reset();
        // The next request goes out on a new connection.
        void reopen();
      });
    });
  const reopen = async (): Promise<void> => {
    try {
      socket = await open();
      socket.on("error", () => undefined);
    } finally {
      events.broken();
    }
  };
  socket = await open();
  socket.on("error", () => undefined);
  return {
    send: (request) => socket.write(request),
    close: () => {
      closing = true;
      socket.destroy();
    },
  };
}

/** Finds the end of each response. Only one is in progress at a time, so nothing follows the end. */
class AnswerParser {
  readonly #events: ConnectionEvents;
  #head = Buffer.alloc(0);
  #text = "";
  #tail = Buffer.alloc(0);
  #status = 0;
  #wanted = -1;
  #got = 0;

  constructor(events: ConnectionEvents) {
    this.#events = events;
  }

  reset(): void {
    this.#head = Buffer.alloc(0);
    this.#status = 0;
  }

  take(buffer: Buffer, length: number): void {
    let chunk = buffer.subarray(0, length);
    if (this.#status === 0) {
      if (this.#head.length > 0) chunk = Buffer.concat([this.#head, chunk]);
      const end = chunk.indexOf(headEnd);
      if (end < 0) {
        this.#head = Buffer.from(chunk);
        return;
      }
      this.#readHead(chunk, end);
      chunk = chunk.subarray(end + 4);
    }
    this.#got += chunk.length;
    if (this.#wanted >= 0 ? this.#got >= this.#wanted : this.#endsChunked(chunk)) this.#finish();
  }

  #readHead(chunk: Buffer, end: number): void {
    const head = chunk.toString("latin1", 0, end);
    this.#head = Buffer.alloc(0);
    this.#text = head;
    this.#status = Number(head.slice(9, 12));
    if (this.#status >= 300) this.#events.failed(chunk.toString());
    const match = /\r\ncontent-length: *(\d+)/i.exec(head);
    this.#wanted = match ? Number(match[1]) : /\r\ntransfer-encoding: *chunked/i.test(head) ? -1 : 0;
    this.#got = 0;
    this.#tail = Buffer.alloc(0);
  }

  #endsChunked(chunk: Buffer): boolean {
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-5)]).subarray(-5);
    return this.#tail.equals(lastChunk);
  }

  #finish(): void {
    const status = this.#status;
    this.#status = 0;
    this.#events.answered(status, this.#got, this.#text);
  }
}
