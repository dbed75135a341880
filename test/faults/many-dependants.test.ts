import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { withClient } from "../support/postgres-schema.ts";
import { startServer } from "../support/server.ts";
import { connectClient, type ApiClient } from "./api-client.ts";
import { makeOrganization } from "./tag-load.ts";

const WATCH_MS = sized(1500, 20_000);
/** How many workspaces, and tags of each of them; a request takes a thousand. */
const EACH = sized(250, 1000);

/** Fills the one organization with workspaces that carry all its tags. `numbers` are those from 1 to how many there are. */
const SEED = (numbers: string) => [
  `insert into workspaces (id, organization_id, project_id, name, name_key, settings, locked, locked_reason, locked_by,
     created_at, updated_at, latest_change_at)
   select 'ws-' || s.n, w.organization_id, w.project_id, 'w' || s.n, 'w' || s.n, w.settings, 0, '', '',
     w.created_at, w.updated_at, w.latest_change_at from ${numbers} s, workspaces w`,
  `insert into tags (id, organization_id, name, pinned, instance_count, created_at)
   select 'tag-' || s.n, o.id, 't' || s.n, 1, ${EACH}, o.created_at from ${numbers} s, organizations o`,
  `insert into workspace_tags (workspace_id, tag_id, workspace_key, position)
   select 'ws-' || s.n, 'tag-' || t.n, 'w' || s.n, t.n from ${numbers} s, ${numbers} t`,
  `update organizations set tag_count = ${EACH}, workspace_count = ${EACH + 1}`,
  `update projects set workspace_count = ${EACH + 1}`,
];

async function seed(engine: Engine, database: string): Promise<void> {
  if (engine === "postgres") {
    const statements = SEED(`(select generate_series(1, ${EACH}) as n)`);
    await withClient(database, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
    return;
  }
  const numbers = `with recursive s (n) as (select 1 union all select n + 1 from s where n < ${EACH}) select n from s`;
  const db = new DatabaseSync(database.slice("sqlite:".length));
  for (const statement of SEED(`(${numbers})`)) db.exec(statement);
  db.close();
}

/** Statuses of reads and writes of others, one at a time, while the links are removed. How fast they are, bench/ tells. */
async function askMeanwhile(client: ApiClient): Promise<number[]> {
  const pool = "/api/v2/organizations/many/tags";
  const statuses: number[] = [];
  const end = performance.now() + WATCH_MS;
  for (let i = 0; performance.now() < end; i++) {
    const data = [{ type: "tags", attributes: { name: `new-${i}` } }];
    statuses.push((await client.send("GET", `${pool}?page%5Bsize%5D=5`)).status);
    statuses.push((await client.send("POST", pool, { data })).status);
    await sleep(2);
  }
  return statuses;
}

test.each<Engine>(["sqlite", "postgres"])(
  `${EACH} tags that ${EACH} workspaces carry each are deleted at once, and others are answered while their links go (%s)`,
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const empty = await startServer({ dataDir, database });
    await makeOrganization(empty.url, empty.token, "many");
    await empty.stop();
    await seed(engine, database);
    const server = await startServer({ dataDir, database });
    onTestFinished(async () => void (await server.stop()));
    const client = connectClient(server.url, server.token);
    onTestFinished(() => client.close());
    await client.send("GET", "/api/v2/organizations/many/tags");

    const data = Array.from({ length: EACH }, (_, i) => ({ type: "tags", id: `tag-${i + 1}` }));
    const deleted = await client.send("DELETE", "/api/v2/organizations/many/tags", { data });
    expect(deleted.status).toBe(204);
    // Gone from the workspace at once, though its links are still stored.
    const left = await client.send("GET", "/api/v2/workspaces/ws-1/relationships/tags");
    expect(JSON.parse(left.text)).toMatchObject({ data: [], meta: { pagination: { "total-count": 0 } } });

    const statuses = await askMeanwhile(client);
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  },
);
