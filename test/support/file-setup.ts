/** Runs in front of every test file: what the helpers made for the file goes when the file ends. */
import { afterAll } from "vitest";
import { removeTemporaryDirectories } from "./engines.ts";
import { dropFreshDatabases } from "./postgres-schema.ts";
import { removeServers } from "./server.ts";

afterAll(async () => {
  removeServers();
  removeTemporaryDirectories();
  await dropFreshDatabases();
}, 60_000);
