/** Clients of a server with several threads, who know which of them they speak to. */
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { on, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Socket } from "node:net";
import { type RunningServer, startServer, type ServerOptions } from "./server.ts";

export interface ThreadAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One connection, which stays with its thread. */
export interface ThreadConnection {
  /** The word by which the thread begins the IDs of its requests. */
  thread: string;
  ask(path: string, options?: AskOptions): Promise<ThreadAnswer>;
  close(): void;
}

export interface AskOptions {
  method?: string;
  token?: string;
  body?: object;
  headers?: Record<string, string>;
}

/** Starts a server and waits until all its threads answer. */
export async function startThreads(threads: number, options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ ...options, args: ["--threads", String(threads), ...(options.args ?? [])] });
  while (!server.stdout.includes('"threads listening"')) await sleep(20);
  return server;
}

/** The word by which a thread begins the IDs of its requests. */
export function threadOf(headers: IncomingHttpHeaders): string {
  return String(headers["x-request-id"]).split("-")[0] ?? "";
}

export function connectTo({ url, token }: Pick<RunningServer, "url" | "token">): ThreadConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    thread: "",
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

/** A connection to each thread, by the name of the thread, the main one's first. The system deals connections out by chance. */
export async function connectToAll(server: RunningServer, threads: number): Promise<ThreadConnection[]> {
  const found = new Map<string, ThreadConnection>();
  // Only the main thread answers this.
  const main = await mainThreadOf(server);
  while (found.size < threads) {
    const connection = connectTo(server);
    connection.thread = threadOf((await connection.ask("/v1/acl/token/self")).headers);
    if (found.has(connection.thread)) connection.close();
    else found.set(connection.thread, connection);
  }
  return [...found.values()].toSorted((a, b) => Number(b.thread === main) - Number(a.thread === main));
}

/** Name of the main thread. */
export async function mainThreadOf({ url }: Pick<RunningServer, "url">): Promise<string> {
  // Whichever thread gets the request, the main thread answers it.
  const { headers } = await fetch(`${url}/healthz`);
  return threadOf({ "x-request-id": headers.get("x-request-id") ?? "" });
}

/** A bare connection to a thread for which this returns true. @param head what is sent to find out which it is */
export async function connectRaw(url: string, isWanted: (thread: string) => boolean, head: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.write(head);
    const text = await readAnswer(socket);
    if (isWanted(/^x-request-id: ([^-]+)-/im.exec(text)?.[1] ?? "")) return socket;
    socket.destroy();
  }
}

/** Reads one answer that tells its length. */
async function readAnswer(socket: Socket): Promise<string> {
  let text = "";
  for await (const [chunk] of on(socket, "data", { close: ["close"] }) as AsyncIterable<[Buffer]>) {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    const length = Number(/^content-length: (\d+)$/im.exec(text)?.[1] ?? Infinity);
    if (head !== -1 && text.length >= head + 4 + length) return text;
  }
  throw new Error(`no whole answer: ${text}`);
}

/** All that comes until the server ends the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => undefined);
  if (!socket.closed) await once(socket, "close").catch(() => undefined);
  return Buffer.concat(chunks).toString("latin1");
}
