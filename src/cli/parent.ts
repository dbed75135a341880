/** The parent of the processes that share a port, as one of them sees it. */
import type { AddressInfo, Server, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Metrics, Numbers } from "../http/metrics/metrics.ts";
import { CHILD_VARIABLE, type ChildMessage, type Listening, type Opened, type ParentMessage } from "./messages.ts";

export interface Parent {
  /**
   * Takes its share of the connections from now on.
   *
   * @throws Error with the system's `code` when the parent cannot have it
   */
  listen(app: FastifyInstance): Promise<void>;
  /** Resolves when all connections have arrived that this process is given. */
  leave(): Promise<void>;
  /** This process serves. */
  listening(listening: Listening): void;
  /** This process may not start, for a reason that the parent prints; ends it. */
  refuse(message: string): Promise<never>;
  /** Gives the parent this process's numbers when it asks, and lets `/metrics` answer for all processes. */
  shareNumbers(metrics: Pick<Metrics, "numbers" | "speakForAll">): void;
  /** Calls `stop` when the parent has ended, however that came about. */
  onGone(stop: () => void): void;
}

/** Exit code of a start that was refused; the parent's own is the same. */
const REFUSED = 2;

/** A scrape must not wait for a process that is stuck. */
const OTHERS_MS = 1000;

/** Whether this process was started by a parent of ours. */
export function isChild(): boolean {
  return process.send !== undefined && process.env[CHILD_VARIABLE] !== undefined;
}

/** Takes this process's place beside its parent; the first thing that a child does. */
export function joinParent(): Parent {
  // A terminal signals all its processes: the parent decides what becomes of it.
  process.on("SIGINT", () => undefined);
  process.on("SIGHUP", () => undefined);
  let allArrived: Promise<unknown> | undefined;
  return {
    async listen(app) {
      const answer = next("opened", "not-opened");
      await tell({ type: "open" });
      const opened = (await answer) as Opened | undefined;
      if (opened?.type !== "opened") throw Object.assign(new Error("no port"), { code: opened?.code ?? "EPIPE" });
      // From now on: a parent that stops says it at once.
      allArrived = next("no-more");
      const { address, port } = opened;
      const family = address.includes(":") ? "IPv6" : "IPv4";
      await takeHandedConnections(app, { address, port, family }, (id) => void tell({ type: "took", id }));
    },
    async leave() {
      await tell({ type: "leave" });
      await allArrived;
    },
    listening: (listening) => void tell({ type: "listening", ...listening }),
    async refuse(message) {
      await tell({ type: "refused", message });
      process.exit(REFUSED);
    },
    shareNumbers,
    onGone(stop) {
      process.on("disconnect", stop);
    },
  };
}

/** The next message of these types; undefined when the parent is gone. */
function next(...types: ParentMessage["type"][]): Promise<ParentMessage | undefined> {
  return new Promise((resolve) => {
    const onMessage = (message: ParentMessage): void => {
      if (types.includes(message.type)) end(message);
    };
    const end = (message?: ParentMessage): void => {
      process.off("message", onMessage);
      resolve(message);
    };
    process.on("message", onMessage);
    process.once("disconnect", () => end());
    if (!process.connected) end();
  });
}

function shareNumbers(metrics: Pick<Metrics, "numbers" | "speakForAll">): void {
  const asked = new Map<number, (numbers: readonly Numbers[]) => void>();
  let lastId = 0;
  process.on("message", (message: ParentMessage) => {
    if (message.type === "others-numbers") asked.get(message.id)?.(message.numbers);
    else if (message.type === "tell-numbers") void tellNumbers(metrics, message.id);
  });
  metrics.speakForAll(async (own) => {
    const { promise, resolve } = Promise.withResolvers<readonly Numbers[]>();
    lastId += 1;
    const id = lastId;
    asked.set(id, resolve);
    const timer = setTimeout(resolve, OTHERS_MS, []);
    await tell({ type: "ask-others", id, numbers: own });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      asked.delete(id);
    }
  });
}

async function tellNumbers(metrics: Pick<Metrics, "numbers">, id: number): Promise<void> {
  await tell({ type: "my-numbers", id, numbers: await metrics.numbers() });
}

/** Resolves when the message is on its way, or cannot be: a parent that is gone is dealt with elsewhere. */
function tell(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}

/**
 * Lets a server answer on the connections that arrive with messages of the parent, as if it had accepted them.
 *
 * @param address where the port is
 * @param took told of each connection that has arrived, by its number
 */
async function takeHandedConnections(
  app: Pick<FastifyInstance, "server" | "connections" | "ready">,
  address: AddressInfo,
  took: (id: number) => void,
): Promise<void> {
  await app.ready();
  const { server, connections } = app;
  process.on("message", (message: ParentMessage, socket: Socket | undefined) => {
    if (message.type !== "connection") return;
    took(message.id);
    // Undefined when it was closed meanwhile.
    if (socket === undefined) return;
    // As Node does on a socket that it has accepted; its types do not know this property of a server.
    socket.allowHalfOpen = (server as Server as Server & { allowHalfOpen: boolean }).allowHalfOpen;
    server.emit("connection", socket);
  });
  actAsListening(server, connections, address);
}

/** Makes a server act and report as a listening one, which Node does not do here: the socket belongs to the parent. */
function actAsListening(server: Server, connections: ReadonlySet<Socket>, address: AddressInfo): void {
  // From here on Node watches how long requests take to arrive.
  server.emit("listening");
  server.address = () => address;
  const close = server.close.bind(server);
  server.close = (done) => {
    close(() => undefined);
    void whenClosed(connections, done);
    return server;
  };
}

async function whenClosed(connections: ReadonlySet<Socket>, done: (() => void) | undefined): Promise<void> {
  for (const socket of connections) await new Promise((resolve) => socket.once("close", resolve));
  done?.();
}
