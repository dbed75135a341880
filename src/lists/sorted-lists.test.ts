import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import {
  contentOf,
  idOf,
  KINDS,
  LISTS,
  makeIn,
  makeMethodIn,
  makeNamespace,
  secretIn,
} from "../../test/support/scopes.ts";
import { randomOfRun, type Random } from "../../test/support/seeded.ts";
import { sized } from "../../test/support/length.ts";
import { MANAGEMENT, useV1, type V1 } from "../../test/support/v1.ts";

type Entry = Readonly<Record<string, string | undefined>>;

const DESCRIPTIONS = [
  "",
  "",
  "zeta",
  "Alpha",
  "alpha",
  "needle here",
  "NEEDLE",
  "éa",
  "🙂 x",
  "-",
  `${"long ".repeat(40)}a`,
];
const NAMESPACES = ["default", "team-a", "team-b"];
const NEVER = 9_007_199_254_740_991;

/** Value that an entry is sorted by, as the documentation defines it. */
function valueOf(field: string, entry: Entry): string | number {
  const value = entry[field];
  if (field.endsWith("Index")) return Number(value);
  if (field === "ExpirationTime") return value === undefined ? NEVER : Date.parse(value);
  // To the millisecond, as stored.
  if (field.endsWith("Time") || field === "LastUsed") return value === undefined ? "" : new Date(value).toISOString();
  const text = value ?? "";
  const folded = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  // oxlint-disable-next-line typescript/no-misused-spread -- code points are what the database counts
  return field === "Name" ? folded : [...folded].slice(0, 64).join("");
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" || typeof b === "number") return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function keyOf(entry: Entry): string {
  return entry["Name"] === undefined ? idOf(entry) : String(valueOf("Name", entry));
}

function sorted(entries: readonly Entry[], field: string, isDescending: boolean): Entry[] {
  const inOrder = entries.toSorted(
    (a, b) =>
      compare(a["Namespace"] ?? "", b["Namespace"] ?? "") ||
      compare(valueOf(field, a), valueOf(field, b)) ||
      compare(keyOf(a), keyOf(b)),
  );
  return isDescending ? inOrder.toReversed() : inOrder;
}

const FIELDS = {
  policy: ["Name", "Description", "CreateIndex", "ModifyIndex"],
  role: ["Name", "Description", "CreateIndex", "ModifyIndex"],
  "auth-method": ["Name", "Description", "CreateIndex", "ModifyIndex"],
  "binding-rule": ["ID", "Description", "CreateIndex", "ModifyIndex"],
  token: ["AccessorID", "Description", "CreateTime", "ExpirationTime", "LastUsed", "AuthMethod"],
} as const;
const SEARCHED = {
  policy: ["Name", "Description", "ID"],
  role: ["Name", "Description", "ID"],
  "auth-method": ["Name", "Description", "Type", "DisplayName"],
  "binding-rule": ["Description", "ID", "BindName", "Selector"],
  token: ["Description", "AccessorID", "AuthMethod"],
} as const;

const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)] ?? expect.fail();

/** Walks all pages. @param between what is done after each */
async function walk(v1: V1, path: string, secret: string, between: () => Promise<void> = async () => {}) {
  const found: Entry[] = [];
  const totals: unknown[] = [];
  for (let after = ""; ;) {
    const answer = await v1.get(`${path}${after}`, secret);
    expect(answer.status, `${path}${after}: ${answer.text}`).toBe(200);
    found.push(...(answer.body as Entry[]));
    totals.push(answer.headers["x-tessera-total"]);
    const next = answer.headers["x-tessera-next"] as string | undefined;
    if (next === undefined) return { found, totals };
    after = `&after=${next}`;
    await between();
  }
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const random = randomOfRun();
  let secrets: Record<"all" | "some" | "own", string>;

  const make = (kind: (typeof KINDS)[number], namespace: string) => {
    const ends = kind === "token" && random() < 0.3 ? { ExpirationTTL: `${1 + Math.floor(random() * 20)}h` } : {};
    const content = {
      Name: v1.unique(pick(random, ["n", "Web", "needle"])),
      Description: pick(random, DESCRIPTIONS),
      ...ends,
    };
    return makeIn(v1, { namespace }, kind, contentOf(kind, content));
  };

  beforeAll(async () => {
    for (const namespace of NAMESPACES) {
      if (namespace !== "default") await makeNamespace(v1, { namespace });
      await makeMethodIn(v1, { namespace });
      for (const kind of KINDS) for (let count = 0; count < 8; count += 1) await make(kind, namespace);
    }
    const both = `namespace "team-a" { acl = "read" } namespace "default" { acl = "read" }`;
    secrets = {
      all: MANAGEMENT,
      some: await secretIn(v1, {}, both),
      own: await secretIn(v1, { namespace: "team-b" }, `acl = "read"`),
    };
  }, 60_000);

  describe.each(KINDS)("the list of each %s by pages", (kind) => {
    const list = `/acl/${LISTS[kind]}`;

    test("gives for any mix of search, order, size and rights what the whole list holds", async () => {
      for (let round = 0; round < sized(12, 200); round += 1) {
        const field = pick(random, FIELDS[kind]);
        const isDescending = random() < 0.5;
        const secret = pick(random, Object.values(secrets));
        const namespace =
          secret === secrets.own ? pick(random, ["team-b", "*"]) : pick(random, ["default", "team-a", "*"]);
        const search = pick(random, ["", "", "NeEdle", "lpha", "%", "-", "e"]);
        const limit = pick(random, [1, 2, 3, 7, 1000]);
        const whole = (await v1.get(`${list}?ns=${namespace}`, secret)).body as Entry[];
        const wanted = sorted(whole, field, isDescending).filter((entry) =>
          SEARCHED[kind].some((each) => (entry[each] ?? "").toLowerCase().includes(search.toLowerCase())),
        );
        const sort = `${isDescending ? "-" : ""}${field}`;
        const path = `${list}?ns=${namespace}&limit=${limit}&sort=${sort}&search=${encodeURIComponent(search)}`;
        const { found, totals } = await walk(v1, path, secret);
        expect({ path, found }).toEqual({ path, found: wanted });
        expect(new Set(totals)).toEqual(new Set([String(wanted.length)]));
      }
    });

    test("loses nothing that stands still, and shows nothing twice, while writes go on between pages", async () => {
      for (const field of FIELDS[kind].filter((each) => each !== "ModifyIndex" && each !== "LastUsed")) {
        const before = (await v1.get(list)).body as Entry[];
        const kept: string[] = [];
        const disturb = async () => {
          const [one, other] = [await make(kind, "default"), await make(kind, "default")];
          kept.push(idOf(one));
          await v1.delete(`/acl/${kind}/${idOf(other)}`);
        };
        const { found } = await walk(v1, `${list}?limit=3&sort=${field}`, secrets.all, disturb);
        const ids = found.map((each) => idOf(each));
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining(before.map((each) => idOf(each))));
        for (const id of kept) await v1.delete(`/acl/${kind}/${id}`);
      }
    }, 60_000);

    test("begins at a place that is asked for", async () => {
      const whole = sorted((await v1.get(list)).body as Entry[], "Description", false);
      const { found } = await walk(v1, `${list}?limit=2&sort=Description&at=N`, secrets.all);
      const rest = whole.filter((entry) => compare(valueOf("Description", entry), "n") >= 0);
      expect(found).toEqual(rest);
      const back = await walk(v1, `${list}?limit=2&sort=-Description&at=n`, secrets.all);
      expect(back.found).toEqual(
        whole.toReversed().filter((entry) => compare(valueOf("Description", entry), "n") <= 0),
      );
      // How many there are is said of the list, and not of what is left of it.
      const last = await v1.get(`${list}?limit=1000&sort=Description&at=zz`);
      expect([last.body, last.headers["x-tessera-total"]]).toEqual([expect.any(Array), String(whole.length)]);
      expect(last.body.length).toBeLessThan(whole.length);
    });

    test("incident 25: takes no parameter that it cannot serve, and no cursor that it did not give", async () => {
      const first = await v1.get(`${list}?limit=1&sort=Description`);
      const cursor = String(first.headers["x-tessera-next"]);
      const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
      for (const query of [
        "limit=0",
        "limit=1001",
        "limit=x",
        "limit=",
        "limit=5&page-size=5",
        "sort=Description",
        "at=a",
        "limit=1&sort=Rules",
        "limit=1&sort=--Description",
        "limit=1&sort=description",
        "limit=1&sort=secret_lookup",
        `limit=1&sort=${kind === "token" ? "ExpirationTime" : "CreateIndex"}&at=a`,
        "limit=1&ns=*&at=a",
        `limit=1&after=${cursor}`,
        `limit=1&sort=-Description&after=${cursor}`,
        `limit=1&sort=Description&after=${cursor}A`,
        `limit=1&sort=Description&after=${"A".repeat(20_000)}`,
        `limit=1&sort=Description&after=${forged("Description", "", 1, "x")}`,
        `limit=1&sort=Description&after=${forged("Description", "", "\0", "x")}`,
        `limit=1&sort=${kind === "token" ? "ExpirationTime" : "CreateIndex"}&after=${forged(kind === "token" ? "ExpirationTime" : "CreateIndex", "", 1e300, "x")}`,
        `limit=1&sort=Description&after=${forged({})}`,
      ]) {
        const answer = await v1.get(`${list}?${query}`);
        expect({ query, status: answer.status }).toEqual({ query, status: 400 });
      }
    });

    test("finds by the beginning of an ID what the caller may see, and counts it", async () => {
      if (kind === "auth-method") {
        // Its ID is nobody's to know.
        expect((await v1.get(`${list}?limit=1&id-prefix=0000`)).status).toBe(400);
        return;
      }
      const whole = (await v1.get(`${list}?ns=*`)).body as Entry[];
      for (const of of whole.slice(0, 10)) {
        const id = idOf(of);
        for (const prefix of [id, id.slice(0, 4).toUpperCase(), id.slice(0, 19)]) {
          const wanted = whole.filter((entry) => idOf(entry).startsWith(prefix.toLowerCase()));
          const { found } = await walk(v1, `${list}?ns=*&limit=2&id-prefix=${prefix}`, secrets.all);
          expect(found.map(idOf).toSorted()).toEqual(wanted.map(idOf).toSorted());
          const { headers } = await v1.get(`${list}?ns=*&limit=1&id-prefix=${prefix}`);
          expect(headers["x-tessera-total"]).toBe(String(wanted.length));
        }
        const seen = (await v1.get(`${list}?ns=*&limit=1000&id-prefix=${id}`, secrets.own)).body as Entry[];
        const all = (await v1.get(`${list}?ns=*`, secrets.own)).body as Entry[];
        expect(seen.map(idOf)).toEqual(all.map(idOf).filter((each) => each === id));
      }
      for (const query of [
        "id-prefix=0000",
        "limit=1&id-prefix=",
        "limit=1&id-prefix=000",
        "limit=1&id-prefix=000g",
        `limit=1&id-prefix=${"0".repeat(37)}`,
      ])
        expect({ query, status: (await v1.get(`${list}?${query}`)).status }).toEqual({ query, status: 400 });
    });

    test("tells nothing to those who may not read", async () => {
      for (const query of [
        ...(kind === "auth-method" ? [] : ["limit=1&id-prefix=0000"]),
        "limit=1",
        "limit=1&sort=nonsense",
        "limit=1&after=nonsense",
        "limit=1&at=a",
      ]) {
        const refused = await v1.get(`${list}?${query}&ns=team-a`, secrets.own);
        expect({ query, status: refused.status }).toEqual({ query, status: 403 });
        expect(refused.headers).not.toHaveProperty("x-tessera-total");
      }
    });
  });
});
