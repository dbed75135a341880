/** Gathering and limits of denied requests, by clocks of the test's own. */
import { expect, test } from "vitest";
import { compileRights } from "../../../test/support/rights.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import type { RefusedLogin, RefusedQuestion } from "../../refused.ts";
import { MOST_NETWORKS, MOST_OF_ALL, MOST_OF_SOURCE } from "./budget.ts";
import { createGatherer, MOST_GROUPS } from "./gather.ts";
import type { Gathered, RequestRefusal } from "./refusal.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 24, 12);
const RIGHTS = compileRights([]);

function question(segment = "acme", access: RefusedQuestion["access"] = "read"): RefusedQuestion {
  return { kind: "rights", resource: "organization", segment, access, scope: DEFAULT_SCOPE };
}

/** A request of which nobody knows whose it is. */
const NOBODY = { actor: undefined, isRead: false };

function login(subject: string): RefusedLogin {
  return {
    kind: "login",
    scope: DEFAULT_SCOPE,
    authMethod: "method",
    subject,
    reason: "expired",
    bindingRule: undefined,
  };
}

/** A gatherer, and clocks that stand until they are moved. */
function start() {
  let [wall, ids] = [START, 0];
  const gatherer = createGatherer({ now: () => wall });
  return {
    gatherer,
    pass(milliseconds: number) {
      wall += milliseconds;
    },
    refuse(accessorId: string, refused: RequestRefusal["refused"] = question(), over: Partial<RequestRefusal> = {}) {
      ids += 1;
      const actor = { accessorId, anonymous: accessorId === "", rights: RIGHTS, scope: DEFAULT_SCOPE };
      const requestId = `r-${ids}`;
      const origin = () => ({ accessorId, requestId, detail: { address: over.address ?? "192.0.2.1" } });
      gatherer.note({ refused, actor, address: "192.0.2.1", requestId, isRead: true, origin, ...over });
    },
    /** All that is due, which is gone then. */
    due(everything = false): Gathered[] {
      gatherer.settle(everything);
      const found = [...gatherer.first(100_000)];
      gatherer.drop(new Set(found));
      return found;
    },
  };
}

test("10,000 refusals of one question to one actor in a minute are one record with their number and the last 50 requests", () => {
  const { refuse, due, pass } = start();
  for (let count = 0; count < 10_000; count++) {
    refuse("alice");
    if (count % 200 === 0) pass(900);
    if (count % 200 === 199) expect(due()).toEqual([]);
  }
  pass(MINUTE);
  const [record, ...others] = due();
  expect(others).toEqual([]);
  expect(record).toMatchObject({ count: 10_000, sort: "read", source: "alice", addresses: ["192.0.2.1"] });
  expect(record?.requestIds).toHaveLength(50);
  expect([record?.requestIds[0], record?.requestIds.at(-1)]).toEqual(["r-9951", "r-10000"]);
  expect(record?.decided).toEqual({ decidedBy: "default-policy" });
});

test("another actor, question, access, kind of request or minute is another record", () => {
  const { refuse, due, pass } = start();
  refuse("alice");
  refuse("bob");
  refuse("alice", question("other"));
  refuse("alice", question("acme", "write"));
  refuse("alice", question(), { isRead: false });
  pass(MINUTE);
  refuse("alice");
  pass(MINUTE);
  expect(due().map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1]);
});

test("what comes after a pause within the minute is of the same record, which is due when the minute is over", () => {
  const { refuse, due, pass } = start();
  for (let count = 0; count < 9; count++) {
    refuse("alice");
    pass(6000);
    expect(due()).toEqual([]);
  }
  pass(6000);
  expect(due()).toMatchObject([{ count: 9 }]);
});

test("anonymous callers with segments of their own choice are bounded by their address, in memory and in records", () => {
  const { refuse, due, pass, gatherer } = start();
  for (let count = 0; count < 50_000; count++) refuse("", question(`made-up-${count}`.padEnd(5000, "x")));
  expect(gatherer.stats().waiting).toBeLessThanOrEqual(MOST_OF_SOURCE + 1);
  pass(10 * MINUTE);
  const records = due();
  expect(records).toHaveLength(MOST_OF_SOURCE + 1);
  const more = records.filter(({ refused }) => refused.kind === "more");
  expect(more).toMatchObject([{ count: 50_000 - MOST_OF_SOURCE, sort: "read" }]);
  const segments = records.flatMap(({ refused }) => (refused.kind === "rights" ? refused.segment.length : []));
  expect(Math.max(...segments)).toBe(128);
  expect(gatherer.stats()).toEqual({ noted: 50_000, counted: 50_000 - MOST_OF_SOURCE, lost: 0, waiting: 0 });
});

test("incident 69: tokens that are denied 100,000 times leave records to others, with what they asked", () => {
  const { refuse, due, pass, gatherer } = start();
  const scopeOf = (namespace: string) => ({ partition: "default", namespace });
  const denied = (who: string, namespace: string, segment: string) => {
    const actor = { accessorId: who, anonymous: false, rights: RIGHTS, scope: scopeOf(namespace) };
    refuse(who, question(segment, "write"), { actor, isRead: false });
  };
  const greedy = ["greedy-1", "greedy-2", "greedy-3", "greedy-4"];
  const records: Gathered[] = [];
  for (let count = 0; count < 25_000; count++) {
    for (const who of greedy) denied(who, "crowded", `made-up-${count}`);
    if (count % 100 === 0) records.push(...due(true));
  }
  denied("beside", "crowded", "acme");
  denied("alice", "quiet", "acme");
  records.push(...due(true));
  const told = (who: string) => records.filter(({ source, refused }) => source === who && refused.kind === "rights");
  expect(told("alice")).toMatchObject([{ refused: { segment: "acme", access: "write" }, count: 1 }]);
  expect(told("alice")[0]?.decided).toEqual({ decidedBy: "default-policy" });
  const ofGreedy = greedy.map((who) => told(who).length);
  expect(Math.max(...ofGreedy)).toBeLessThanOrEqual(MOST_OF_SOURCE);
  expect(ofGreedy.reduce((sum, each) => sum + each)).toBe(MOST_OF_ALL.write * 0.75);
  // Its namespace has as much as all of it may have; that it was denied is counted.
  expect(told("beside")).toEqual([]);
  expect(gatherer.stats()).toMatchObject({ noted: 100_002, lost: 0 });
  pass(60 * MINUTE);
  denied("beside", "crowded", "acme");
  expect(due(true)).toMatchObject([{ source: "beside", refused: { segment: "acme" } }]);
});

test("incident 69: addresses whose credentials fail leave records to other addresses", () => {
  const { refuse, due } = start();
  const records: Gathered[] = [];
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"]) {
    for (let count = 0; count < 2000; count++) refuse("", login(`subject-${count}`), { ...NOBODY, address });
    records.push(...due(true));
  }
  refuse("", login("alice"), { ...NOBODY, address: "198.51.100.1" });
  records.push(...due(true));
  // All of one network are kept from the last quarter, however many addresses it has.
  expect(records.filter(({ refused }) => refused.kind === "login").length).toBe(MOST_OF_ALL.login * 0.75 + 1);
  expect(records.at(-1)).toMatchObject({ refused: { kind: "login", subject: "alice" }, count: 1 });
});

test("incident 69: failed logins from many networks are counted by network, and no one of them is in no record", () => {
  const { refuse, due, gatherer } = start();
  const networks = 2 * MOST_NETWORKS;
  const records: Gathered[] = [];
  let made = 0;
  for (let host = 1; host < 100; host++) {
    for (let network = 0; network < networks; network++) {
      refuse("", login(`subject-${(made += 1)}`), { ...NOBODY, address: `10.${network}.${host}.1` });
    }
    records.push(...due());
  }
  refuse("", login("alice"), { ...NOBODY, address: "10.3.200.1" });
  records.push(...due(true));
  const sums = records.flatMap(({ refused, count }) => (refused.kind === "more" ? { refused, count } : []));
  expect(records.filter(({ refused }) => refused.kind === "login")).toHaveLength(MOST_OF_ALL.login);
  expect(sums.filter(({ refused }) => refused.network !== undefined)).toHaveLength(MOST_NETWORKS);
  expect(sums.filter(({ refused }) => refused.network === undefined)).toHaveLength(1);
  expect(records.reduce((sum, { count }) => sum + count, 0)).toBe(made + 1);
  expect(gatherer.stats()).toMatchObject({ noted: made + 1, counted: made + 1 - MOST_OF_ALL.login, lost: 0 });
});

test("callers from any number of addresses are bounded together, and hide no refusal of another sort", () => {
  const { refuse, due, pass, gatherer } = start();
  for (let count = 0; count < 20_000; count++) {
    const address = `198.51.${(count >> 8) % 256}.${count % 256}`;
    refuse("", question(`made-up-${count}`), { address });
    if (count % 1000 === 0) {
      // Takes the groups that would be written by now.
      due();
      expect(gatherer.stats().waiting).toBeLessThanOrEqual(2 * MOST_GROUPS + 10);
    }
  }
  refuse("alice", question("acme", "write"), { isRead: false });
  pass(10 * MINUTE);
  const records = due();
  const { counted, lost } = gatherer.stats();
  // All without a token are one namespace, for which the last quarter is not.
  expect([counted, lost]).toEqual([20_000 - MOST_OF_ALL.read * 0.75, 0]);
  expect(records.filter(({ refused }) => refused.kind === "more")).toMatchObject([
    { source: "", refused: { network: "198.51.0.0/16" }, count: counted },
  ]);
  expect(records.filter(({ sort }) => sort === "write")).toMatchObject([{ source: "alice", count: 1 }]);
});

test("addresses of one IPv6 network are one client", () => {
  const { refuse, due, pass } = start();
  for (let count = 0; count < 1000; count++) {
    refuse("", question(`made-up-${count}`), { address: `2001:db8:1:2::${count.toString(16)}` });
  }
  pass(10 * MINUTE);
  expect(due()).toHaveLength(MOST_OF_SOURCE + 1);
});

test("in the next hour there is room again", () => {
  const { refuse, due, pass } = start();
  for (let hour = 0; hour < 2; hour++) {
    for (let count = 0; count < 1000; count++) refuse("alice", question(`made-up-${count}`));
    pass(60 * MINUTE);
    expect(due()).toHaveLength(MOST_OF_SOURCE + 1);
  }
});

test("while nothing can be written, so many groups wait, and records tell the number of the others", () => {
  const { refuse, gatherer, pass, due } = start();
  for (let count = 0; count < 8000; count++) {
    const [refused, isRead] = [question(`q-${count}`), count % 8 !== 0];
    refuse(`actor-${count}`, refused, { isRead });
    if (count % 100 === 99) pass(MINUTE);
    if (count % 100 === 99) gatherer.settle(false);
  }
  const { waiting, lost, noted } = gatherer.stats();
  expect(waiting).toBeLessThanOrEqual(2 * MOST_GROUPS + 10);
  expect(lost).toBeGreaterThan(0);
  expect(noted).toBe(8000);
  const records = due(true);
  expect(records.reduce((sum, { count }) => sum + count, 0)).toBe(8000);
  expect(records.filter(({ refused, source }) => refused.kind === "more" && source === "")).toMatchObject(
    [{ sort: "write" }, { sort: "read" }].map((each) => ({
      ...each,
      requestIds: Array.from({ length: 50 }, () => expect.any(String)),
    })),
  );
  expect(gatherer.stats()).toMatchObject({ waiting: 0, lost });
});

test("sums of what has no room are written as soon as there is room", () => {
  const { refuse, gatherer, pass } = start();
  for (let count = 0; count < 6000; count++) {
    // Of eight namespaces, so that their limits are not reached.
    const scope = { partition: "default", namespace: `n-${count % 8}` };
    const actor = { accessorId: `actor-${count}`, anonymous: false, rights: RIGHTS, scope };
    refuse("", question(`q-${count}`), { actor });
  }
  pass(10 * MINUTE);
  gatherer.settle(false);
  const { lost } = gatherer.stats();
  expect(lost).toBeGreaterThan(0);
  const told: Gathered[] = [];
  for (let batch = gatherer.first(50); batch.length > 0; batch = gatherer.first(50)) {
    told.push(...batch);
    gatherer.drop(new Set(batch));
  }
  expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(6000);
});

test("which rule decided about a segment that is cut is said of the whole of it", () => {
  const { refuse, due } = start();
  const long = "a".repeat(200);
  const rights = compileRights([
    { kind: "organization_prefix", segment: "a", policy: "write" },
    { kind: "organization", segment: long, policy: "deny" },
  ]);
  const actor = { accessorId: "alice", anonymous: false, rights, scope: DEFAULT_SCOPE };
  refuse("alice", question(long), { actor });
  const [record] = due(true);
  expect(record?.decided).toMatchObject({ decidedBy: "direct", rule: { Policy: "deny", Segment: "a".repeat(128) } });
});

test("logins are one by method, address and claimed subject, whatever the reason says", () => {
  const { gatherer, due } = start();
  const base = { actor: undefined, isRead: false, origin: () => ({ accessorId: "", requestId: "r", detail: {} }) };
  for (const [subject, address, reason] of [
    ["bot", "192.0.2.1", "expired 1 s ago"],
    ["bot", "192.0.2.1", "expired 2 s ago"],
    ["other", "192.0.2.1", "expired 1 s ago"],
    ["bot", "192.0.2.2", "expired 1 s ago"],
  ] as const) {
    gatherer.note({ ...base, refused: { ...login(subject), reason }, address, requestId: "r" });
  }
  expect(due(true).map(({ count, sort }) => [count, sort])).toEqual([
    [2, "login"],
    [1, "login"],
    [1, "login"],
  ]);
});
