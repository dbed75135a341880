/** A client of one connection for the fault tests: it says on which port it spoke, and never tries again by itself. */
import { Agent, request } from "node:http";

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  /** The client's side of the connection: with it, answers are found in a trace of the server. */
  readonly port: number;
}

export interface ApiClient {
  /** @throws Error when no whole answer came back */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  close(): void;
}

const ANSWER_TIMEOUT_MS = 20_000;

/** Makes a client with one kept connection; it connects again after the server has closed it. */
export function connectClient(url: string, token: string): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send(method, path, body) {
      const text = body === undefined ? "" : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        "content-length": Buffer.byteLength(text),
        ...(body === undefined ? {} : { "content-type": "application/vnd.api+json" }),
      };
      return new Promise((resolve, reject) => {
        const outgoing = request(`${url}${path}`, { method, agent, headers, timeout: ANSWER_TIMEOUT_MS });
        let port = 0;
        outgoing.on("socket", (socket) => {
          if (socket.connecting) socket.once("connect", () => (port = socket.localPort ?? 0));
          else port = socket.localPort ?? 0;
        });
        outgoing.on("timeout", () => outgoing.destroy(new Error("no response before the timeout")));
        outgoing.on("error", reject);
        outgoing.on("response", (incoming) => {
          let received = "";
          incoming.setEncoding("utf8");
          incoming.on("data", (chunk: string) => (received += chunk));
          incoming.on("error", reject);
          incoming.on("end", () =>
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: received, port }),
          );
        });
        outgoing.end(text);
      });
    },
    close: () => agent.destroy(),
  };
}
