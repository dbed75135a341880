import { expect, test } from "vitest";
import type { Fault } from "../faults.ts";
import type { Entry, History, Inflicted } from "../history.ts";
import * as of from "./build.ts";
import { cas, create, done, historyOf, list, read, refused, remove, revoke, use, watch, write } from "./build.ts";
import { findGaps } from "./enough.ts";
import { simulate } from "./simulate.ts";

const NODES = 3;
const TURN_MS = 250;

/** Everything that is asked for, on each node, four times a second for the ten seconds of a built history. */
function allFrom(from: number, to: number): Entry[] {
  const entries: Entry[] = [];
  for (let at = from, turn = 0; at < to; at += TURN_MS, turn++) {
    const times = `${at}-${at + 10}`;
    const token = `t${turn}`;
    for (const node of [0, 1, 2]) {
      const late = `${at + 3000}-${at + 3010}`;
      entries.push(
        done(node, times, write(`${turn}.${node}`, 1)),
        done(node, times, read("a", 1)),
        done(node, times, cas(`c${turn}.${node}`, 1, 2)),
        refused(node, times, cas(`d${turn}.${node}`, 1)),
        done(node, times, create("a", "a1")),
        refused(node, times, create("a"), { status: 400 }),
        done(node, times, remove("a1")),
        done(node, times, list("")),
        done(8 + node, times, watch(0, ""), { node }),
        done(node, times, use(true, token)),
        refused(node, late, use(false, token), { status: 403 }),
        refused(node, `${at + 20}-${at + 30}`, use(false, token, true), { status: 403 }),
        done(node, times, of.ask(true)),
        done(node, times, of.shows("a")),
        done(node, times, of.assign(`${turn}.${node}`, `k${node}`)),
      );
    }
    const taken = (["token", "login", "session", "secret"] as const).map((kind) =>
      done(0, times, revoke(kind === "token" ? token : `${kind}${turn}`, kind)),
    );
    entries.push(
      ...taken,
      done(0, times, { kind: "begin", of: "login" }),
      done(0, times, of.grant(false)),
      done(0, times, of.job(`j${turn}`)),
      done(0, times, of.progress(`j${turn}`)),
      done(0, times, of.follow(at, `${turn + 2}=x`, String(turn + 1))),
    );
  }
  return entries;
}

const everything = allFrom(0, 10_000);

/** The full history without what a test leaves out. */
function without(isLeftOut: (entry: Entry) => boolean, faults: readonly Inflicted[] = []): History {
  return { ...historyOf(everything.filter((entry) => !isLeftOut(entry))), faults };
}

const isWrite = ({ operation: { kind } }: Entry): boolean =>
  ["write", "cas", "create", "delete", "revoke", "grant", "assign"].includes(kind);

test("fine: a history of everything", () => {
  expect(findGaps(historyOf(everything), { nodes: NODES })).toEqual([]);
});

test.each([1, 2, 3, 4, 5])("fine: what a correct server does in 40 s, seed %i", (seed) => {
  expect(findGaps(simulate({ seed, milliseconds: 40_000 }), { nodes: NODES })).toEqual([]);
});

test("found: an empty history lacks everything", () => {
  const before = ["write", "read", "cas", "create", "delete", "list", "watch", "revoke", "use"];
  const kinds = [...before, "begin", "grant", "ask", "assign", "value", "job", "progress", "follow"];
  const gaps = findGaps(historyOf([]), { nodes: NODES });
  for (const kind of kinds)
    expect(gaps).toContainEqual(expect.stringMatching(`^enough: only 0 ${kind} were done, not`));
  // For each node four; refusals two; what was ended, of four kinds; watchers; streams that went on.
  expect(gaps).toHaveLength(kinds.length + NODES * 4 + 2 + 4 + 1 + 1);
});

test("found: a server that refuses every write from some moment on", () => {
  const history = simulate({ seed: 1, milliseconds: 30_000 });
  const entries = history.entries.map((entry): Entry =>
    isWrite(entry) && entry.invoked > 9000 ? { ...entry, outcome: "refused", status: 503 } : entry,
  );
  const gaps = findGaps({ ...history, entries }, { nodes: NODES });
  expect(gaps).toContainEqual(expect.stringMatching(/no write was done for 2\d{4} ms outside of fail-overs/));
  expect(gaps).toContain("enough: node 2 did no write in the second half");
});

const isRefusedUse = ({ operation, status }: Entry, consistent: boolean): boolean =>
  status === 403 && operation.kind === "use" && operation.consistent === consistent;
const ofKind = (wanted: Entry["operation"]["kind"]) => (entry: Entry) => entry.operation.kind === wanted;

const lacking: readonly [what: string, history: History, finding: string][] = [
  [
    "too few of a kind",
    without((entry) => ofKind("write")(entry) && (entry.invoked > TURN_MS || entry.node > 0)),
    "only 2 write were done, not 3",
  ],
  ["no lists", without(ofKind("list")), "only 0 list were done, not 3"],
  [
    "uses that were all refused",
    without((entry) => ofKind("use")(entry) && entry.outcome === "done"),
    "only 0 use were done, not 4",
  ],
  [
    "no cas that came too late",
    without((entry) => ofKind("cas")(entry) && entry.outcome === "refused"),
    "only 0 cas were refused for their version, not 1",
  ],
  [
    "no create of a taken name",
    without((entry) => ofKind("create")(entry) && entry.outcome === "refused"),
    "only 0 create were refused for their name, not 1",
  ],
  [
    "a node where no revoked token was tried",
    without((entry) => isRefusedUse(entry, false) && entry.node === 1),
    "node 1 refused only 0 tokens that had been revoked for 1 s, not 1",
  ],
  [
    "incident 67: a node that was not asked for the newest",
    without((entry) => isRefusedUse(entry, true) && entry.node === 1),
    "node 1, asked for the newest, refused only 0 times what was just taken away, not 1",
  ],
  [
    "no session that was ended",
    without(({ operation }) => operation.kind === "revoke" && operation.of === "session"),
    "only 0 session were ended, not 1",
  ],
  [
    "streams that tell nothing when they go on",
    {
      ...historyOf(
        everything.map((entry) =>
          entry.operation.kind === "follow" ? { ...entry, operation: { ...entry.operation, told: [] } } : entry,
        ),
      ),
    },
    "only 0 parts of streams went on with something, not 1",
  ],
  [
    "a node that only reads after a while",
    without((entry) => isWrite(entry) && entry.node === 2 && entry.invoked > 4000),
    "node 2 did no write in the second half",
  ],
  [
    "a watcher that hears nothing after the last fault",
    without(({ client, invoked }) => client === 9 && invoked > 6000, [{ at: 7000, what: "the last" }]),
    "only 2 of 3 watchers were answered after the last fault",
  ],
  [
    "a watcher that never asked",
    without(({ client }) => client === 9),
    "only 2 of 3 watchers were answered after the last fault",
  ],
];

test.each(lacking)("found: %s", (_, history, finding) => {
  expect(findGaps(history, { nodes: NODES })).toEqual([`enough: ${finding}`]);
});

test("found: a node that is silent in the end", () => {
  const history = without(({ node, returned = 0 }) => node === 1 && returned > 7500);
  expect(findGaps(history, { nodes: NODES })).toContain("enough: node 1 answered nothing in the last quarter");
});

test("found: a node whose end nobody looked at", () => {
  const history = historyOf(everything, {}, { registers: [] });
  expect(findGaps(history, { nodes: NODES })).toEqual(["enough: the end of only 0 of 3 nodes is known"]);
});

/** Everything until a moment and from another one on, with a fail-over from 20 s for so many milliseconds. */
function silent(from: number, to: number, failOver: number): string[] {
  const entries = [...allFrom(0, from), ...allFrom(to, 150_000)];
  const faults: Inflicted[] = [
    { at: 20_000, what: "the primary is killed", kind: "fail-over" },
    { at: 20_000 + failOver, what: "a standby follows", kind: "fail-over", over: true },
  ];
  return findGaps({ ...historyOf(entries), faults, quietFrom: 150_000, ended: 160_000 }, { nodes: NODES });
}

test("fine: no write for nearly 10 s, or for longer in a fail-over", () => {
  expect(silent(60_000, 69_000, 5000)).toEqual([]);
  expect(silent(19_000, 54_000, 34_000)).toEqual([]);
  // Afterwards the nodes have to find out.
  expect(silent(19_000, 64_000, 37_000)).toEqual([]);
});

test("found: no write for longer than 10 s, 60 s in a fail-over", () => {
  expect(silent(60_000, 70_500, 5000)).toEqual([expect.stringMatching(/10\d{3} ms outside of fail-overs/)]);
  expect(silent(19_000, 64_000, 30_000)).toEqual([expect.stringMatching(/15\d{3} ms outside of fail-overs/)]);
  expect(silent(19_000, 82_000, 60_000)).toEqual([expect.stringMatching(/no write was done for 6\d{4} ms$/)]);
});

test("found: faults of a list, and kinds of faults, that did not happen", () => {
  const planned: Fault[] = [
    { kind: "cut", at: 1000, node: 1 },
    { kind: "kill", at: 2000, node: 1, milliseconds: 300 },
    { kind: "cut", at: 3000, node: 1 },
    { kind: "fail-over", at: 4000 },
  ];
  const happened: Inflicted[] = [
    { at: 1000, what: "cut", kind: "cut", node: 1 },
    { at: 2000, what: "killed", kind: "kill", node: 1 },
    { at: 2300, what: "there again", kind: "kill", node: 1, over: true },
    { at: 4000, what: "killed", kind: "fail-over" },
    { at: 5000, what: "follows", kind: "fail-over", over: true },
  ];
  const history = { ...historyOf(everything), faults: happened };
  expect(findGaps(history, { nodes: NODES, faults: planned })).toEqual([
    'enough: the fault "cut 1" happened 1 times, not 2',
  ]);
  expect(findGaps(history, { nodes: NODES, kinds: ["cut", "pause", "fail-over"] })).toEqual([
    'enough: no fault "pause" happened',
  ]);
  expect(findGaps(history, { nodes: NODES, faults: planned.slice(1), kinds: ["kill"] })).toEqual([]);
});
