/** A client that writes bytes as they are: for requests that no HTTP library would send. */
import { once } from "node:events";
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

/** Reads the next answer of a connection as a whole, without what differs between any two. */
export async function answerOn(socket: Socket): Promise<string> {
  let text = "";
  while (!isWhole(text)) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    text += chunk.toString("latin1");
  }
  return text.replace(/x-request-id: \S+/, "x-request-id: ID").replace(/Date: [^\r]+/, "Date: NOW");
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return (
    end > 0 &&
    (length === undefined
      ? /transfer-encoding/i.test(text)
        ? text.endsWith("0\r\n\r\n")
        : true
      : text.length - end - 4 >= Number(length))
  );
}
