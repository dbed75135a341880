/** Incident 68: work ends with its caller, on every route that takes turns. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { bearer, makeMethod } from "../support/login.ts";
import { KEY } from "../support/scopes.ts";
import { MANAGEMENT, useV1 } from "../support/v1.ts";
import { makeVictim } from "../wall/attackers.ts";
import { attacksOn, mediaTypeOf, type Attack } from "../wall/requests.ts";
import { dropAt, spendTurns, TURNS } from "./drops.ts";

/** As many as make sure that reading, compiling and looking through them pauses. */
const RULES = Array.from({ length: 100 }, (_, n) => `key "k${n}" { policy = "read" }`).join("\n");
/** More pauses of one request are of the same kind. */
const MOST = 60;
/** Branches of one request that go on beside each other at most, each of which comes to a pause of its own. */
const BRANCHES = 10;

/** Routes among those that are known to pause by themselves, where what they are asked is worth it. */
const TAKING_TURNS = [
  "POST /v1/acl/policy/check",
  "POST /v1/acl/auth-method/check",
  "POST /v1/acl/login",
  "POST /v1/acl/login/explain",
  "POST /v1/acl/explain",
  "POST /v1/acl/effect",
  "POST /v1/acl/policy/{id}/tighten",
  "POST /v1/acl/role/{id}/tighten",
  "POST /v1/acl/replay",
  "PUT /v1/acl/policy",
  "PUT /v1/acl/policy/{id}",
  "PATCH /v1/acl/policy/{id}",
  "PUT /v1/acl/auth-method",
  "PUT /v1/acl/binding-rule",
  "GET /v1/acl/overview",
  "GET /v1/audit",
  "GET /api/v2/organizations",
  "GET /api/v2/organizations/{organization_name}/tags/alike",
  "GET /api/v2/organizations/{organization_name}/tags/export",
  "GET /api/v2/organizations/{organization_name}/tag-policy/report",
  "GET /api/v2/organizations/{organization_name}/tag-policy/keys",
  "GET /api/v2/organizations/{organization_name}/tag-policy/projects",
  "POST /api/v2/organizations/{organization_name}/tag-policy/check",
  "POST /api/v2/organizations/{organization_name}/tag-imports",
  "POST /api/v2/organizations/{organization_name}/tag-jobs",
];

/** Work that waits for a share of a turn without a place, by file, with its bound. */
const WITHOUT_A_PLACE = {
  "src/events/service.ts": "one event of a stream, of which the pool of waits has so many",
  "src/tags/changes/stream.ts": "one page of a stream, of which the pool of waits has so many",
  "src/turns.ts": "the seam itself, which has taken a place before",
  "src/watch/watches.ts": "wakes one who waits, of whom the pool of waits has so many",
};

/** Files that declare work bounded, so that it needs no place: `turns.test.ts` holds the first, `recorded.test.ts` the second. */
const BOUNDS = {
  "src/limits/owned-lane.ts": "a lane, of which a token and a group have so many places",
  "src/storage/writes/recorded.ts":
    "a writer's turn, of which a counter has one at a time, and the pool of writes so many",
};

/** Work that is done on nobody's share, and so without a place. */
const ON_NO_SHARE = {
  "src/acl/declarations/elsewhere.ts": "read once for all who ask, at most once at a time",
  "src/callers.ts": "makes it",
  "src/storage/sqlite/reading-thread.ts": "a thread, whose work has its place in the one that asked",
  "src/storage/writes/recorded.ts": "begins a transaction; its work is done for who asked",
  "src/tags/changes/pages.ts": "one page that all streams of an organization share",
};

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let attacks: Attack[];

  beforeAll(async () => {
    const prey = await makeVictim(v1);
    await makeMethod(v1, KEY, { Name: "real" });
    for (let n = 0; n < 30; n++) await makeRule(`s${n}`, n % 3);
    const { first } = attacksOn(prey);
    const deletes = ({ method, route }: Attack) => method === "DELETE" || route.endsWith("/safe-delete");
    // Streams of changes go on for as long as their clients do.
    const inDefault = first.filter(({ url, route }) => !url.includes("=") && !route.endsWith("/events"));
    attacks = [...inDefault.filter((each) => !deletes(each)), ...logins(), ...inDefault.filter(deletes)].map(grown);
  });

  test("ends at the next pause, and nothing is written, or comes to its end", async () => {
    spendTurns();
    const pausing = new Set<string>();
    const wrong: string[] = [];
    for (const attack of attacks) {
      // Compiled rules are cached: without a new rule, a login has nothing to pause in.
      const isLogin = attack.route.endsWith("/login");
      // Results from a thread reach their next pause in their own time.
      const isElsewhere =
        (attack.method === "GET" || attack.route.endsWith("/tag-policy/check")) && TAKING_TURNS.includes(attack.route);
      const longestMs = isLogin ? 2000 : isElsewhere ? 500 : 0;
      if (isLogin) await makeRule("another", 0);
      let at = 0;
      for (; at < MOST; at++) {
        const before = await commitsWhenStill();
        const { answer, later, looks, outcome } = await dropAt(v1, at, requestOf(attack), longestMs);
        if (answer !== undefined) break;
        const written = (await commits()) - before;
        const wasBegun = later.includes(false);
        const name = `${attack.route}, dropped at look ${at} of ${looks}: ${outcome}, ${later.join()}`;
        if (later.length > 0) pausing.add(attack.route);
        // Parts of a file that were received are removed where nobody goes on with them.
        const isInParts = attack.route.endsWith("/tag-imports");
        if (wasBegun ? outcome === "gone" && !isInParts : written > 0 && outcome === "gone" && !isInParts)
          wrong.push(`${name}, ${written} written, at last ${await lastRecord()}`);
        if (!wasBegun && later.length > BRANCHES) wrong.push(name);
      }
    }
    expect(wrong).toEqual([]);
    expect([...pausing]).toEqual(expect.arrayContaining([...TAKING_TURNS]));
    // All that write look before they begin.
    const writing = attacks.filter(
      ({ method, route }) => /PUT|PATCH|DELETE/.test(method) && !route.endsWith("/bootstrap"),
    );
    expect(writing.filter(({ route }) => !pausing.has(route)).length).toBeLessThan(writing.length / 5);
  });

  async function makeRule(BindName: string, name: number): Promise<void> {
    const rule = { AuthMethod: "real", BindType: "service", BindName, Selector: `value.name == "n${name}"` };
    expect((await v1.put("/acl/binding-rule", rule)).status).toBe(200);
  }

  /** Jobs, hooks and purges of the requests before go on in the background, as late as the machine lets them. */
  async function commitsWhenStill(): Promise<number> {
    for (let last = await commits(); ;) {
      for (let turn = 0; turn < TURNS; turn++) await setImmediate();
      const now = await commits();
      if (now === last && !(await isWorkLeft())) return now;
      last = now;
    }
  }

  /** Whether removals go on behind requests that were answered; no job is done here, and no namespace removed. */
  async function isWorkLeft(): Promise<boolean> {
    const { rows } = await sql`select 1 from purges`.execute(v1.db.sql);
    return rows.length > 0;
  }

  /** Says what a commit was that nobody expected. */
  async function lastRecord(): Promise<string> {
    const { rows } = await sql`
      select action, kind, name, request_id, chain from audit_records order by at desc limit 1`.execute(v1.db.sql);
    return JSON.stringify(rows);
  }

  /** Records of refusals are written in the background. */
  async function commits(): Promise<number> {
    const { rows } = await sql<{ sum: number }>`
      select sum(value) as sum from counters where name not like ${"refusals/%"}`.execute(v1.db.sql);
    return Number(rows[0]?.sum);
  }
});

function requestOf(attack: Attack) {
  const { method, url, body, route } = attack;
  const headers = route.includes(" /v1/")
    ? { "x-service-token": route.endsWith("/login") ? "" : MANAGEMENT }
    : { authorization: `Bearer ${MANAGEMENT}`, ...(body && { "content-type": mediaTypeOf(attack) }) };
  return { method, url, headers, ...(body === undefined ? {} : { payload: JSON.stringify(body) }) };
}

/** With so much in it that it is worked on for long. */
function grown(attack: Attack): Attack {
  const { route, body } = attack;
  if (body === undefined || !/ \/v1\/acl\/policy(\/|$)/.test(route) || route.endsWith("/tighten")) return attack;
  return { ...attack, body: { ...body, Rules: RULES } };
}

/** Logins by a method that there is. */
function logins(): Attack[] {
  const BearerToken = bearer(KEY, { name: "n1" });
  const Config = { JWTValidationPubKeys: [KEY.publicKey], ClaimMappings: { name: "name" } };
  const NamespaceRules = [1, 2, 3].map((n) => ({ Selector: `value.name == "n${n}"`, BindNamespace: "some" }));
  const selected = { Selector: 'value.name == "n1"', BindType: "service", BindName: "draft" };
  return [
    { route: "POST /v1/acl/login", body: { AuthMethod: "real", BearerToken } },
    { route: "POST /v1/acl/login/explain", body: { AuthMethod: "real", BearerToken } },
    {
      route: "POST /v1/acl/login/explain",
      body: { AuthMethod: "real", Identity: { Fields: { name: "n1" } }, BindingRule: selected },
    },
    { route: "POST /v1/acl/auth-method/check", body: { Name: "ruled", Type: "jwt", Config, NamespaceRules } },
  ].map(({ route, body }) => ({ route, body, method: "POST", url: route.replace("POST ", "") }));
}

test("pauses are made in one place, where it is looked whether the client is there", () => {
  const root = resolve(import.meta.dirname, "../..");
  const files = globSync("src/**/*.ts", { cwd: root }).filter(
    (path) => !/\.test\.ts$|^src\/(cli|storage)\//.test(path),
  );
  const pausing = files.filter((path) =>
    /setImmediate.*node:timers\/promises/.test(readFileSync(join(root, path), "utf8")),
  );
  // The first waits for no work, and the last is paced by its readers and ends with the last of them.
  expect(pausing.toSorted()).toEqual(["src/http/lifecycle.ts", "src/http/v1/reads/shared-lists.ts", "src/turns.ts"]);
});

/** Source files in which something of this form is. */
function filesWith(pattern: RegExp): string[] {
  const root = resolve(import.meta.dirname, "../..");
  const files = globSync("src/**/*.ts", { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
  return files.filter((path) => pattern.test(readFileSync(join(root, path), "utf8"))).toSorted();
}

test("incident 68, incident 70: what pauses has a place, or is bounded by something that is named", () => {
  // `pause` and `run` of any turns, `pause()` and `startTurn()` take one: `turns.test.ts` holds that of each.
  expect(filesWith(/\b(?:\w+T|t)urns\.next\b|\{ [^}]*\bnext\b[^}]* \} = createTurns\(/)).toEqual(
    Object.keys(WITHOUT_A_PLACE),
  );
  expect(filesWith(/(?<!function )\benterBound\(/)).toEqual(Object.keys(BOUNDS));
  expect(
    filesWith(/\bnobodyOnShare\(|\bworkFor\(undefined,|\bisGone\b.*\bowner: undefined|\breadonly owner = undefined/),
  ).toEqual(Object.keys(ON_NO_SHARE));
});

test("turns have names by which it is seen whether they are waited for without a place", () => {
  const named = filesWith(/\bcreateTurns\(/).filter((path) => path !== "src/turns.ts");
  expect(named.length).toBeGreaterThan(5);
  expect(filesWith(/\bconst (?:\w+T|t)urns = createTurns\(/)).toEqual(named);
});
