/** A client that writes bytes as they are: for requests that no HTTP library would send. */
import { connect, type Socket } from "node:net";

/** Opens a connection to the server at a `http://` URL. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  // An attacker ignores a cut connection.
  socket.on("error", () => undefined);
  return socket;
}

/** Sends bytes on a connection of their own and gives all that came back until the server closed it. */
export async function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const socket = await openSocket(url);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.write(bytes);
  await closed;
  return Buffer.concat(chunks).toString("latin1");
}
