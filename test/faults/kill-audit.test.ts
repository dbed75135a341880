/**
 * Tests that a server that is killed again and again neither loses nor changes audit records: at sinks that are away,
 * and while it prunes.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { recordAll, signToEnd, verified } from "../support/audit.ts";
import { placesOf, readLines, startAuditTarget } from "../support/audit-target.ts";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { programFile } from "../support/program.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { openForTest } from "../support/storage.ts";

const random = randomOfRun();
const ROUNDS = sized(2, 20);
const PER_ROUND = 30;

async function post(server: RunningServer, path: string, data: unknown): Promise<string> {
  const answer = await fetch(`${server.url}/api/v2${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/vnd.api+json" },
    body: JSON.stringify({ data }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(201);
  return (JSON.parse(text) as { data: { id: string } }).data.id;
}

/** Creates tags until the server is gone; notes those that it was told are there. */
async function createMany(server: RunningServer, name: string, made: string[]): Promise<void> {
  for (let number = 0; ; number++) {
    try {
      await post(server, "/organizations/acme/tags", [{ type: "tags", attributes: { name: `${name}-${number}` } }]);
      made.push(`${name}-${number}`);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

function verify(...args: string[]) {
  return spawnSync(process.execPath, [programFile(), "audit", "verify", ...args], {
    encoding: "utf8",
    timeout: 60_000,
  });
}

/** Numbers in the order of their first coming. */
const firsts = (places: readonly number[]) => [...new Set(places)];
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each<Engine>(["sqlite", "postgres"])(
  "kill -9 while the webhook is away: every acknowledged change comes to it and to the file, at least once and in order (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const file = join(dataDir, "audit.jsonl");
    const target = await startAuditTarget();
    const args = ["--audit-file", file, "--audit-webhook", target.url, "--outbound-allow", "127.0.0.1"];
    const made: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      target.answer = round % 2 === 0 ? 500 : (response) => response.destroy();
      const server = await startServer({ database, dataDir, args });
      if (round === 0) {
        const attributes = { name: "acme", email: "a@example.com" };
        await post(server, "/organizations", { type: "organizations", attributes });
      }
      const before = made.length;
      const asked = target.asked.length;
      const clients = Array.from({ length: 4 }, async (_, client) => createMany(server, `t${round}-${client}`, made));
      while (made.length < before + PER_ROUND || target.asked.length === asked) await sleep(1);
      await sleep(random() * 300);
      await server.kill({ keepData: true });
      await Promise.all(clients);
    }
    expect(target.taken).toEqual([]);
    target.answer = 204;
    const server = await startServer({ database, dataDir, args });
    const ofTags = (lines: ReturnType<typeof readLines>) =>
      lines.flatMap((line) => (line.type === "record" && line.record.kind === "tag" ? [line.record] : []));
    const missing = (lines: ReturnType<typeof readLines>) =>
      new Set(made).difference(new Set(ofTags(lines).map(({ name }) => name))).size;
    await expect.poll(() => missing(target.taken), { timeout: 60_000 }).toBe(0);
    await expect.poll(() => missing(readLines(readFileSync(file, "utf8"))), { timeout: 60_000 }).toBe(0);
    // Beside the server that has it open.
    expect(verify("--database", database, "--data-dir", dataDir)).toMatchObject({ status: 0, stderr: "" });
    expect(await server.stop()).toBe(0);
    const written = readLines(readFileSync(file, "utf8"));
    for (const lines of [target.taken, written]) {
      const [chain = ""] = ofTags(lines).map((record) => record.chain);
      const places = firsts(placesOf(lines, chain));
      expect(places).toEqual(upTo(places.length));
      expect(places.length).toBeGreaterThanOrEqual(made.length);
    }
    expect(verify("--file", file)).toMatchObject({ status: 0, stderr: "" });
  },
);

test.each<Engine>(["sqlite", "postgres"])(
  "kill -9 while records are pruned: each chain is cut at a place that is signed, and whole from there on (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const url = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    let left = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const db = await openForTest(url, { dataDir });
      await recordAll(
        db,
        Array.from({ length: 3000 }, (_, index) => `r${round}-${index}`),
      );
      await signToEnd(db, CHAIN);
      await db.close();
      const child = spawn(process.execPath, [resolve(import.meta.dirname, "../support/pruning.ts"), url, dataDir]);
      await once(child.stdout, "data");
      await sleep(random() * 400);
      child.kill("SIGKILL");
      await once(child, "exit");
      const after = await openForTest(url, { dataDir });
      const { records, findings } = await verified(after);
      left = records;
      expect(findings).toEqual([]);
      await after.close();
    }
    expect(left).toBeGreaterThan(0);
  },
);

const CHAIN = "partition/default";
