/**
 * `node bench/tag-files.ts [WORKSPACES]`: export and import of an organization on SQLite whose workspaces carry ten tags each, of as
 * many tags as there are workspaces: how long each takes, and the most memory that the server has had by then.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../test/support/server.ts";
import { processorSeconds } from "./machine.ts";
import { call, createOrganization, type Target } from "./seed.ts";

const WORKSPACES = Number(process.argv[2] ?? 100_000);
const TAGS_EACH = 10;
const dataDir = mkdtempSync(join(tmpdir(), "tessera-bench-files-"));
const file = join(dataDir, "tessera.db");
const options = { database: `sqlite:${file}`, dataDir };

/** Past the server, which would take minutes. @param isTagged whether they carry anything */
function fill(db: DatabaseSync, name: string, isTagged: boolean): void {
  const owner = db.prepare("select id, default_project_id as project from organizations where name = ?").get(name);
  const { id, project } = owner as { id: string; project: string };
  const now = new Date().toISOString();
  const workspace =
    db.prepare(`insert into workspaces (id, organization_id, project_id, name, name_key, settings, locked,
    locked_reason, locked_by, created_at, updated_at, latest_change_at) values (?, ?, ?, ?, ?, '{}', 0, '', '', ?, ?, ?)`);
  const tag = db.prepare(
    "insert into tags (id, organization_id, name, pinned, instance_count, created_at) values (?, ?, ?, 0, ?, ?)",
  );
  const link = db.prepare(
    "insert into workspace_tags (workspace_id, tag_id, workspace_key, position) values (?, ?, ?, ?)",
  );
  const numbered = (kind: string, at: number) => `${kind}-${String(at).padStart(6, "0")}`;
  db.exec("begin");
  for (let at = 0; at < WORKSPACES; at++) {
    const [key, tagName] = [numbered("workspace", at), numbered("tag", at)];
    workspace.run(`ws-${name}${at}`, id, project, key, key, now, now, now);
    if (isTagged) tag.run(`tag-${name}${at}`, id, tagName, TAGS_EACH, now);
  }
  for (let at = 0; isTagged && at < WORKSPACES * TAGS_EACH; at++) {
    const [from, to] = [Math.floor(at / TAGS_EACH), (at * 7919) % WORKSPACES];
    link.run(`ws-${name}${from}`, `tag-${name}${to}`, numbered("workspace", from), at);
  }
  db.prepare("update organizations set workspace_count = ?, tag_count = ? where id = ?").run(
    WORKSPACES,
    isTagged ? WORKSPACES : 0,
    id,
  );
  db.prepare("update projects set workspace_count = ? where id = ?").run(WORKSPACES, project);
  db.exec("commit");
}

function peak({ pid }: Target): string {
  return /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "?";
}

async function measure<T>(target: Target, name: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const busy = processorSeconds(target.pid ?? 0);
  const result = await work();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const used = (processorSeconds(target.pid ?? 0) - busy).toFixed(1);
  const memory = Math.round(Number(peak(target)) / 1024);
  process.stdout.write(`${name}: ${seconds} s, ${used} s of processors, at most ${memory} MiB\n`);
  return result;
}

async function send({ url, token }: Target, path: string, body?: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" };
  const method = body === undefined ? "GET" : "POST";
  const answer = await fetch(`${url}/api/v2/organizations/${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

interface Answer {
  data: { id: string; attributes: Record<string, unknown> };
}

async function runJob(target: Target, path: string, body: string): Promise<void> {
  const { data } = (await (await send(target, path, body)).json()) as Answer;
  process.stdout.write(`  received at ${new Date().toISOString()}\n`);
  for (;;) {
    const { attributes } = ((await call(target, "GET", `/api/v2/tag-jobs/${data.id}`)) as Answer).data;
    const { status, done, changed, refused } = attributes;
    if (status === "queued" || status === "running") await sleep(200);
    else return void process.stdout.write(`  ${JSON.stringify({ status, done, changed, refused })}\n`);
  }
}

try {
  const first = await startServer(options);
  for (const name of ["full", "empty"]) await createOrganization(first, name);
  await first.stop();
  const db = new DatabaseSync(file);
  fill(db, "full", true);
  fill(db, "empty", false);
  db.close();
  const server = await startServer(options);
  const target = server;
  await measure(target, "nothing", async () => {});
  const csv = await measure(target, "export as CSV", async () =>
    (await send(target, "full/tags/export?format=csv")).text(),
  );
  const text = await measure(target, "export as JSON lines", async () =>
    (await send(target, "full/tags/export")).text(),
  );
  process.stdout.write(`${csv.length} and ${text.length} bytes\n`);
  await measure(target, "preview where it comes from", async () => {
    const { data } = (await (await send(target, "full/tag-imports?preview=true", text)).json()) as Answer;
    const { create, change, remove, unchanged } = data.attributes;
    process.stdout.write(`  ${JSON.stringify({ create, change, remove, unchanged })}\n`);
  });
  await measure(target, "import where it comes from", () => runJob(target, "full/tag-imports", text));
  await measure(target, "import into one without tags", () => runJob(target, "empty/tag-imports", text));
  const again = await (await send(target, "empty/tags/export")).text();
  process.stdout.write(again === text ? "the export is the same\n" : "THE EXPORT IS ANOTHER\n");
  await server.stop();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
