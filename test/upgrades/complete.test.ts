import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MIGRATIONS } from "../../src/storage/migrations/migrate.ts";
import { engines } from "../support/engines.ts";
import { FIXTURES } from "./caller.ts";
import { fixtureFile, readFixture } from "./fixture.ts";

/** Made by triggers as the rows come, up to `0015-proofs-only`; such a dump of SQLite leaves it out. */
const COUNTED = new Set(["object_counts"]);
/**
 * Tables that a fixture leaves empty: the first row comes days later, nothing writes them yet, or their rows end after
 * half a day.
 */
const LATER = new Set([
  "change_floors",
  "console_sessions",
  "audit_heads",
  "audit_cuts",
  "audit_positions",
  "audit_sinks",
  "master_keys",
  "master_key_users",
  "reseals",
  "use_gaps",
  "tag_coverage_days",
]);

describe.each(engines)("on %s", (engine) => {
  test.each(MIGRATIONS.map(({ name }) => name))(
    "there is a database as %s left it, with what was answered then",
    (name) => {
      expect(existsSync(fixtureFile(engine, name)), "make it: node test/upgrades/make-fixture.ts").toBe(true);
      expect(readFixture(engine, name).answers.length).toBeGreaterThan(5);
    },
  );

  test.each(MIGRATIONS.map(({ name }) => name))("no table is empty as %s left it", (name) => {
    const script = readFixture(engine, name).scripts.join("\n");
    const named = (pattern: RegExp) => new Set([...script.matchAll(pattern)].map(([, table]) => table));
    const made = named(/^create table (?:public\.)?(\w+)/gim).difference(named(/^drop table (\w+)/gim));
    expect(made.size).toBeGreaterThan(10);
    const filled = named(/^insert into (?:public\.)?(\w+)/gim)
      .union(LATER)
      .union(COUNTED);
    expect([...made.difference(filled)]).toEqual([]);
  });
});

test("no fixture belongs to a migration that is not there", () => {
  const names = readdirSync(FIXTURES).filter((file) => /^\d/.test(file));
  const known = MIGRATIONS.map(({ name }) => name);
  expect(names.filter((file) => !known.some((name) => file.startsWith(`${name}.`)))).toEqual([]);
});
