import { expect, test } from "vitest";
import * as of from "./build.ts";
import { create, done, historyOf, list, read, revoke, stored, unknown, use, watch, write } from "./build.ts";
import { checkHistory } from "./check.ts";

test("a history of nothing but right answers has no findings", () => {
  const history = historyOf(
    [
      done(0, "1-2", write("a", 5)),
      done(1, "3-4", read("a", 5)),
      done(0, "3-4", create("a", "a1")),
      done(1, "5-6", list("a"), { index: 7 }),
      done(8, "1-9", watch(0, "a"), { index: 7 }),
      done(0, "5-6", use(true)),
      done(0, "7-8", revoke()),
    ],
    { pools: { roles: stored("a1") }, registers: { r: ["a", 5] }, indexes: { roles: 7 } },
  );
  expect(checkHistory(history)).toEqual([]);
});

test("every check is run, and findings begin with its name", () => {
  const history = historyOf(
    [
      done(0, "1-2", write("a", 5)),
      done(1, "3-4", read("b", 5)),
      done(0, "3-4", create("a", "a1")),
      done(2, "5-6", create("a", "a2")),
      done(1, "7-8", list(""), { index: 7 }),
      done(1, "9-10", list(""), { index: 6 }),
      unknown(8, "1-", watch(0)),
      done(0, "7-8", revoke()),
      done(0, "9000-9001", use(true)),
      done(0, "1-2", of.grant(false)),
      done(1, "2000-2001", of.ask(true)),
      done(0, "1-2", of.assign("a")),
      done(1, "3-4", of.shows("b")),
      done(100, "5-9", of.follow(5, "3=a 2=b")),
    ],
    { pools: { roles: [] }, registers: { r: ["a", 5] }, contradictions: ["a count is off"] },
  );
  const told = new Set(checkHistory(history).map((finding) => finding.split(": ")[0]));
  const before = ["counts", "indexes", "lists", "lost", "names", "registers", "revoked", "watchers"];
  expect(told).toEqual(new Set([...before, "rights", "values", "followed"]));
});

test("a finding is one line that names client, node, rounded times, what was asked and what was answered", () => {
  const entry = done(3, "1204.4-1219.6", create("a b", "a1 b1", "tags"), { node: 1 });
  expect(checkHistory(historyOf([entry], { pools: { tags: stored("b1") } }))).toEqual([
    "lost: tags lacks a (a1) of [client 3, node 1, 1204–1220 ms: create tags a b → done 200] in the end, and no delete can have removed it",
  ]);
});

test("a check has at most 20 findings, each on one line even when a server answers several", () => {
  const lost = Array.from({ length: 50 }, (_, number) =>
    done(0, `${number}-${number}`, create(`a${number}`, `a${number}`)),
  );
  const odd = done(1, "90-91", read("z\nz", 3));
  const findings = checkHistory(historyOf([...lost, odd], { registers: { r: ["y", 4] } }));
  expect(findings.filter((finding) => finding.startsWith("lost: "))).toHaveLength(20);
  expect(findings.filter((finding) => finding.startsWith("registers: "))).not.toHaveLength(0);
  expect(findings.join("")).not.toContain("\n");
});
