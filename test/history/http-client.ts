import { Agent, request } from "node:http";

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** `X-Consul-Index`, where there is one. */
  readonly index: number | undefined;
  /** `X-Consul-LastContact`: by how many milliseconds the answer may be behind; 0 without. */
  readonly lastContact: number;
  readonly retryAfter: boolean;
  /** Name and value of the first cookie that it sets. */
  readonly cookie?: string;
}

/** Request to send. */
export interface Ask {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  /** A SecretID; empty for none. */
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long the whole answer may take. */
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** `none`: no whole answer came. `unreached`: nobody listened, so nobody got the request. */
export type Reply = Answer | "none" | "unreached";

/** Asks one thing at a time, on connections that it keeps, and never tries again by itself. */
export interface HttpClient {
  /** @param url of the server, without a path */
  send(url: string, ask: Ask): Promise<Reply>;
  close(): void;
}

/** Makes a client. Paths below `/api/v2` are sent as JSON:API, others as JSON. */
export function createHttpClient(): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: (url, ask) => send(agent, url, ask),
    close: () => agent.destroy(),
  };
}

function send(agent: Agent, url: string, ask: Ask): Promise<Reply> {
  const { method, path, body, token, milliseconds, signal } = ask;
  const text = body === undefined ? "" : JSON.stringify(body);
  const type = path.startsWith("/api/v2/") ? "application/vnd.api+json" : "application/json";
  const headers = {
    ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
    ...ask.headers,
    "content-length": Buffer.byteLength(text),
    ...(body === undefined ? {} : { "content-type": type }),
  };
  return new Promise((resolve) => {
    const outgoing = request(`${url}${path}`, { method, agent, headers });
    const giveUp = (): void => void outgoing.destroy();
    const timer = setTimeout(giveUp, milliseconds);
    const settle = (reply: Reply): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      resolve(reply);
    };
    signal?.addEventListener("abort", giveUp);
    if (signal?.aborted === true) giveUp();
    outgoing.on("error", (error: NodeJS.ErrnoException) =>
      settle(error.code === "ECONNREFUSED" ? "unreached" : "none"),
    );
    outgoing.on("response", (incoming) => {
      let received = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => (received += chunk));
      incoming.on("error", () => settle("none"));
      incoming.on("close", () => settle("none"));
      incoming.on("end", () => {
        const index = incoming.headers["x-consul-index"];
        const lastContact = incoming.headers["x-consul-lastcontact"];
        const cookie = incoming.headers["set-cookie"]?.[0]?.split(";")[0];
        settle({
          status: incoming.statusCode ?? 0,
          text: received,
          index: typeof index === "string" ? Number(index) : undefined,
          lastContact: typeof lastContact === "string" ? Number(lastContact) : 0,
          retryAfter: incoming.headers["retry-after"] !== undefined,
          ...(cookie === undefined ? {} : { cookie }),
        });
      });
    });
    outgoing.end(text);
  });
}
