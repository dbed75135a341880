import { Agent, request, type IncomingHttpHeaders } from "node:http";

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Details of a request besides method and path. */
export interface Details {
  readonly body?: unknown;
  /** Another token than the sender's; "" for none. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks on connections that it keeps. */
export interface Sender {
  /** @throws Error when no whole answer comes */
  send(method: string, path: string, details?: Details): Promise<Answer>;
  /** Gives what was answered. @throws Error when that is no success */
  made<T>(method: string, path: string, body?: unknown): Promise<T>;
  close(): void;
}

/** How long an answer may take: a wait of 5 s, and what a busy machine adds. */
const TIMEOUT_MS = 30_000;

/** Makes a sender with so many connections. @param token "" for none */
export function sender(url: string, token: string, connections: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send: Sender["send"] = (method, path, details = {}) => {
    const secret = details.token ?? token;
    const text = details.body === undefined ? "" : JSON.stringify(details.body);
    const headers = {
      ...(secret === "" ? {} : { authorization: `Bearer ${secret}` }),
      ...(text === ""
        ? {}
        : { "content-type": path.startsWith("/v1/") ? "application/json" : "application/vnd.api+json" }),
      "content-length": Buffer.byteLength(text),
      ...details.headers,
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(`${url}${path}`, { method, agent, headers, timeout: TIMEOUT_MS });
      outgoing.on("timeout", () => outgoing.destroy(new Error("no response before the timeout")));
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            text: Buffer.concat(chunks).toString("utf8"),
            headers: incoming.headers,
          }),
        );
      });
      outgoing.end(text);
    });
  };
  return {
    send,
    async made<T>(method: string, path: string, body?: unknown): Promise<T> {
      const { status, text } = await send(method, path, { body });
      if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
      return (text === "" ? undefined : JSON.parse(text)) as T;
    },
    close: () => agent.destroy(),
  };
}
