import { execFileSync } from "node:child_process";
import { copyFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectClient } from "../faults/api-client.ts";
import { isCopied, slotOf, until } from "../faults/lost-log.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { refusedStart } from "./refused-start.ts";

const organization = (name: string) => ({
  data: { type: "organizations", attributes: { name, email: "owner@example.com" } },
});

interface Session {
  /** Makes an organization. */
  write(name: string): Promise<{ status: number; retryAfter: unknown }>;
  read(path: string): Promise<number>;
}

function session(server: RunningServer): Session {
  const client = connectClient(server.url, server.token);
  onTestFinished(() => client.close());
  return {
    async write(name) {
      const answer = await client.send("POST", "/api/v2/organizations", organization(name));
      return { status: answer.status, retryAfter: answer.headers["retry-after"] };
    },
    read: async (path) => (await client.send("GET", path)).status,
  };
}

describe("incident 54: nothing is acknowledged into a file that is gone", () => {
  const losses: [string, (dataDir: string) => void][] = [
    ["a database that is removed", (dataDir) => rmSync(join(dataDir, "tessera.db"))],
    [
      "a database that is replaced",
      (dataDir) => {
        copyFileSync(join(dataDir, "tessera.db"), join(dataDir, "other"));
        renameSync(join(dataDir, "other"), join(dataDir, "tessera.db"));
      },
    ],
    ["a directory that is removed", (dataDir) => rmSync(dataDir, { recursive: true })],
  ];
  test.each(losses)("%s: writes 503, not ready, and the process ends with a failure", async (_name, lose) => {
    const dataDir = join(temporaryDirectory(), "data");
    const server = await startServer({ dataDir });
    const { write, read } = session(server);
    expect((await write("before")).status).toBe(201);
    // Several at once, so that some are between their commit and their sync when it happens.
    const racing = Array.from({ length: 8 }, (_each, number) => session(server).write(`during-${number}`));
    lose(dataDir);
    expect((await write("at-once")).status).toBe(503);
    await Promise.all(racing);
    await expect.poll(() => read("/readyz")).toBe(503);
    expect(await write("after")).toEqual({ status: 503, retryAfter: "1" });
    expect(await read("/readyz")).toBe(503);
    // Nothing is said of reads here: where a commit was not kept, no answer that may have seen it leaves.
    expect(await server.exited).toBe(1);
    expect(server.stdout).toMatch(
      /"msg":"\S+ (was moved or deleted|was replaced by another file while the server was running); writes are rejected/,
    );
  });

  test("the process ends also when nobody writes, and the next start is refused", async () => {
    const dataDir = join(temporaryDirectory(), "data");
    const server = await startServer({ dataDir });
    rmSync(join(dataDir, "tessera.db"));
    expect(await server.exited).toBe(1);
    const { code, lines } = await refusedStart({ dataDir });
    expect([code, lines.length]).toEqual([2, 1]);
    expect(lines[0]).toMatch(/tessera\.db is missing, but its write-ahead log|the database is missing or empty/);
  });
});

test("incident 66: a database file that shrinks under a running server is noticed while nobody reads", async () => {
  const dataDir = join(temporaryDirectory(), "data");
  const server = await startServer({ dataDir });
  const { write } = session(server);
  const file = join(dataDir, "tessera.db");
  // Wait: the server would write pages back that are still in the log, or not written yet.
  await until(() => isCopied(slotOf(dataDir)) && Date.now() - slotOf(dataDir).at > 1000);
  truncateSync(file, statSync(file).size - 4096);
  await expect
    .poll(() => server.stdout, { timeout: 20_000 })
    .toMatch(/"msg":"the database \S+ is corrupted \(the file is \d+ bytes long/);
  expect((await write("after")).status).toBe(503);
  await server.kill();
});

test("incident 66: and while others write, whose pages make it long again", async () => {
  const dataDir = join(temporaryDirectory(), "data");
  const server = await startServer({ dataDir });
  const { write } = session(server);
  const file = join(dataDir, "tessera.db");
  const writers = [1, 2].map(async (writer) => {
    for (let i = 0; ; i++) if ((await write(`w-${writer}-${i}`)).status !== 201) return;
  });
  // Cut as soon as something has been copied: the next copying is a quarter of a second away.
  let size = 0;
  const grows = () => statSync(file).size > size;
  for (let copies = 0; copies < 3; copies++) {
    size = statSync(file).size;
    await until(grows);
  }
  await until(() => isCopied(slotOf(dataDir)));
  truncateSync(file, statSync(file).size - 8 * 4096);
  await expect.poll(() => server.stdout, { timeout: 20_000 }).toMatch(/"msg":"the database \S+ is corrupted \(/);
  await Promise.all(writers);
  expect((await write("after")).status).toBe(503);
  await server.kill();
});

describe("incident 55: faults of storage are told as such", () => {
  test("a log that is removed: writes 503 with Retry-After, not ready, and no write that was answered is lost", async () => {
    const dataDir = join(temporaryDirectory(), "data");
    const server = await startServer({ dataDir });
    const { write, read } = session(server);
    expect((await write("kept")).status).toBe(201);
    rmSync(join(dataDir, "tessera.db-wal"));
    await expect.poll(() => read("/readyz")).toBe(503);
    expect(await write("refused")).toEqual({ status: 503, retryAfter: "1" });
    expect(await read("/readyz")).toBe(503);
    // Nothing is said of reads here either: what the server itself wrote meanwhile may not have been kept.
    expect([200, 503]).toContain(await read("/api/v2/organizations/kept"));
    expect(await server.exited).toBe(1);
    const again = await startServer({ dataDir });
    expect(await session(again).read("/api/v2/organizations/kept")).toBe(200);
    expect(await session(again).read("/api/v2/organizations/refused")).toBe(404);
    expect(await again.stop()).toBe(0);
  });

  const reason = whyNotImmutable();
  test.skipIf(reason !== undefined)(
    `a file that may only be read: writes 503 with Retry-After, not ready, reads go on${reason === undefined ? "" : ` (skipped: ${reason})`}`,
    async () => {
      const dataDir = join(temporaryDirectory(), "data");
      const first = await startServer({ dataDir });
      expect((await session(first).write("kept")).status).toBe(201);
      expect(await first.stop()).toBe(0);
      const file = join(dataDir, "tessera.db");
      execFileSync("chattr", ["+i", file]);
      onTestFinished(() => void execFileSync("chattr", ["-i", file]));
      const server = await startServer({ dataDir });
      const { write, read } = session(server);
      expect(await write("refused")).toEqual({ status: 503, retryAfter: "1" });
      expect(await read("/readyz")).toBe(503);
      expect(await read("/api/v2/organizations/kept")).toBe(200);
      expect(await server.stop()).toBe(0);
    },
  );
});

/** Root may write whatever the mode says; only a file that is marked immutable keeps it out. */
function whyNotImmutable(): string | undefined {
  const file = join(temporaryDirectory(), "try");
  writeFileSync(file, "");
  try {
    execFileSync("chattr", ["+i", file], { stdio: "pipe" });
    execFileSync("chattr", ["-i", file], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `no file can be made immutable here: ${String(error).split("\n")[0]}`;
  }
}
