/** Files that do not arrive as a whole, over connections. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import type { Actor } from "../../../rights/actor.ts";
import { DEFAULT_SCOPE } from "../../../rights/scope.ts";
import { type AppOptions, buildApp } from "../../../app.ts";
import { lineOf } from "../../../../test/support/imports.ts";
import { forEachEngine, temporaryDirectory } from "../../../../test/support/engines.ts";
import { ALL_RIGHTS } from "../../../../test/support/rights.ts";
import { openForTest } from "../../../../test/support/storage.ts";
import { MAX_FILE_BYTES } from "./receive.ts";

const ACTOR: Actor = {
  accessorId: "root",
  anonymous: false,
  rights: ALL_RIGHTS,
  rightsKey: "root",
  scope: DEFAULT_SCOPE,
  expiresAt: undefined,
  login: undefined,
  restsOn: [],
};

forEachEngine((_engine, makeUrl) => {
  async function open() {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    const db = await openForTest(url, { dataDir });
    const logged: unknown[] = [];
    const logger = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
    const config = {
      listen: { host: "127.0.0.1", port: 0 },
      publicUrl: undefined,
      trustedProxies: [],
      allowedHosts: [],
      accessLog: false,
    };
    const options: AppOptions = { config, db, actorForToken: () => Promise.resolve(ACTOR), logger };
    const app = buildApp(options);
    await app.listen(options.config.listen);
    onTestFinished(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    const headers = { host: "localhost", authorization: "Bearer x", "content-type": "application/vnd.api+json" };
    const data = { type: "organizations", attributes: { name: "acme", email: "a@example.com" } };
    const made = await app.inject({ method: "POST", url: "/api/v2/organizations", headers, payload: { data } });
    expect(made.statusCode).toBe(201);
    const stored = async () => {
      const count = (table: "tag_imports" | "tag_import_records" | "tag_jobs") =>
        db.sql.selectFrom(table).selectAll().execute();
      return (await Promise.all([count("tag_imports"), count("tag_import_records"), count("tag_jobs")])).map(
        (rows) => rows.length,
      );
    };
    return { port, stored, logged };
  }

  async function begin(port: number, length: string): Promise<Socket> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.on("error", () => undefined);
    socket.write(
      `POST /api/v2/organizations/acme/tag-imports HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n` +
        `Content-Type: application/x-ndjson\r\n${length}\r\n\r\n`,
    );
    return socket;
  }

  const lines = Array.from({ length: 5000 }, (_, i) => lineOf({ kind: "tag", name: `t${i}` })).join("");

  it("a file that is cut off leaves nothing behind, and no fault in the log", async () => {
    const { port, stored, logged } = await open();
    const socket = await begin(port, `Content-Length: ${lines.length + 1}`);
    socket.write(lines);
    await expect.poll(async () => (await stored())[1], { timeout: 30_000 }).toBeGreaterThan(0);
    socket.destroy();
    await expect.poll(stored, { timeout: 30_000 }).toEqual([0, 0, 0]);
    expect(logged).toEqual([]);
  });

  it("a file that is announced too long is refused before it is read, and one that becomes so as soon as it is", async () => {
    const { port, stored } = await open();
    const announced = await begin(port, `Content-Length: ${MAX_FILE_BYTES + 1}`);
    expect(String((await once(announced, "data"))[0])).toContain("HTTP/1.1 413 ");
    announced.destroy();
    const grown = await begin(port, "Transfer-Encoding: chunked");
    const chunk = Buffer.from(`100000\r\n${" ".repeat(0x100000)}\r\n`);
    const answer = once(grown, "data");
    for (let sent = 0; sent <= MAX_FILE_BYTES; sent += 0x100000) if (!grown.write(chunk)) await once(grown, "drain");
    expect(String((await answer)[0])).toContain("HTTP/1.1 413 ");
    grown.destroy();
    expect(await stored()).toEqual([0, 0, 0]);
  });
});
