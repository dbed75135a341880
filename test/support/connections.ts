/** Connections to a server of one process or of several, which know the process that answers them. */
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { RunningServer } from "./server.ts";

export interface ConnectionAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One connection, which stays with its process. */
export interface Connection {
  ask(path: string, options?: AskOptions): Promise<ConnectionAnswer>;
  close(): void;
}

export interface AskOptions {
  method?: string;
  token?: string;
  body?: object;
  headers?: Record<string, string>;
}

export function connectTo({ url, token }: Pick<RunningServer, "url" | "token">): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async ask(path, { method = "GET", token: secret = token, body, headers = {} } = {}) {
      const isApi = path.startsWith("/api/");
      const type = body === undefined || !isApi ? {} : { "content-type": "application/vnd.api+json" };
      const outgoing = request(`${url}${path}`, {
        agent,
        method,
        headers: { authorization: `Bearer ${secret}`, ...type, ...headers },
      });
      outgoing.end(body && JSON.stringify(body));
      const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
      let text = "";
      for await (const chunk of incoming.setEncoding("utf8")) text += String(chunk);
      return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
    },
    close: () => agent.destroy(),
  };
}

/** A connection to each process, of which each begins the IDs of its requests with a word of its own. */
export async function connectToAll(server: RunningServer, processes: number): Promise<Connection[]> {
  const connections = new Map<string, Connection>();
  while (connections.size < processes) {
    const connection = connectTo(server);
    const { headers } = await connection.ask("/v1/acl/token/self");
    const word = String(headers["x-request-id"]).split("-")[0] ?? "";
    if (connections.has(word)) connection.close();
    else connections.set(word, connection);
  }
  return [...connections.values()];
}
