/** Jobs on a real server that is killed again and again: each workspace is changed once, and once on record. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { withClient } from "../support/postgres-schema.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { connectClient } from "./api-client.ts";
import { readPostgres, readSqlite } from "./stored-state.ts";

const ROUNDS = sized(5, 20);
const WORKSPACES = sized(400, 2000);
const random = randomOfRun();

interface JobState {
  id: string;
  attributes: { status: string; total: number; done: number; changed: number; refused: object };
}

async function send<T>({ url, token }: RunningServer, method: string, path: string, data?: object): Promise<T> {
  const client = connectClient(url, token);
  const answer = await client.send(method, `/api/v2${path}`, data === undefined ? undefined : { data });
  client.close();
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return (JSON.parse(answer.text) as { data: T }).data;
}

async function fill(server: RunningServer): Promise<void> {
  await send(server, "POST", "/organizations", {
    type: "organizations",
    attributes: { name: "killed", email: "a@example.com" },
  });
  const names = Array.from({ length: WORKSPACES }, (_, at) => `ws-${at}`);
  const lane = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      await send(server, "POST", "/organizations/killed/workspaces", { type: "workspaces", attributes: { name } });
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

const ask = (server: RunningServer, attributes: object) =>
  send<JobState>(server, "POST", "/organizations/killed/tag-jobs", { type: "tag-jobs", attributes });

/** Kills servers in the middle of a job, and lets the last one end it. */
async function killThrough(
  start: () => Promise<RunningServer>,
  attributes: object,
  rounds = ROUNDS,
): Promise<JobState> {
  let server = await start();
  const { id } = await ask(server, attributes);
  const read = () => send<JobState>(server, "GET", `/tag-jobs/${id}`);
  for (let round = 0; round < rounds; round++) {
    const before = (await read()).attributes.done;
    // Some die while a slice is written, some before the first of theirs.
    while (round % 3 !== 2 && (await read()).attributes.done === before) {
      if ((await read()).attributes.status === "done") break;
      await sleep(1);
    }
    await sleep(random() * 10);
    await server.kill({ keepData: true });
    server = await start();
  }
  await expect.poll(async () => (await read()).attributes.status, { timeout: 120_000 }).toBe("done");
  const job = await read();
  expect(await server.stop()).toBe(0);
  return job;
}

test.each<{ engine: Engine }>([{ engine: "sqlite" }, { engine: "postgres" }])(
  "kill -9 in the middle of jobs, again and again, does nothing twice and leaves nothing out ($engine)",
  async ({ engine }) => {
    const dataDir = temporaryDirectory();
    const file = join(dataDir, "tessera.db");
    const database = engine === "sqlite" ? `sqlite:${file}` : await makeDatabaseUrl(engine);
    const start = () => startServer({ database, dataDir });
    const stored = () => (engine === "sqlite" ? readSqlite(file) : readPostgres(database));
    const first = await start();
    await fill(first);
    expect(await first.stop()).toBe(0);

    async function records(job: string): Promise<{ all: number; objects: number }> {
      const text = `select count(*) as "all", count(distinct object_id) as objects from changes where job_id = '${job}'`;
      const rows =
        engine === "sqlite"
          ? readRows(file, text)
          : await withClient(database, async (client) => (await client.query<Record<string, unknown>>(text)).rows);
      return { all: Number(rows[0]?.["all"]), objects: Number(rows[0]?.["objects"]) };
    }

    const added = await killThrough(start, { action: "add", tags: [{ name: "put-on" }, { name: "key", value: "v" }] });
    expect(added.attributes).toMatchObject({ total: WORKSPACES, done: WORKSPACES, changed: WORKSPACES, refused: {} });
    expect(await records(added.id)).toEqual({ all: WORKSPACES, objects: WORKSPACES });
    expect((await stored()).faults).toEqual([]);

    const merging = { action: "merge", tags: [{ name: "put-on" }], to: "key" };
    const merged = await killThrough(start, merging, sized(1, ROUNDS));
    expect(merged.attributes).toMatchObject({ total: WORKSPACES + 1, changed: WORKSPACES + 1, refused: {} });
    expect(await records(merged.id)).toEqual({ all: WORKSPACES + 1, objects: WORKSPACES + 1 });
    const { faults, tags } = await stored();
    expect(faults).toEqual([]);
    expect([...tags]).toEqual(["key"]);
  },
);

function readRows(file: string, text: string): Record<string, unknown>[] {
  const db = new DatabaseSync(file);
  try {
    return db.prepare(text).all();
  } finally {
    db.close();
  }
}
