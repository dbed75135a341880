/** Which files show each numbered fault that something was lost or shown wrongly in silence, or that one caller took from all. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

/** By the number of the incident. Not all are here or in `test/attacks`: some need a clock, an engine or a module by itself. */
const SHOWN_BY: Readonly<Record<number, readonly string[]>> = {
  61: ["test/faults/lost-log.test.ts", "test/faults/lost-log-drill.test.ts", "test/faults/marked-rights.test.ts"],
  62: ["test/backup/schedule.test.ts", "src/backup/schedule/folder.test.ts"],
  63: ["src/storage/clock/trusted.test.ts", "src/storage/clock/watch.test.ts", "src/cli/machine.test.ts"],
  64: ["test/faults/refused-starts.test.ts", "test/faults/refused-filled.test.ts"],
  65: ["test/backup/revocations.test.ts", "src/backup/revocations.test.ts"],
  66: ["src/audit/damaged-records.test.ts", "test/attacks/lost-files.test.ts"],
  67: ["test/nodes/narrowed.test.ts", "src/storage/reads/derived-cache-current.test.ts"],
  68: ["test/attacks/dropped-checks.test.ts", "src/turns.test.ts"],
  69: ["test/attacks/one-callers-share.test.ts"],
  70: ["test/attacks/rounds.test.ts", "test/callers/walk.test.ts"],
  71: ["src/acl/sessions/on-record.test.ts", "src/acl/sessions/turns.test.ts"],
  72: ["src/acl/tokens/giving.test.ts"],
  84: ["src/acl/scopes/kinds-refused.test.ts", "src/rights/rules/parse.test.ts", "src/http/v1/asked.test.ts"],
};

const root = resolve(import.meta.dirname, "../..");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const FROM = Math.min(...Object.keys(SHOWN_BY).map(Number));
/** First number of the incidents of people and of the console, which have their tests beside their features. */
const OTHERS_FROM = 73;

test.each(Object.entries(SHOWN_BY))("incident %s is named by the tests that show it", (number, files) => {
  const silent = files.filter((file) => !new RegExp(`incident ${number}\\b`).test(textOf(file)));
  expect(silent).toEqual([]);
});

test("each of them that a test names is in the table", () => {
  const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"], { cwd: root });
  const named = new Set(
    files.flatMap((file) => [...textOf(file).matchAll(/incident (\d+)/g)].map(([, n]) => Number(n))),
  );
  const ofTable = [...named].filter((number) => number >= FROM && number < OTHERS_FROM);
  expect(ofTable.filter((number) => !(number in SHOWN_BY))).toEqual([]);
  expect(
    Object.keys(SHOWN_BY)
      .map(Number)
      .filter((number) => !named.has(number)),
  ).toEqual([]);
});

test("decision 38 has a test that exists, or a reason, in every cell of its faults", () => {
  const [, section = ""] = textOf("docs/decisions/0038-decision-point.md").split("## Faults and their tests\n");
  const rows = section.split("\n").filter((line) => line.startsWith("| "));
  const cells = rows.slice(2).flatMap((row) =>
    row
      .split("|")
      .slice(2, -1)
      .map((cell) => cell.trim()),
  );
  const reasons = new Set(["hostile", "no body", "no draft", "no rows", "no time", "no write"]);
  const files = new Set(cells.filter((cell) => !reasons.has(cell)).flatMap((cell) => cell.split(", ")));
  expect(cells.length).toBe(6 * 16);
  expect([...files].filter((file) => !existsSync(join(root, file.replaceAll("`", ""))))).toEqual([]);
});
