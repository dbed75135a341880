/** Beside the newest PostgreSQL, on which everything is tested; `npm run test:postgres` has the storage contract on these. */
import { describe, expect, test } from "vitest";
import { skipWithout } from "../support/installed.ts";
import { missingPostgres } from "../support/postgres-native.ts";
import { startPostgres } from "../support/postgres.ts";
import { withClient } from "../support/postgres-schema.ts";
import { walk } from "./walk.ts";

describe.each([14, 15] as const)("on PostgreSQL %d", (version) => {
  test("a server starts, writes, lists, waits, logs in, deletes and starts again", async (context) => {
    skipWithout(context, missingPostgres(version));
    const postgres = await startPostgres({ version });
    try {
      await walk(postgres.url);
      const rows = await withClient(
        postgres.url,
        async (client) => (await client.query("show server_version_num")).rows,
      );
      expect(Math.floor(Number(rows[0].server_version_num) / 10_000)).toBe(version);
    } finally {
      await postgres.stop("immediate");
    }
  });
});
