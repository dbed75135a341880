import type pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freshDatabaseUrl, withClient } from "../../../test/support/postgres-schema.ts";
import { createServers, type ServerUse } from "./servers.ts";

/** A server whose timeline the test says: in its search path a function of ours is found before PostgreSQL's. */
async function makeServer() {
  const url = (await freshDatabaseUrl()).replace("%2Cpublic", "%2Cpg_catalog%2Cpublic");
  const query = (text: string) => withClient(url, (client) => client.query(text));
  await query("create table told (timeline integer not null)");
  await query("insert into told values (1)");
  await query(`create function pg_walfile_name(pg_lsn) returns text language sql stable
    as $$ select lpad(to_hex(timeline), 8, '0') || '0000000000000001' from told $$`);
  const servers = createServers(url);
  const clients: pg.Client[] = [];
  onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))));
  async function connect(use: ServerUse) {
    const connected = await servers.connect(use, {});
    clients.push(connected.client);
    return connected;
  }
  return { servers, connect, setTimeline: (timeline: number) => query(`update told set timeline = ${timeline}`) };
}

test("a primary that another one has followed is neither read nor written, and sessions with it are known as such", async () => {
  const { servers, connect, setTimeline } = await makeServer();
  let found = 0;
  servers.onNewPrimary(() => (found += 1));
  const former = await connect("write");
  expect([former.timeline, servers.isOvertaken(former), found]).toEqual([1, false, 1]);
  await setTimeline(11);
  const later = await connect("read");
  expect([later.timeline, servers.isOvertaken(later), servers.isOvertaken(former), found]).toEqual([
    11,
    false,
    true,
    2,
  ]);
  await setTimeline(1);
  for (const use of ["write", "read"] as const) {
    await expect(connect(use)).rejects.toThrow("a former primary: its timeline is 1, the current timeline is 11");
  }
  await setTimeline(11);
  expect([(await connect("write")).timeline, found]).toEqual([11, 2]);
});

test("a copy may be of any primary", async () => {
  const { connect, setTimeline } = await makeServer();
  await setTimeline(2);
  await connect("write");
  await setTimeline(1);
  expect((await connect("copy")).timeline).toBeUndefined();
});
