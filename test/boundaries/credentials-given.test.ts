/** Incident 72: whoever is given a credential that lasts is looked at first, wherever one is made. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
/** Both are behind what each new credential passes: a secret is sealed, a session is inserted. */
const MAKES = /(?<!function )\b(?:sealSecret|insertSession)\(/g;
const CHECKS = /(?<!function )\bcheckMayBeGiven\(/g;

/** Files that make credentials for callers without a token, by the reason. */
const WITHOUT_TOKEN: Readonly<Record<string, string>> = {
  "src/acl/tokens/bootstrap.ts": "the first token and the anonymous one",
  "src/acl/tokens/login.ts": "an identity proves itself, by no token",
};

test("each place that makes a secret or a session asks whether one may be given", () => {
  const makers = globSync("src/**/*.ts", { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .map(({ path, text }) => ({ path, made: text.match(MAKES)?.length ?? 0, checked: text.match(CHECKS)?.length ?? 0 }))
    .filter(({ made }) => made > 0);
  const asking = makers.filter(({ path }) => WITHOUT_TOKEN[path] === undefined);
  expect(makers.length - asking.length).toBe(Object.keys(WITHOUT_TOKEN).length);
  expect(asking.length).toBeGreaterThan(2);
  expect(asking.filter(({ made, checked }) => checked < made)).toEqual([]);
});
