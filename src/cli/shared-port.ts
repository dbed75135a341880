import { once } from "node:events";
import { createServer, type AddressInfo, type Socket, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../config/given.ts";
import { acceptWaiting } from "../http/lifecycle.ts";
import type { Child } from "./child.ts";
import type { Opened, PortMessage } from "./messages.ts";

/** A port whose connections are handed to children. It is bound when the first child asks for them, and kept until `close`. */
export interface SharedPort {
  onMessage(child: Child, message: PortMessage): void;
  /** A child has ended: what was on its way to it goes to another. */
  forget(child: Child): void;
  /** After the drain time accepts what waits and nothing behind it, and tells the children that no more will come. */
  close(drainMs: number): Promise<void>;
}

/** A child that takes connections. */
interface Taker {
  child: Child;
  /** On their way to it, each under a number of its own. */
  sockets: Map<number, Socket>;
}

/** @param listen where; with port 0 the system chooses one */
export function sharePort(listen: { host: string; port: number }): SharedPort {
  return new OpenPort(listen);
}

class OpenPort implements SharedPort {
  readonly #listen: { host: string; port: number };
  readonly #server: Server;
  readonly #all = new Map<Child, Taker>();
  /** Children that may get more connections. The first one is the one whose last turn was longest ago. */
  readonly #takers = new Set<Taker>();
  #lastId = 0;
  #opened: Promise<Opened> | undefined;
  #closes = false;

  constructor(listen: { host: string; port: number }) {
    this.#listen = listen;
    this.#server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      // A client that disconnects before a child has its connection is not a fault.
      socket.on("error", () => undefined);
      this.#hand(socket);
    });
  }

  onMessage(child: Child, message: PortMessage): void {
    const taker = this.#all.get(child);
    if (message.type === "open") {
      if (!this.#closes) void this.#open(child);
    } else if (taker === undefined) return;
    else if (message.type === "took") {
      // The child has it under a descriptor of its own.
      taker.sockets.get(message.id)?.destroy();
      taker.sockets.delete(message.id);
    } else if (!this.#closes) {
      // Alone; when all of them leave, whoever comes until the port is closed still has to be taken.
      this.#takers.delete(taker);
      child.send({ type: "no-more" });
    }
  }

  forget(child: Child): void {
    const taker = this.#all.get(child);
    if (taker === undefined) return;
    this.#all.delete(child);
    this.#takers.delete(taker);
    for (const socket of taker.sockets.values()) this.#hand(socket);
  }

  async close(drainMs: number): Promise<void> {
    this.#closes = true;
    if (!this.#server.listening) return;
    await sleep(drainMs);
    await acceptWaiting(this.#server);
    this.#server.close();
    for (const { child } of this.#takers) child.send({ type: "no-more" });
    this.#takers.clear();
  }

  /** By turns, whatever the system would choose, but not to one that is stuck while another is not. */
  #hand(socket: Socket): void {
    let chosen: Taker | undefined;
    for (const taker of this.#takers)
      if (chosen === undefined || taker.sockets.size < chosen.sockets.size) chosen = taker;
    if (chosen === undefined) {
      socket.destroy();
      return;
    }
    this.#takers.delete(chosen);
    this.#takers.add(chosen);
    this.#lastId += 1;
    chosen.sockets.set(this.#lastId, socket);
    chosen.child.send({ type: "connection", id: this.#lastId }, socket);
  }

  async #bind(): Promise<Opened> {
    try {
      this.#server.listen(this.#listen);
      await once(this.#server, "listening");
      const { address, port } = this.#server.address() as AddressInfo;
      return { type: "opened", address, port };
    } catch (error) {
      return { type: "not-opened", code: errorCode(error) };
    }
  }

  async #open(child: Child): Promise<void> {
    this.#opened ??= this.#bind();
    const answer = await this.#opened;
    child.send(answer);
    if (answer.type === "not-opened") return;
    const taker = { child, sockets: new Map<number, Socket>() };
    this.#all.set(child, taker);
    this.#takers.add(taker);
  }
}
