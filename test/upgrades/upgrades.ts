/** The upgrade of a database that an older version left, as an operator does it: by starting the new version on it. */
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { bootstrapTokens } from "../../src/acl/tokens/bootstrap.ts";
import { buildApp } from "../../src/app.ts";
import { openForTest } from "../support/storage.ts";
import { MIGRATIONS } from "../../src/storage/migrations/migrate.ts";
import { finishUpgrade } from "../../src/storage/postgres/finish-upgrade.ts";
import { prove, PROVEN_TABLES } from "../../src/storage/proofs/proofs.ts";
import { temporaryDirectory, type Engine } from "../support/engines.ts";
import { walked } from "../support/groups.ts";
import { signToken } from "../support/key-server.ts";
import { freshWholeDatabaseUrl } from "../support/postgres-schema.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { ask, callerOf, methodKey } from "./caller.ts";
import { readFixture, restore, type Fixture } from "./fixture.ts";
import { stored } from "./read-back.ts";
import { query, rowsOf, schemaOf } from "./state.ts";

/** Tables whose rows are removed when they expire, and the table of who removes them. */
const EXPIRING = [
  "idempotency_keys",
  "used_login_states",
  "leases",
  "changes",
  "change_floors",
  "tag_jobs",
  "tag_imports",
  "tag_import_records",
  "audit_records",
  "audit_heads",
  "token_uses",
  "token_secrets",
  "token_revocations",
  "use_rows",
  "use_gaps",
  "tag_coverage_days",
  "use_servers",
];

/** Databases whose last migration has another name now. */
const RENAMED = ["left-by-1bdcf18", "left-by-8d620e6", "left-by-d46a327", "left-by-ee22278"];

const [FIRST = "", ...LATER] = MIGRATIONS.map(({ name }) => name);
/** Versions between the first and the last that `npm test` starts from. */
const WALKED = 5;

/** Runs the cases for every migration. */
export function describeUpgrades(engine: Engine): void {
  describe.each([FIRST, ...walked([...RENAMED, ...LATER.slice(0, -1)], WALKED), ...LATER.slice(-1)])(
    `a database as %s left it, on ${engine}`,
    (migration) => {
      test("is upgraded with all that was in it, and a second start changes nothing", async () => {
        const fixture = readFixture(engine, migration);
        const { database, dataDir } = await restore(engine, fixture);
        const applied = await query(database, "select name from schema_migrations order by name");
        if (!RENAMED.includes(migration)) expect(applied.map(({ name }) => name)).toEqual(upTo(migration));
        await upgrade(engine, database, dataDir, fixture);
        const before = await rowsOf(database, EXPIRING);
        const url = await startHere(database, dataDir);
        expect(await rowsOf(database, EXPIRING)).toEqual(before);
        await expectUsable(url, migration);
        await expectProven(database);
        expect(await schemaOf(database)).toEqual(await freshSchema(engine));
      });
    },
  );
}

function upTo(migration: string): string[] {
  const names = MIGRATIONS.map(({ name }) => name).toSorted();
  return names.filter((name) => name <= migration);
}

/** Starts this version for the first time, and finishes the upgrade. */
async function upgrade(engine: Engine, database: string, dataDir: string, fixture: Fixture): Promise<void> {
  if (needsFinishBefore(engine, await appliedTo(database))) await finishUpgrade(database);
  const server = await startServer({ database, dataDir });
  // This version finishes the deletions of the older one.
  await expect.poll(() => leftOf(database), { timeout: 20_000, interval: 50 }).toBe(0);
  await expectSame(server, fixture);
  expect(server.stdout + server.stderr).not.toMatch(/damage|"level":(?:50|60)/);
  expect(await server.stop()).toBe(0);
  if (engine === "postgres") await finishUpgrade(database);
}

/** A start without a process of its own, which takes most of the time of one. @returns the server's URL */
async function startHere(database: string, dataDir: string): Promise<string> {
  const db = await openForTest(database, { dataDir });
  await bootstrapTokens(db, { dataDir, mode: "auto", initialManagementToken: undefined }, new Date().toISOString());
  const listen = { host: "127.0.0.1", port: 0 };
  const config = { listen, publicUrl: undefined, trustedProxies: [], allowedHosts: [], accessLog: false };
  const app = buildApp({ config, db, logger: pino({ level: "error" }) });
  onTestFinished(() => app.close());
  return app.listen(listen);
}

/** On PostgreSQL a start goes no further than to what an older program would miss. */
function needsFinishBefore(engine: Engine, applied: readonly string[]): boolean {
  const pending = MIGRATIONS.filter(({ name }) => !applied.includes(name));
  const contract = pending.findIndex(({ phase }) => phase === "contract");
  return engine === "postgres" && contract !== -1 && pending.slice(contract).some(({ phase }) => phase !== "contract");
}

async function appliedTo(database: string): Promise<string[]> {
  return (await query(database, "select name from schema_migrations")).map(({ name }) => String(name));
}

/** Notes of deletions that are still there. */
async function leftOf(database: string): Promise<number> {
  const [row] = await query(
    database,
    `select (select count(*) from purges) + (select count(*) from deleted_methods)
       + (select count(*) from namespaces where deleted_at <> '') as count`,
  );
  return Number(row?.["count"]);
}

/** This version may answer more than the older one did, and nothing else. */
async function expectSame(server: RunningServer, { answers }: Fixture): Promise<void> {
  expect(answers.length).toBeGreaterThan(5);
  const told = await Promise.all(
    answers.map((each) => ask(server.url, each.method, byName(each.path), each.asked, each.token)),
  );
  for (const [number, { method, path, token, status, body }] of answers.entries()) {
    const now = { ...told[number], body: stored(told[number]?.body) };
    expect(now, `${method} ${path} by ${token}`).toMatchObject({ status, body: stored(body) as object });
  }
}

/** Projects that nobody sorts come newest first today; before, they came by name, and nobody asked for that. */
function byName(path: string): string {
  if (path.includes("sort=name")) return path;
  return path.replace(/\/projects(?:$|\?)/, (end) => `/projects?sort=name${end.endsWith("?") ? "&" : ""}`);
}

/** New things are written beside the old ones, and what was sealed then is opened now. */
async function expectUsable(url: string, migration: string): Promise<void> {
  const call = callerOf(url);
  const tags = {
    data: [
      { type: "tags", attributes: { name: "env:prod" } },
      { type: "tags", attributes: { name: "new" } },
    ],
  };
  const workspaces = await call("GET", "/api/v2/organizations/acme/workspaces?search[name]=tools");
  await call("POST", `/api/v2/workspaces/${workspaces.data[0].id}/relationships/tags`, tags);
  const found = await call("GET", "/api/v2/organizations/acme/workspaces?search[tags]=env:prod");
  expect(found.data.map((each: { attributes: { name: string } }) => each.attributes.name)).toEqual([
    "Batch",
    "tools",
    "web",
  ]);
  const { ID } = await call("PUT", "/v1/acl/policy", { Name: "after", Rules: 'acl = "read"' });
  const { SecretID } = await call("PUT", "/v1/acl/token", { Policies: [{ ID }] });
  expect((await call("GET", "/v1/acl/policies", undefined, SecretID as string)).length).toBeGreaterThan(1);
  if (migration < "0005") return;
  const claims = { sub: "later", team: "one", name: "eve", groups: [], exp: Math.floor(Date.now() / 1000) + 60 };
  const login = { AuthMethod: "local", BearerToken: signToken(methodKey(), claims) };
  expect(await call("POST", "/v1/acl/login?ns=team-1", login, "")).toMatchObject({
    Namespace: "team-1",
    ServiceIdentities: [{ ServiceName: "s-eve" }],
  });
}

async function expectProven(database: string): Promise<void> {
  for (const table of PROVEN_TABLES) {
    const rows = (await query(database, `select * from ${table}`)).map(withNumbers);
    expect(rows.map((row) => row["proof"])).toEqual(rows.map((row) => prove(table, row as never).proof));
  }
}

/** The client of the tests may give large integers as text. */
function withNumbers(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isNumber = (name: string) => /_index$|_count$|_weight$|^is_|^has_|^disable_|^expires_at$/.test(name);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      isNumber(name) && typeof value === "string" ? Number(value) : value,
    ]),
  );
}

let fresh: Promise<unknown> | undefined;

/** The schema that this version makes on an empty database. */
async function freshSchema(engine: Engine): Promise<unknown> {
  fresh ??= (async () => {
    const database = engine === "sqlite" ? `sqlite:${temporaryDirectory()}/tessera.db` : await freshWholeDatabaseUrl();
    const server = await startServer({ database });
    await server.stop();
    return schemaOf(database);
  })();
  return fresh;
}
