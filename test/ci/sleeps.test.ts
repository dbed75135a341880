/** Time is given to a test, not waited for: who sleeps all the same stands in a list, with a reason. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SLEEPS } from "../support/sleeps.ts";

const root = join(import.meta.dirname, "../..");

/** How often a text waits for time: by a timer, by a blocked thread, or by a statement. */
function countSleeps(text: string): number {
  const timers = [...text.matchAll(/\bsetTimeout as (\w+)\b/g)].map(([, name]) => name);
  const names = new Set(["sleep", "setTimeout", "Atomics\\.wait", "pg_sleep", "waitForTimeout", ...timers]);
  return [...text.matchAll(new RegExp(`(?<!socket\\.|\\w)(?:${[...names].join("|")})\\(`, "g"))].length;
}

const files = [
  ...globSync("src/**/*.test.ts", { cwd: root }),
  ...globSync("test/**/*.ts", { cwd: root, exclude: ["**/node_modules/**"] }),
];
const found = new Map(
  files
    .filter((file) => !file.startsWith("test/ci/"))
    .map((file) => [file, countSleeps(readFileSync(join(root, file), "utf8"))] as const)
    .filter(([, count]) => count > 0),
);
const listed = new Map(Object.values(SLEEPS).flatMap((each) => Object.entries(each)));

test("no test sleeps but those of the list, and none more often than it says", () => {
  const more = [...found].filter(([file, count]) => count > (listed.get(file) ?? 0));
  expect(more, "wait for the thing itself, or move a clock; see CONTRIBUTING").toEqual([]);
});

test("the list says nothing that is not so any more", () => {
  const less = [...listed].filter(([file, count]) => (found.get(file) ?? 0) < count);
  expect(less, "take it off test/support/sleeps.ts").toEqual([]);
});

test("each stands there once, by a name that exists", () => {
  const names = Object.values(SLEEPS).flatMap((each) => Object.keys(each));
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  expect(names.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

test("a sleep is known by whatever name it has", () => {
  const samples = {
    'import { setTimeout as nap } from "node:timers/promises"; await nap(5);': 1,
    "await new Promise((resolve) => setTimeout(resolve, 20));": 1,
    "await sleep(5); await page.waitForTimeout(5);": 2,
    "Atomics.wait(cell, 0, 0, 2000); select pg_sleep(60)": 2,
    "socket.setTimeout(50); const limits = { setTimeout: 1 };": 0,
  };
  for (const [text, count] of Object.entries(samples)) expect([text, countSleeps(text)]).toEqual([text, count]);
});
