/** Tests that results and notes of all commands have one style: a sentence with a capital and a period, such as "Deleted 3 tags." */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const CLIENT = resolve(import.meta.dirname, "../../src/cli/client");
const LITERAL = /"((?:[^"\\]|\\.)*)"|`((?:[^`\\$]|\$\{[^}]*\}|\\.)*)`/g;

/** Literals of all notes; a text of several parts is one. */
function notes(): string[] {
  return readdirSync(CLIENT, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(join(CLIENT, file), "utf8").matchAll(/\.note\(([^;]*)\);/g)])
    .flatMap(([, written = ""]) =>
      [...written.replaceAll(/[`"] \+\s*[`"]/g, "").matchAll(LITERAL)].map(
        ([, plain, template]) => plain ?? template ?? "",
      ),
    );
}

test("results of commands are sentences", () => {
  const found = notes();
  expect(found).toContain("Logged out.");
  expect(found.length).toBeGreaterThan(30);
  // A path or an error text may be last, without a period.
  expect(found.filter((text) => !/^[A-Z$].*(?:[.}]|FILE \| less)$/s.test(text))).toEqual([]);
});
