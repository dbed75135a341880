/**
 * A parser of Node's on a connection, which reads what it is handed and nothing else. Only documented parts are used: the HTTP server
 * listens to the data and the end of a socket that it is given, and a listener of data beside its own has it read nothing else.
 */
import type { Socket } from "node:net";

/** Node's reading of a connection. */
export interface NodesReading {
  /** Has Node read bytes. */
  data(bytes: Buffer): void;
  /** Tells Node that the client sends nothing more. */
  end(): void;
  /** Lets Node listen by itself from now on. */
  giveBack(): void;
}

type Listener = (this: Socket, ...given: unknown[]) => void;

/**
 * @param attach has Node listen to the socket, to which nobody else listens that takes its data
 * @returns undefined where Node listens in another way; the connection is Node's then
 */
export function readByNode(socket: Socket, attach: () => void): NodesReading | undefined {
  const before = { data: socket.listeners("data"), end: socket.listeners("end") };
  attach();
  const data = added(socket, "data", before.data);
  const end = added(socket, "end", before.end);
  if (data === undefined || end === undefined) return undefined;
  socket.off("data", data);
  socket.off("end", end);
  return {
    data: (bytes) => data.call(socket, bytes),
    end: () => end.call(socket),
    giveBack() {
      socket.on("data", data);
      socket.on("end", end);
    },
  };
}

/** The one listener that was added. */
function added(socket: Socket, event: "data" | "end", before: readonly unknown[]): Listener | undefined {
  const found = socket.listeners(event).filter((each) => !before.includes(each));
  return found.length === 1 ? (found[0] as Listener) : undefined;
}
