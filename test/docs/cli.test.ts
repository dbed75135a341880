import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { EXIT } from "../../src/cli/client/exit.ts";
import { PAGE, referenceText, splitPage } from "../support/cli-reference.ts";

it("docs/reference/cli.md has every command, option and variable that there is, and no other", async () => {
  // Else: npm run docs:cli
  expect(splitPage()[1]).toBe(await referenceText());
});

it("docs/reference/cli.md names every exit code", () => {
  const text = readFileSync(PAGE, "utf8");
  for (const code of Object.values(EXIT)) expect(text).toMatch(new RegExp(`^\\| ${code} \\|`, "m"));
});
