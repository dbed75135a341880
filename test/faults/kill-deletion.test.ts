/** A server that dies while it deletes a namespace goes on when it is back, and leaves nothing. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Scope } from "../../src/rights/scope.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { countsIn, NO_ROWS } from "../support/deletion.ts";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { bearer } from "../support/login.ts";
import { contentOf, KEY, METHOD } from "../support/scopes.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const GONE = { partition: "default", namespace: "gone" };
const STAYS = { partition: "default", namespace: "stays" };
/** Made by requests, so that their secrets are known. */
const REAL = 20;
/** As many as take a while to remove, several times over. */
const ROWS: Record<Engine, number> = sized({ sqlite: 6000, postgres: 3000 }, { sqlite: 12_000, postgres: 6000 });
const SLICE = 250;
const KILLS = sized(1, 3);
/** Rows in the namespace besides tokens. */
const REST = { binding_rules: 1, auth_methods: 1, roles: 1, policies: 1 };

interface Place {
  database: string;
  dataDir: string;
}

async function send(server: RunningServer, method: string, path: string, token: string, body?: object) {
  const answer = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: { "x-consul-token": token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

async function made(
  server: RunningServer,
  path: string,
  body: object = {},
  method = "PUT",
): Promise<Record<string, string>> {
  const { status, text } = await send(server, method, path, server.token, body);
  expect(status, text).toBe(200);
  return JSON.parse(text) as Record<string, string>;
}

/** Looks into the database while no server has it open. */
async function withDatabase<T>({ database, dataDir }: Place, work: (db: Database) => Promise<T>): Promise<T> {
  const fail = (error: Error): never => {
    throw error;
  };
  const db = await openDatabase({ url: database, dataDir, onFatal: fail, onWarning: () => undefined });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Gives a namespace thousands of tokens; nobody knows their secrets. */
async function addTokens(db: Database, { partition, namespace }: Scope, count: number): Promise<void> {
  const rows = db.sql.selectFrom("tokens").selectAll().where("namespace", "=", namespace);
  const row = await rows.limit(1).executeTakeFirstOrThrow();
  for (let slice = 0; slice < count; slice += SLICE) {
    const copies = Array.from({ length: SLICE }, (_, at) => ({
      ...row,
      accessor_id: crypto.randomUUID(),
      secret_lookup: `${namespace}-${slice + at}`,
    }));
    await db.inTransaction({ kind: "partition", name: partition }, (tx) =>
      Promise.resolve(tx.write(tx.sql.insertInto("tokens").values(copies))),
    );
  }
}

/** One of the numbers that `/metrics` shows. */
async function metric(server: RunningServer, name: string): Promise<number> {
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.token}` } });
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(await answer.text())?.[1]);
}

async function prepare(place: Place, rows: number): Promise<string[]> {
  const server = await startServer(place);
  const secrets: string[] = [];
  for (const { namespace } of [GONE, STAYS]) {
    await made(server, "/namespace", { Name: namespace });
    const scope = `?ns=${namespace}`;
    await made(server, `/acl/role${scope}`, { Name: "r", Policies: [{ Name: "namespace-management" }] });
    await made(server, `/acl/auth-method${scope}`, contentOf("auth-method", { Name: METHOD }));
    const rule = { BindType: "role", BindName: "r" };
    await made(server, `/acl/binding-rule${scope}`, contentOf("binding-rule", rule));
    const credential = { AuthMethod: METHOD, BearerToken: bearer(KEY) };
    for (let number = 0; number < REAL; number++) {
      // Half of them by logins.
      const { SecretID = "" } =
        number % 2 === 0
          ? await made(server, `/acl/token${scope}`, { Roles: [{ Name: "r" }] })
          : await made(server, `/acl/login${scope}`, credential, "POST");
      if (namespace === GONE.namespace) secrets.push(SecretID);
    }
  }
  expect(await server.stop()).toBe(0);
  await withDatabase(place, async (db) => {
    await addTokens(db, GONE, rows);
    await addTokens(db, STAYS, SLICE);
  });
  return secrets;
}

test.each<Engine>(["sqlite", "postgres"])(
  "kill -9 in the middle of a deletion, again and again: it comes to its end and leaves nothing (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const place = { database, dataDir };
    const secrets = await prepare(place, ROWS[engine]);
    const counts = async (scope: Scope) => withDatabase(place, async (db) => countsIn(db, scope));
    const [whole, others] = [await counts(GONE), await counts(STAYS)];
    let last = REAL + ROWS[engine];
    expect(whole).toMatchObject({ tokens: last, ...REST });

    let [server, mark] = [await startServer(place), ""];
    expect(await send(server, "GET", "/acl/token/self", secrets[0] ?? "")).toMatchObject({ status: 200 });
    expect(await send(server, "DELETE", "/namespace/gone", server.token)).toEqual({ status: 200, text: "" });
    for (let kill = 0; kill < KILLS; kill++) {
      // All at once, since the work goes on meanwhile.
      const [shown, written, used] = await Promise.all([
        send(server, "GET", "/namespace/gone", server.token),
        send(server, "PUT", "/acl/token?ns=gone", server.token, {}),
        send(server, "GET", "/acl/token/self", secrets[kill] ?? ""),
      ]);
      const { DeletedAt } = JSON.parse(shown.text) as { DeletedAt: string };
      expect(DeletedAt).toBe(mark === "" ? DeletedAt : mark);
      mark = DeletedAt;
      expect(written.status).toBe(409);
      expect(used).toEqual({ status: 403, text: "ACL not found" });
      // On PostgreSQL it begins when the lease of the server that died has run out.
      while ((await metric(server, "tessera_deleted_rows")) === 0) await sleep(1);
      await server.kill({ keepData: true });
      const left = await counts(GONE);
      expect(left["tokens"]).toBeGreaterThan(0);
      expect(left["tokens"]).toBeLessThan(last);
      // Rows that decide what tokens may do stay for as long as there are tokens.
      expect(left).toMatchObject(REST);
      last = left["tokens"] ?? 0;
      server = await startServer(place);
    }
    const status = async () => (await send(server, "GET", "/namespace/gone", server.token)).status;
    await expect.poll(status, { timeout: 60_000, interval: 20 }).toBe(404);
    await expect.poll(() => metric(server, "tessera_deletions_pending")).toBe(0);
    // The namespace, and its auth method, which has made nothing elsewhere.
    expect(await metric(server, "tessera_deletions_finished")).toBe(2);
    const rows = last + Object.keys(REST).length;
    expect(await metric(server, "tessera_deleted_rows")).toBe(rows);
    const told = () => server.stdout.split("\n").filter((line) => line.includes('"a namespace was deleted"'));
    await expect.poll(() => told().map((line) => JSON.parse(line) as object)).toMatchObject([{ ...GONE, rows }]);

    await made(server, "/namespace", { Name: "gone" });
    for (const secret of secrets) {
      expect((await send(server, "GET", "/acl/token/self", secret)).text).toBe("ACL not found");
    }
    expect(await server.stop()).toBe(0);
    expect(await counts(GONE)).toEqual({ ...NO_ROWS, policies: 1, table_indexes: 2 });
    expect(await counts(STAYS)).toEqual(others);
  },
);
