/** A DNS server of a test: it knows some names, and is silent about others. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

export interface NameServer {
  /** As `--name-servers` takes it. */
  address: string;
  /** Names that were asked for, as often as they were. */
  asked: string[];
  close(): void;
}

/**
 * Starts one on a free port of 127.0.0.1. Names that begin with `hung` are never answered, nor is what `isSilent` says.
 *
 * @param known addresses by name; others do not exist
 */
export async function startNameServer(
  known: ReadonlyMap<string, string>,
  isSilent: (name: string, type: number) => boolean = () => false,
): Promise<NameServer> {
  const socket: Socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    if (name.startsWith("hung") || isSilent(name, type)) return;
    socket.send(answerTo(query.subarray(0, end), type, known.get(name)), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() };
}

const HEADER = 12;
/** The type of IPv4 addresses. */
const A = 1;
const NO_SUCH_NAME = 3;

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** @param asked header and question */
function answerTo(asked: Buffer, type: number, address: string | undefined): Buffer {
  const header = Buffer.from(asked);
  const hasAnswer = address !== undefined && type === A;
  // An answer, recursion available.
  header.writeUInt16BE(0x8180 | (address === undefined ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(hasAnswer ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  if (!hasAnswer) return header;
  const record = Buffer.from([0xc0, HEADER, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split(".").map(Number)]);
  return Buffer.concat([header, record]);
}
