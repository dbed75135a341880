import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../test/support/engines.ts";
import { programFile } from "../../test/support/program.ts";
import { startServer, type RunningServer } from "../../test/support/server.ts";

const MAIN = programFile();

forEachEngine((_engine, makeUrl) => {
  /** A database with what the requests made, and no server. */
  async function databaseWith(make: (server: RunningServer) => Promise<void>): Promise<string[]> {
    const dataDir = temporaryDirectory();
    const database = await makeUrl();
    const server = await startServer({ database, dataDir });
    await make(server);
    expect(await server.stop()).toBe(0);
    return ["--database", database, "--data-dir", dataDir];
  }

  async function send(server: RunningServer, method: string, path: string, body: object = {}): Promise<Response> {
    const answer = await fetch(`${server.url}/v1${path}`, {
      method,
      headers: { "x-consul-token": server.token },
      ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status, await answer.clone().text()).toBe(200);
    return answer;
  }

  /** Returns the messages of `serve --edition community`; a server that starts is ended by the timeout. */
  function refusal(place: readonly string[]) {
    const args = [MAIN, "serve", "--listen", "127.0.0.1:0", "--edition", "community", ...place];
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TESSERA_")));
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env, timeout: 60_000 });
    return { status, stderr };
  }

  /** Makes it a database of the edition, as an operator does who has stopped its server. */
  function changeEdition(place: readonly string[], edition: string): string {
    const args = [MAIN, "change-settings", "--edition", edition, ...place];
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TESSERA_")));
    return spawnSync(process.execPath, args, { encoding: "utf8", env, timeout: 60_000 }).stdout;
  }

  async function startCommunity([, database = "", , dataDir = ""]: readonly string[]): Promise<RunningServer> {
    return startServer({ database, dataDir, args: ["--edition", "community"] });
  }

  describe("--edition community", () => {
    const given = { ACLs: { PolicyDefaults: [{ Name: "global-management" }] } };
    test.each<[what: string, holds: string, make: (server: RunningServer) => Promise<unknown>]>([
      ["a namespace", 'the namespace "team"', (server) => send(server, "PUT", "/namespace", { Name: "team" })],
      ["a partition", 'the partition "unit"', (server) => send(server, "PUT", "/partition", { Name: "unit" })],
      ["defaults", 'defaults of the namespace "default"', (server) => send(server, "PUT", "/namespace/default", given)],
    ])(
      "refuses to start on a database that holds %s, in one line that names it",
      async (_what, holds, make) => {
        const place = await databaseWith(async (server) => void (await make(server)));
        expect(refusal(place)).toEqual({
          status: 2,
          stderr: `tessera: cannot start with --edition community: the database contains ${holds}. Use --edition enterprise\n`,
        });
        // It has changed nothing: the enterprise edition goes on where it was.
        const [, database = "", , dataDir = ""] = place;
        const server = await startServer({ database, dataDir });
        const names = ((await (await send(server, "GET", "/namespaces")).json()) as { Name: string }[]).map(
          (n) => n.Name,
        );
        expect(names).toContain("default");
        await server.stop();
      },
      60_000,
    );

    test("starts when the namespace that it held is gone, and what else is said of default is no obstacle", async () => {
      const place = await databaseWith(async (server) => {
        await send(server, "PUT", "/namespace", { Name: "team", ACLs: {} });
        await send(server, "PUT", "/namespace/default", { Description: "ours", Meta: { a: "b" }, ACLs: {} });
        await send(server, "PUT", "/acl/token?ns=team");
        await send(server, "DELETE", "/namespace/team");
        const gone = async () => {
          const headers = { "x-consul-token": server.token };
          return (await fetch(`${server.url}/v1/namespace/team`, { headers })).status;
        };
        await expect.poll(gone, { timeout: 60_000 }).toBe(404);
      });
      expect(refusal(place).stderr).toContain("this database, which was created with enterprise");
      expect(changeEdition(place, "community")).toBe("Changed --edition from enterprise to community\n");
      const server = await startCommunity(place);
      expect((await send(server, "GET", "/acl/token/self")).status).toBe(200);
      expect((await fetch(`${server.url}/v1/namespaces`)).status).toBe(404);
      await server.stop();
    });

    test("starts on an empty database, and what it makes is served by the enterprise edition as of default", async () => {
      const place = ["--database", await makeUrl(), "--data-dir", join(temporaryDirectory(), "data")];
      const first = await startCommunity(place);
      const made = (await (await send(first, "PUT", "/acl/policy", { Name: "p" })).json()) as { ID: string };
      await first.stop();
      changeEdition(place, "enterprise");
      const server = await startServer({ database: place[1] ?? "", dataDir: place[3] ?? "" });
      const policy = await (await send(server, "GET", `/acl/policy/${made.ID}`)).json();
      expect(policy).toMatchObject({ Name: "p", Namespace: "default", Partition: "default" });
      await server.stop();
    });
  });
});
