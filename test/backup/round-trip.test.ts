/** A backup that was restored answers as its source did, whichever engines they are on. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { youngestMigration } from "../../src/storage/migrations/migrate.ts";
import { expectCountsTrue } from "../support/counted.ts";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { walked } from "../support/groups.ts";
import { CLIENT } from "../support/openid-login.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../support/openid-provider.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { ask, callerOf, MANAGEMENT } from "../upgrades/caller.ts";
import { readAll } from "../upgrades/read-back.ts";
import { query, schemaOf } from "../upgrades/state.ts";
import { writeHistory, type Written } from "../upgrades/write-history.ts";
import { emptyPlace, sumsOf, tessera, type Place } from "./command.ts";

const known = Number(youngestMigration().slice(0, 4));
const LISTS = ["policies", "roles", "tokens", "auth-methods", "binding-rules"].map((list) => `/v1/acl/${list}`);
const SCOPES = ["", "?ns=team-1", "?ns=*", "?ns=team-2&partition=ops"];
const WATCHED = [
  ...LISTS.flatMap((list) => SCOPES.map((scope) => list + scope)),
  "/v1/namespaces",
  "/v1/namespaces?partition=ops",
  "/v1/partitions",
];

let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider({ clients: [CLIENT] });
});
afterAll(() => provider.stop());

function start({ database, dataDir }: Place): Promise<RunningServer> {
  const args = ["--initial-management-token", MANAGEMENT, "--outbound-allow", "127.0.0.0/8"];
  return startServer({ database, dataDir, args });
}

/** Every request uses a token, and the next answer shows that use. */
function withoutUses(answers: unknown): unknown {
  return JSON.parse(JSON.stringify(answers, (name, value: unknown) => (name === "LastUsed" ? undefined : value)));
}

async function indexes(url: string): Promise<number[]> {
  return Promise.all(
    WATCHED.map(async (path) => {
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${MANAGEMENT}` } });
      return Number(answer.headers.get("x-service-index"));
    }),
  );
}

describe.each(engines)("a backup of %s, taken while its server answers", (engine: Engine) => {
  const file = join(temporaryDirectory(), `backup-${randomUUID()}`);
  let source: Place;
  let server: RunningServer;
  let written: Written;
  let answers: unknown;
  /** Indexes after the previous restore of the same backup. */
  let shown: number[] = [];

  beforeAll(async () => {
    source = await emptyPlace(engine);
    server = await start(source);
    written = await writeHistory(callerOf(server.url), known, provider);
    // Background revocations must finish before anything is compared.
    const isWaitedFor = async () => {
      const revocations = await query(source.database, "select 1 from token_revocations where finished_at = ''");
      // Use is written every three seconds.
      return revocations.length > 0 || (await query(source.database, "select 1 from use_rows limit 1")).length === 0;
    };
    while (await isWaitedFor()) await sleep(50);
    answers = await readAll(server.url, known, written);
    const methods = "select type from auth_methods group by type having count(*) > 1";
    expect(await query(source.database, methods)).toEqual([{ type: "jwt" }]);
    const told = await tessera("backup", file, ...source.where);
    expect(told).toMatchObject({
      status: 0,
      stderr: "",
      stdout: expect.stringMatching(/^Backed up \d+ rows of \d+ tables, as of /),
    });
  });
  afterAll(async () => void (await server.stop()));

  test.each(walked(engines, 1))(
    "incident 33: restored into %s answers the same, to the same tokens, and no index goes back, nor behind a restore before it",
    async (into: Engine) => {
      const target = await emptyPlace(into, source);
      // A client may have seen later indexes since the backup, also of objects that were not written before.
      await callerOf(server.url)("PUT", "/v1/acl/role?ns=team-2&partition=ops", { Name: `later-${into}` });
      const seen = (await indexes(server.url)).map((index, number) => Math.max(index, shown[number] ?? 0));
      const before = Date.now();
      const restored = await tessera("restore", file, "--with-logins", ...target.where);
      expect(restored).toMatchObject({ status: 0, stderr: "" });
      const copy = `${file}-${into}`;
      expect(await tessera("backup", copy, ...target.where)).toMatchObject({ status: 0 });
      const [one, other] = [await sumsOf(file), await sumsOf(copy)];
      const { counters, table_indexes: tableIndexes, audit_records: records, meta, ...same } = one;
      expect(other).toMatchObject(same);
      expect(other["use_rows"]?.rows).toBeGreaterThan(0);
      // The restore itself is on record, behind all others of its chain.
      expect(other["audit_records"]).toMatchObject({ rows: (records?.rows ?? 0) + 1 });
      const chain = await query(
        target.database,
        "select seq, hash, action from audit_records where chain = 'root' order by seq desc",
      );
      const [head] = await query(
        target.database,
        "select audit_seq as seq, audit_hash as hash from counters where name = 'root'",
      );
      expect(chain[0]).toMatchObject({ ...head, action: "restore" });
      // One row of `meta` is the time until which the clock was trusted: that of the restore.
      expect(other["meta"]).toMatchObject({ rows: meta?.rows });
      const trusted = await query(target.database, "select value from meta where name = 'clock-trusted'");
      expect(Number(trusted[0]?.["value"])).toBeGreaterThanOrEqual(before);
      expect(other["counters"]).toMatchObject({ rows: counters?.rows });
      expect(other["table_indexes"]?.rows).toBeGreaterThanOrEqual(tableIndexes?.rows ?? 0);
      expect(await expectCountsTrue((text) => query(target.database, text))).toBeGreaterThan(50);
      const again = await start(target);
      onTestFinished(async () => void (await again.stop()));
      expect(withoutUses(await readAll(again.url, known, written))).toEqual(withoutUses(answers));
      for (const [number, index] of (await indexes(again.url)).entries()) {
        expect(index, WATCHED[number]).toBeGreaterThan(seen[number] ?? Infinity);
      }
      if (into === engine) expect(await schemaOf(target.database)).toEqual(await schemaOf(source.database));
      await callerOf(again.url)("PUT", "/v1/acl/policy", { Name: "after", Rules: 'acl = "read"' });
      shown = await indexes(again.url);
      expect(again.stdout + again.stderr).not.toMatch(/damage|corrupt|"level":(?:50|60)/);
    },
  );

  test("leaves out the tokens of logins unless they are asked for, and says what may have come back", async () => {
    const target = await emptyPlace(engine, source);
    const { stdout, status } = await tessera("restore", file, ...target.where);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Not restored: \d+ tokens created by logins; --with-logins/m);
    expect(stdout).toMatch(/^Objects deleted after \S+Z have been restored\. .*Review these/m);
    // The counts cover only the tokens that were restored.
    await expectCountsTrue((text) => query(target.database, text));
    const again = await start(target);
    onTestFinished(async () => void (await again.stop()));
    for (const [name, secret] of Object.entries(written.secrets)) {
      const { status: answered } = await ask(again.url, "GET", "/v1/acl/token/self", undefined, secret);
      expect([name, answered]).toEqual([name, /login|disabled/.test(name) ? 403 : 200]);
    }
  });
});
