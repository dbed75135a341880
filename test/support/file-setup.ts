/** Runs in front of every test file: what the helpers made for the file goes when the file ends, and a failure tells its seed. */
import { afterAll, afterEach } from "vitest";
import { removeTemporaryDirectories } from "./engines.ts";
import { dropFreshDatabases } from "./postgres-schema.ts";
import { howToRepeat } from "./seeded.ts";
import { removeServers } from "./server.ts";

afterEach(({ task }) => {
  const how = task.result?.state === "fail" ? howToRepeat() : undefined;
  if (how !== undefined) process.stderr.write(`${task.name}: ${how}\n`);
});

afterAll(async () => {
  removeServers();
  removeTemporaryDirectories();
  await dropFreshDatabases();
}, 60_000);
