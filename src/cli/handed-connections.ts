/** The connections of a process that shares a port with others: its parent accepts them and hands them over. */
import type { AddressInfo, Server, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ParentMessage } from "./messages.ts";

/**
 * Lets a server answer on the connections that arrive with messages of the parent, as if it had accepted them.
 *
 * @param address where the port is
 * @param took told of each connection that has arrived, by its number
 */
export async function takeHandedConnections(
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

/** What a server does and says that listens, this one has to be led to: its socket is the parent's. */
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
