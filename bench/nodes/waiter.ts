/** Connection that sends one request at a time and reports when its response begins. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Target } from "../seed.ts";

/** Response, with the times of its request and of its first byte by the monotonic clock, in milliseconds. */
export interface TimedAnswer {
  readonly sent: number;
  readonly began: number;
  readonly status: number;
  /** `X-Consul-Index`; NaN without one. */
  readonly index: number;
}

/** Raw sockets: `fetch` would add its own time to a hundred waiters. Answers must say their length. */
export class Waiter {
  readonly #socket: Socket;
  readonly #head: string;
  #text = "";
  #began = 0;
  #answered: ((head: string) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: Socket, { url, token }: Target) {
    this.#socket = socket;
    this.#head = `Host: ${new URL(url).host}\r\nX-Consul-Token: ${token}\r\n`;
    socket.setNoDelay(true);
    socket.setEncoding("latin1").on("data", (text: string) => this.#take(text));
    socket.on("error", (error) => this.#failed?.(error));
    socket.on("close", () => this.#failed?.(new Error("the node closed a connection")));
  }

  static async open(target: Target): Promise<Waiter> {
    const { hostname, port } = new URL(target.url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new Waiter(socket, target);
  }

  /** @throws when the connection breaks */
  async ask(method: string, path: string, body?: string): Promise<TimedAnswer> {
    const content = body === undefined ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    this.#began = 0;
    const arrival = new Promise<string>((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
    });
    const sent = performance.now();
    this.#socket.write(`${method} ${path} HTTP/1.1\r\n${this.#head}${content}\r\n${body ?? ""}`);
    const head = await arrival;
    const index = Number(/\r\nx-consul-index: *(\d+)/i.exec(head)?.[1] ?? NaN);
    return { sent, began: this.#began, status: Number(head.slice(9, 12)), index };
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #take(text: string): void {
    if (this.#began === 0) this.#began = performance.now();
    this.#text += text;
    const end = this.#text.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.#text.slice(0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#text.length < end + 4 + length) return;
    this.#text = "";
    this.#answered?.(head);
  }
}
