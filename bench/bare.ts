/**
 * The unit of every measurement: a Node server without any framework that sends the same bytes, of head and body, as the
 * answer that it is compared with. It travels from machine to machine: what a row lacks against it is all that we do.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { writeAddressFile } from "../src/cli/address.ts";
import { readConfig } from "../src/config.ts";
import { createDurability } from "./bare-durability.ts";
import { BARE_PATH, DURABLE_PATH, type SampleAnswer } from "./load-types.ts";

/** Headers that Node sets itself. */
const BY_NODE: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

let status = 200;
let headers: string[] = [];
let body = "";

/** Takes the answer that is to be sent from now on. */
function prepare({ head, bodyBytes }: SampleAnswer): void {
  const [first = "", ...lines] = head.split("\r\n");
  status = Number(first.slice(9, 12));
  body = "x".repeat(bodyBytes);
  headers = lines.flatMap((line) => {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    return colon < 0 || BY_NODE.has(name.toLowerCase()) ? [] : [name, line.slice(colon + 1).trim()];
  });
  if (bodyBytes > 0) headers.push("Content-Length", String(bodyBytes));
}

function answer(response: ServerResponse): void {
  response.writeHead(status, headers);
  response.end(body === "" ? undefined : body);
}

const whenDurable = createDurability();
const config = readConfig(process.argv.slice(3));
const server = createServer((request, response) => {
  if (request.method === "GET") {
    answer(response);
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const sent = Buffer.concat(chunks).toString();
    if (request.url === BARE_PATH) prepare(JSON.parse(sent) as SampleAnswer);
    if (request.url === DURABLE_PATH) whenDurable(() => answer(response));
    else answer(response);
  });
});
server.listen(config.listen.port, config.listen.host, () => {
  const { address, port } = server.address() as AddressInfo;
  if (config.addressFile !== undefined) writeAddressFile(config.addressFile, `http://${address}:${port}`);
});
