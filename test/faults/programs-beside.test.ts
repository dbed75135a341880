/** Other programs open the database of a running server, and close it. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { hasLock, LISTS_LOCKS } from "../support/file-locks.ts";
import { startServer } from "../support/server.ts";
import { call, isCopied, slotOf, until } from "./lost-log.ts";

/** Time in which the thread that syncs looks at the files twice, in milliseconds: it does once a second. */
const TWO_LOOKS_MS = 2100;

/** Reads with the SQLite of Python, often an older one, which removes the log of a database on which nobody has a lock. */
const READ =
  "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('select count(*) from meta').fetchone()[0])";

test("incident 61: a server without work keeps its log from every program that opens the database", async () => {
  const dataDir = join(temporaryDirectory(), "data");
  const path = join(dataDir, "tessera.db");
  const server = await startServer({ dataDir });
  await call(server, "PUT", "/v1/acl/policy", { Name: "before" });
  await until(() => isCopied(slotOf(dataDir)));
  const ends = performance.now() + TWO_LOOKS_MS;
  do {
    if (LISTS_LOCKS) expect(hasLock(server.pid, path)).toBe(true);
    // Without Python the locks alone are looked at.
    spawnSync("python3", ["-c", READ, path]);
    expect(existsSync(`${path}-wal`)).toBe(true);
  } while (performance.now() < ends);
  await call(server, "PUT", "/v1/acl/policy", { Name: "after" });
  expect(await server.stop()).toBe(0);
});
