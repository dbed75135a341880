/**
 * `node bench/tag-jobs.ts [WORKSPACES]`: a job that adds a tag to all workspaces of an organization on SQLite: how long it
 * takes, and what other clients, one that reads and one that writes, wait meanwhile and without it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../test/support/server.ts";
import { processorSeconds } from "./machine.ts";
import { call, createOrganization, type Target } from "./seed.ts";

const WORKSPACES = Number(process.argv[2] ?? 100_000);
const dataDir = mkdtempSync(join(tmpdir(), "tessera-bench-jobs-"));
const file = join(dataDir, "tessera.db");
const options = { database: `sqlite:${file}`, dataDir };

/** Past the server, which would take minutes. */
function fill(db: DatabaseSync): void {
  const owner = db.prepare("select id, default_project_id as project from organizations where name = 'large'").get();
  const { id, project } = owner as { id: string; project: string };
  const insert = db.prepare(`insert into workspaces (id, organization_id, project_id, name, name_key, settings, locked,
    locked_reason, locked_by, created_at, updated_at, latest_change_at) values (?, ?, ?, ?, ?, '{}', 0, '', '', ?, ?, ?)`);
  const now = new Date().toISOString();
  db.exec("begin");
  for (let at = 0; at < WORKSPACES; at++) {
    const name = `ws-${String((at * 7919) % WORKSPACES).padStart(6, "0")}`;
    const random = `${at}`.padStart(6, "0");
    insert.run(`ws-${Math.random().toString(36).slice(2, 12)}${random}`, id, project, name, name, now, now, now);
  }
  db.prepare("update organizations set workspace_count = ? where id = ?").run(WORKSPACES, id);
  db.prepare("update projects set workspace_count = ? where id = ?").run(WORKSPACES, project);
  db.exec("commit");
}

interface Load {
  stop(): Promise<number[]>;
}

/** Asks one request after the other, 100 a second at the most. @returns what stops it and gives the milliseconds of each */
function startLoad(send: (count: number) => Promise<unknown>): Load {
  const times: number[] = [];
  let isOver = false;
  const running = (async () => {
    for (let count = 0; !isOver; count++) {
      const began = performance.now();
      await send(count);
      times.push(performance.now() - began);
      await sleep(10);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      return times;
    },
  };
}

function show(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  process.stdout.write(
    `${name}: ${times.length} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(0.9999)} ms\n`,
  );
}

async function measure(target: Target, workspace: string, prefix: string, work: () => Promise<void>): Promise<void> {
  const reads = startLoad(() => call(target, "GET", "/api/v2/organizations/other/workspaces"));
  const writes = startLoad((count) =>
    call(target, "PATCH", `/api/v2/workspaces/${workspace}`, {
      data: { type: "workspaces", attributes: { description: `${prefix} ${count}` } },
    }),
  );
  await work();
  const [read, written] = await Promise.all([reads.stop(), writes.stop()]);
  show(`${prefix}: reads`, read);
  show(`${prefix}: writes`, written);
}

interface Answer {
  data: { id: string; attributes: { status: string; done: number; changed: number } };
}

async function runJob(target: Target, attributes: object): Promise<void> {
  const began = performance.now();
  const busy = processorSeconds(target.pid ?? 0);
  const data = { type: "tag-jobs", attributes };
  const { data: job } = (await call(target, "POST", "/api/v2/organizations/large/tag-jobs", { data })) as Answer;
  for (;;) {
    const { data: now } = (await call(target, "GET", `/api/v2/tag-jobs/${job.id}`)) as Answer;
    if (!["queued", "running"].includes(now.attributes.status)) {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const used = (processorSeconds(target.pid ?? 0) - busy).toFixed(1);
      process.stdout.write(
        `${JSON.stringify(attributes)}: ${seconds} s, ${used} s of processors, ${now.attributes.status}, ${now.attributes.changed} changed\n`,
      );
      return;
    }
    await sleep(100);
  }
}

try {
  const first = await startServer(options);
  await createOrganization(first, "large");
  await createOrganization(first, "other");
  const attributes = { name: "written" };
  const made = await call(first, "POST", "/api/v2/organizations/other/workspaces", {
    data: { type: "workspaces", attributes },
  });
  const workspace = (made as { data: { id: string } }).data.id;
  await first.stop();
  const db = new DatabaseSync(file);
  fill(db);
  db.close();
  const server = await startServer(options);
  await measure(server, workspace, "alone", () => sleep(5000));
  const add = { action: "add", tags: [{ name: "added" }] };
  await measure(server, workspace, "add", () => runJob(server, add));
  await measure(server, workspace, "delete", () => runJob(server, { action: "delete", tags: [{ name: "added" }] }));
  await server.stop();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
