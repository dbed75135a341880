/** The decision point while servers of two versions work on one database: mappings are shared, and use is counted once. */
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { callerOf } from "../upgrades/caller.ts";
import { query } from "../upgrades/state.ts";
import { readDecided, useDecided, useOf, writeDecided } from "../support/decided.ts";
import { makeDatabaseUrl, temporaryDirectory } from "../support/engines.ts";
import { NEXT_VERSION, start, stopServers } from "../support/next-version.ts";
import { withClient } from "../support/postgres-schema.ts";

afterEach(stopServers);

it("an older version beside a newer one has the same mappings, and both add to the same use", async () => {
  const database = await makeDatabaseUrl("postgres");
  const dataDir = temporaryDirectory();
  const older = await start({ database, dataDir });
  const decided = await writeDecided(older.url, older.token);
  const { management, user } = decided;
  const newer = await start({ database, entry: NEXT_VERSION, args: ["--key-file", join(dataDir, "master-key")] });
  const servers = [older, newer];
  for (let round = 0; round < 3; round++) await Promise.all(servers.map(({ url }) => useDecided(url, decided, 4)));
  for (const { url } of servers)
    await expect
      .poll(() => useOf(url, management), { timeout: 20_000, interval: 200 })
      .toMatchObject({ own: 24, names: { "records/own": 24 } });
  const shown = await Promise.all(servers.map(({ url }) => readDecided(url, decided)));
  expect(shown[1]).toEqual(shown[0]);
  expect(shown[0]).toMatchObject({ points: [24] });

  // Changed by one, it decides at the other.
  for (const [writer, reader, Segment] of [
    [older, newer, "moved/${id}"],
    [newer, older, "records/${id}"],
  ] as const) {
    const Actions = [{ Action: "read", Kind: "key", Segment, Access: "read" }];
    const SubjectTypes = [{ Type: "person", As: "role", Template: "user-${id}" }];
    const body = { SubjectTypes, ResourceTypes: [{ Type: "record", Actions }] };
    await callerOf(writer.url)("PUT", "/v1/acl/decision-mapping/app", body, management);
    const isAllowed = Segment.startsWith("records/");
    // The other hears of it within a second, on a machine with time.
    await expect
      .poll(() => readDecided(reader.url, decided), { timeout: 20_000, interval: 200 })
      .toMatchObject({ decisions: [{ decision: isAllowed }, { decision: false }] });
  }

  // A version from before the ledger deletes the token's row alone.
  const rows = `select id from use_rows where accessor_id = '${user.accessor}'`;
  expect((await query(database, rows)).length).toBeGreaterThan(0);
  await withClient(database, async (client) => {
    await client.query("delete from tokens where accessor_id = $1", [user.accessor]);
  });
  expect(await query(database, rows)).toEqual([]);
});
