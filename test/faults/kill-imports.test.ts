/** Imports on a real server that is killed again and again: while the file is sent, and while the job takes it over. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { lineOf } from "../support/imports.ts";
import { sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { readPostgres, readSqlite } from "./stored-state.ts";

const ROUNDS = sized(5, 20);
const WORKSPACES = sized(300, 2000);
const random = randomOfRun();

interface JobState {
  id: string;
  attributes: { status: string; total: number; done: number; changed: number; refused: object };
}

async function send(
  server: RunningServer,
  method: string,
  path: string,
  body?: string,
  type?: string,
): Promise<string> {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": type ?? "application/vnd.api+json" };
  const answer = await fetch(`${server.url}/api/v2${path}`, { method, headers, ...(body !== undefined && { body }) });
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text;
}

async function makeWorkspaces(server: RunningServer): Promise<void> {
  const make = (path: string, type: string, attributes: object) =>
    send(server, "POST", path, JSON.stringify({ data: { type, attributes } }));
  await make("/organizations", "organizations", { name: "killed", email: "a@example.com" });
  const names = Array.from({ length: WORKSPACES }, (_, at) => nameOf(at));
  const lane = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      await make("/organizations/killed/workspaces", "workspaces", { name });
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

const nameOf = (at: number) => `ws-${String(at).padStart(5, "0")}`;

/** Final state, as an export shows it. */
const FILE = [
  ...["all", "env", ...Array.from({ length: 10 }, (_, at) => `some-${at}`)].map((name) =>
    lineOf({ kind: "tag", name, pinned: name === "all" }),
  ),
  lineOf({ kind: "project", name: "Default Project", bindings: [] }),
  ...Array.from({ length: WORKSPACES }, (_, at) =>
    lineOf({
      kind: "workspace",
      name: nameOf(at),
      tags: ["all", `some-${at % 10}`],
      bindings: [{ key: "env", value: `v${at}` }],
    }),
  ),
  lineOf({
    kind: "tag-policy",
    name: "policy",
    enforce: "refuse",
    rules: [{ name: "envs", project: "Default Project", "required-keys": ["env"] }],
  }),
].join("");

test.each<{ engine: Engine }>([{ engine: "sqlite" }, { engine: "postgres" }])(
  "kill -9 in the middle of an import, again and again, gives what the file says, once ($engine)",
  async ({ engine }) => {
    const dataDir = temporaryDirectory();
    const file = join(dataDir, "tessera.db");
    const database = engine === "sqlite" ? `sqlite:${file}` : await makeDatabaseUrl(engine);
    let server = await startServer({ database, dataDir });
    await makeWorkspaces(server);
    const path = "/organizations/killed/tag-imports?mode=replace";
    const sent = (text: string) => send(server, "POST", path, text, "application/x-ndjson");

    // Killed while it is sent: nothing of it begins.
    const cut = sent(FILE).catch(() => undefined);
    await sleep(random() * 30);
    await server.kill({ keepData: true });
    const isAsked = (await cut) !== undefined;
    server = await startServer({ database, dataDir });
    const { data: jobs } = JSON.parse(await send(server, "GET", "/organizations/killed/tag-jobs")) as {
      data: JobState[];
    };
    if (isAsked) expect(jobs).toHaveLength(1);

    const { data: job } = JSON.parse(await sent(FILE)) as { data: JobState };
    const read = async () => (JSON.parse(await send(server, "GET", `/tag-jobs/${job.id}`)) as { data: JobState }).data;
    for (let round = 0; round < ROUNDS; round++) {
      const before = await read();
      while (
        round % 3 !== 2 &&
        before.attributes.status !== "done" &&
        (await read()).attributes.done === before.attributes.done
      ) {
        await sleep(1);
      }
      await sleep(random() * 10);
      await server.kill({ keepData: true });
      server = await startServer({ database, dataDir });
    }
    await expect.poll(async () => (await read()).attributes.status, { timeout: 120_000 }).toBe("done");
    const { attributes } = await read();
    expect(attributes).toMatchObject({ done: WORKSPACES + 14, total: WORKSPACES + 14, refused: {} });
    // The other one, if it was asked for, has changed them.
    if (jobs.length === 0) expect(attributes.changed).toBe(WORKSPACES + 2);
    expect(await send(server, "GET", "/organizations/killed/tags/export?format=jsonl")).toBe(FILE);
    expect(await server.stop()).toBe(0);
    const stored = engine === "sqlite" ? await readSqlite(file) : await readPostgres(database);
    expect(stored.faults).toEqual([]);
  },
);
