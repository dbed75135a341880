/** Each process limits its own exports. The one that is scraped reports the sum. */
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { makeDatabaseUrl } from "../../test/support/engines.ts";
import { startServer, type RunningServer } from "../../test/support/server.ts";

/** Maximum for one token in one process. More are open only where several processes answer. */
const MOST = 8;
const SOON = { timeout: 60_000 };

async function start(): Promise<RunningServer> {
  const database = await makeDatabaseUrl("postgres");
  const server = await startServer({ database, args: ["--processes", "2", "--metrics-open"] });
  await expect.poll(() => numberIn(server, "processes"), SOON).toBe(2);
  return server;
}

async function numberIn({ url }: RunningServer, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^tessera_${name} (\\d+)$`, "m").exec(text)?.[1]);
}

/** Asks for an export on a connection of its own, and reads no more than the status. */
async function ask({ url, token }: RunningServer): Promise<{ socket: Socket; status: number }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  const lines = ["GET /v1/audit?ns=* HTTP/1.1", "Host: localhost", "Accept: application/x-ndjson"];
  socket.write([...lines, `Authorization: Bearer ${token}`, "", ""].join("\r\n"));
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.once("readable", () => resolve(String(socket.read(12))));
  return { socket, status: Number((await promise).slice(9)) };
}

/** More than the kernel takes of an answer that nobody reads. */
async function makeLongRecords({ url, token }: RunningServer): Promise<void> {
  const Rules = `${"# long\n".repeat(60_000)}key "a" { policy = "read" }`;
  const headers = { "x-service-token": token };
  for (let made = 0; made < 40; made++) {
    const body = JSON.stringify({ Name: `policy-${made}`, Rules });
    expect((await fetch(`${url}/v1/acl/policy`, { method: "PUT", headers, body })).status).toBe(200);
  }
}

it("exports that are open in any of two processes are one number, whichever is asked", async () => {
  const server = await start();
  onTestFinished(() => server.kill());
  await makeLongRecords(server);
  const open: Socket[] = [];
  for (let asked = 0; open.length <= MOST && asked < 200; asked++) {
    const { socket, status } = await ask(server);
    if (status === 200) open.push(socket);
  }
  expect(open.length).toBe(MOST + 1);
  for (let scrape = 0; scrape < 4; scrape++) expect(await numberIn(server, "open_exports")).toBe(MOST + 1);
  for (const socket of open) socket.destroy();
  await expect.poll(() => numberIn(server, "open_exports"), SOON).toBe(0);
});
