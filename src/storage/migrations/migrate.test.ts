import { expect, it } from "vitest";
import { MIGRATIONS, pendingMigrations, type AppliedMigration } from "./migrate.ts";
import type { Migration } from "./migration.ts";
import { StartError } from "../start-error.ts";

const make = (name: string, phase?: "expand" | "contract"): Migration => ({
  name,
  ...(phase === undefined ? {} : { phase }),
  statements: () => [],
});

const FIRST = make("0001-first");
const ADDS = make("0002-adds", "expand");
const TAKES = make("0003-takes", "contract");
const ADDS_MORE = make("0004-adds-more");
const TAKES_MORE = make("0005-takes-more", "contract");
const ALL = [FIRST, ADDS, TAKES, ADDS_MORE, TAKES_MORE];

const applied = (...migrations: Migration[]): AppliedMigration[] =>
  migrations.map(({ name, phase }) => ({ name, phase: phase ?? "expand" }));

it("an empty database gets all migrations at once", () => {
  expect(pendingMigrations([], ALL)).toEqual({ now: ALL, left: [], newer: [] });
});

it.each([
  [[FIRST], [ADDS], [TAKES, ADDS_MORE, TAKES_MORE]],
  [[FIRST, ADDS], [], [TAKES, ADDS_MORE, TAKES_MORE]],
  [[FIRST, ADDS, TAKES], [ADDS_MORE], [TAKES_MORE]],
  [[FIRST, ADDS, TAKES, ADDS_MORE], [], [TAKES_MORE]],
  [ALL, [], []],
])("those before the first that takes something away run now, the rest is left (%#)", (has, now, left) => {
  expect(pendingMigrations(applied(...has), ALL)).toEqual({ now, left, newer: [] });
});

it("what a newer version has added is no hindrance, and is told", () => {
  const plan = pendingMigrations(applied(FIRST, ADDS, make("0003-new"), make("0004-new")), [FIRST, ADDS]);
  expect(plan).toEqual({ now: [], left: [], newer: ["0003-new", "0004-new"] });
});

it.each(["contract", "a phase of later versions"])("an unknown migration of phase %s is refused by name", (phase) => {
  const has = [...applied(FIRST, ADDS_MORE), { name: "0009-new", phase }];
  expect(() => pendingMigrations(has, [FIRST])).toThrow(StartError);
  expect(() => pendingMigrations(has, [FIRST])).toThrow(/^the database has migration 0009-new, which .* newer one$/);
});

it("the migrations are numbered without a gap, so that older and newer can be told", () => {
  const numbers = MIGRATIONS.map(({ name }) => /^(\d{4})-[a-z-]+$/.exec(name)?.[1]);
  expect(numbers.toSorted((one = "", other = "") => one.localeCompare(other))).toEqual(
    MIGRATIONS.map((_, position) => String(position + 1).padStart(4, "0")),
  );
});

it("in each phase they are applied by age, and what an older program can work with comes first", () => {
  const names = (contract: boolean) =>
    MIGRATIONS.filter(({ phase }) => (phase === "contract") === contract).map(({ name }) => name);
  expect(MIGRATIONS.map(({ name }) => name)).toEqual([...names(false).toSorted(), ...names(true).toSorted()]);
});

it.each([
  ["0014-console", ["0018-views"], ["0015-proofs-only", "0016-no-triggers", "0017-listed-changes"]],
  ["0017-listed-changes", ["0018-views"], []],
])(
  "a database as %s left it gets all that is added at a start, whether its upgrade is finished or not",
  (last, now, left) => {
    const has = MIGRATIONS.filter(({ name }) => name <= last).map(({ name, phase = "expand" }) => ({ name, phase }));
    const pending = pendingMigrations(has);
    expect(pending.now.map(({ name }) => name)).toEqual(now);
    expect(pending.left.map(({ name }) => name)).toEqual(left);
  },
);
