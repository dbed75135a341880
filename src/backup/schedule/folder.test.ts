import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { MAGIC } from "../format.ts";
import { listBackups, nameAt } from "./folder.ts";

const NOW = Date.UTC(2026, 10, 24, 15, 30);
const SECOND = 1000;

test("incident 62: backups that are dated after now count for nothing, but for the difference that clocks may have", async () => {
  const folder = temporaryDirectory();
  const names = [-3600, -1, 59, 61, 86_400].map((seconds) => nameAt(new Date(NOW + seconds * SECOND)));
  for (const name of names) writeFileSync(join(folder, name), MAGIC);
  writeFileSync(join(folder, nameAt(new Date(NOW - 7200 * SECOND))), "");
  const { past, future } = await listBackups(folder, NOW);
  const [oldest, newer, near, later, last] = names;
  expect(past.map(({ name }) => name)).toEqual([near, newer, oldest]);
  expect(future.map(({ name }) => name)).toEqual([last, later]);
});
