import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
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
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    // A client that disconnects before a child has its connection is not a fault.
    socket.on("error", () => undefined);
    hand(socket);
  });
  const all = new Map<Child, Taker>();
  /** Children that may get more connections. The first one is the one whose last turn was longest ago. */
  const takers = new Set<Taker>();
  let lastId = 0;
  let opened: Promise<Opened> | undefined;
  let closes = false;

  /** By turns, whatever the system would choose, but not to one that is stuck while another is not. */
  function hand(socket: Socket): void {
    let chosen: Taker | undefined;
    for (const taker of takers) if (chosen === undefined || taker.sockets.size < chosen.sockets.size) chosen = taker;
    if (chosen === undefined) {
      socket.destroy();
      return;
    }
    takers.delete(chosen);
    takers.add(chosen);
    lastId += 1;
    chosen.sockets.set(lastId, socket);
    chosen.child.send({ type: "connection", id: lastId }, socket);
  }

  async function bind(): Promise<Opened> {
    try {
      server.listen(listen);
      await once(server, "listening");
      const { address, port } = server.address() as AddressInfo;
      return { type: "opened", address, port };
    } catch (error) {
      return { type: "not-opened", code: errorCode(error) };
    }
  }

  async function open(child: Child): Promise<void> {
    opened ??= bind();
    const answer = await opened;
    child.send(answer);
    if (answer.type === "not-opened") return;
    const taker = { child, sockets: new Map<number, Socket>() };
    all.set(child, taker);
    takers.add(taker);
  }

  return {
    onMessage(child, message) {
      const taker = all.get(child);
      if (message.type === "open") {
        if (!closes) void open(child);
      } else if (taker === undefined) return;
      else if (message.type === "took") {
        // The child has it under a descriptor of its own.
        taker.sockets.get(message.id)?.destroy();
        taker.sockets.delete(message.id);
      } else if (!closes) {
        // Alone; when all of them leave, whoever comes until the port is closed still has to be taken.
        takers.delete(taker);
        child.send({ type: "no-more" });
      }
    },
    forget(child) {
      const taker = all.get(child);
      if (taker === undefined) return;
      all.delete(child);
      takers.delete(taker);
      for (const socket of taker.sockets.values()) hand(socket);
    },
    async close(drainMs) {
      closes = true;
      if (!server.listening) return;
      await sleep(drainMs);
      await acceptWaiting(server);
      server.close();
      for (const { child } of takers) child.send({ type: "no-more" });
      takers.clear();
    },
  };
}
