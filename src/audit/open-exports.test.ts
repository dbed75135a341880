/** Exports whose clients do not read hold up nobody: few are open at once. */
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";

const READERS = 300;
/** Maximum for one token. */
const MOST = 8;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  /** Asks on a connection of its own, and reads no more than the status. */
  async function ask(url: string, path: string): Promise<{ socket: Socket; status: number }> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    const lines = [`GET ${path} HTTP/1.1`, "Host: localhost", "Accept: application/x-ndjson"];
    socket.write([...lines, `Authorization: Bearer ${MANAGEMENT}`, "", ""].join("\r\n"));
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.once("readable", () => resolve(String(socket.read(12))));
    return { socket, status: Number((await promise).slice(9)) };
  }

  const open = async () => {
    const { text } = await v1.send({ method: "GET", url: "/metrics", headers: { "x-service-token": MANAGEMENT } });
    return Number(/^tessera_open_exports (\d+)/m.exec(text)?.[1]);
  };

  test("of 300 clients that do not read, 8 of one token are begun, the others are told to come later, and other requests are answered", async () => {
    const org = v1.unique("acme");
    const attributes = { name: org, email: "a@b.example" };
    await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    // More than the kernel takes of an answer that nobody reads, so that each stays open.
    const rules = `${"# long\n".repeat(60_000)}key "a" { policy = "read" }`;
    for (let made = 0; made < 40; made++) await v1.put("/acl/policy", { Name: v1.unique("p"), Rules: rules });
    const url = await v1.listen();
    const readers = await Promise.all(Array.from({ length: READERS }, () => ask(url, "/v1/audit?ns=*")));
    const count = (wanted: number) => readers.filter(({ status }) => status === wanted).length;
    expect([count(200), count(429)]).toEqual([MOST, READERS - MOST]);
    expect(await open()).toBe(MOST);
    const organization = `/api/v2/organizations/${org}/audit`;
    expect((await ask(url, organization)).status).toBe(429);
    const headers = { "x-service-token": MANAGEMENT };
    expect((await fetch(`${url}/v1/acl/token/self`, { headers })).status).toBe(200);
    for (const { socket } of readers) socket.destroy();
    await expect.poll(open).toBe(0);
    expect((await ask(url, organization)).status).toBe(200);
  });
});
