/**
 * `node bench/tag-receive.ts [LINES]`: a file that names so many tags is received on SQLite, while a workspace of the same
 * organization is changed again and again: how long the file takes, and how long each change.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../test/support/server.ts";
import { call, createOrganization } from "./seed.ts";

const LINES = Number(process.argv[2] ?? 100_000);
const dataDir = mkdtempSync(join(tmpdir(), "tessera-bench-receive-"));

interface Answer {
  data: { id: string };
}

try {
  const server = await startServer({ database: `sqlite:${join(dataDir, "tessera.db")}`, dataDir });
  await createOrganization(server, "acme");
  const made = { data: { type: "workspaces", attributes: { name: "small" } } };
  const { data } = (await call(server, "POST", "/api/v2/organizations/acme/workspaces", made)) as Answer;
  const times: number[] = [];
  let isOver = false;
  async function change(): Promise<void> {
    for (let at = 0; !isOver; at++) {
      const attributes = { description: `change ${at}` };
      const began = performance.now();
      await call(server, "PATCH", `/api/v2/workspaces/${data.id}`, { data: { type: "workspaces", attributes } });
      times.push(performance.now() - began);
    }
  }
  const lines = Array.from({ length: LINES }, (_, at) => `{"kind":"tag","name":"tag${at}"}\n`).join("");
  const changing = change();
  const began = performance.now();
  const answer = await fetch(`${server.url}/api/v2/organizations/acme/tag-imports`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/x-ndjson" },
    body: lines,
  });
  const seconds = (performance.now() - began) / 1000;
  isOver = true;
  await changing;
  times.sort((one, other) => one - other);
  const at = (part: number) => `${(times[Math.floor((times.length - 1) * part)] ?? 0).toFixed(1)} ms`;
  process.stdout.write(
    `${LINES} lines: ${answer.status} in ${seconds.toFixed(1)} s; ${times.length} changes meanwhile, ` +
      `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}\n`,
  );
  await server.stop();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
