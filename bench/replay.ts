/**
 * Benchmark of a replay: `node bench/replay.ts [pairs]`. The ledger has rows of 200 tokens over 50 policies with 20 rules
 * each; one policy loses all of them. Every pair is read, decided twice and counted.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "../test/support/program.ts";
import { startServer } from "../test/support/server.ts";
import { describeMachine, pinned, pinSelf } from "./machine.ts";
import { format } from "./report.ts";
import { call } from "./seed.ts";

const ROUNDS = 5;
const TOKENS = 200;
const POLICIES = 50;
const RULES = 20;
const pairs = Number(process.argv[2] ?? 100_000);

/** Writes rows of one token past the server. @param policy whose rules were used */
function addRows(db: DatabaseSync, accessor: string, policy: { id: string; number: number }, count: number): void {
  const insert = db.prepare(
    `insert into use_rows values (?, ?, 'default', 'default', ?, '', ?, ?, 'key', 1, ?, 'write', '', 'default', 'default',
       'key', ?, 'enforced', '', ?, 12, ?, ?, 1, 1, 1, 1, 1)`,
  );
  const today = Math.floor(Date.now() / 86_400_000);
  const subject = JSON.stringify({ kind: "token", accessorId: accessor });
  for (let each = 0; each < count; each++) {
    const segment = `app-${policy.number}/${each % RULES}/`;
    const id = `${accessor} ${each}`;
    const access = each % 2 === 0 ? "read" : "write";
    insert.run(id, id, accessor, subject, policy.id, segment, access, `${segment}${each}`, today - 100, today);
  }
}

pinSelf(1);
const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
try {
  await bundleProgram(directory);
  const options = { wrapper: pinned(0), dataDir: join(directory, "data"), outputFile: join(directory, "server.log") };
  const first = await startServer(options);
  const seeded = { url: first.url, token: first.token };
  const policies: string[] = [];
  for (let number = 0; number < POLICIES; number++) {
    const rules = Array.from({ length: RULES }, (_, n) => `key_prefix "app-${number}/${n}/" { policy = "write" }`);
    const made = await call(seeded, "PUT", "/v1/acl/policy", { Name: `app-${number}`, Rules: rules.join("\n") });
    policies.push((made as { ID: string }).ID);
  }
  const tokens: string[] = [];
  for (let number = 0; number < TOKENS; number++) {
    const held = [...new Set([number % POLICIES, (number * 7 + 1) % POLICIES, (number * 3 + 2) % POLICIES])];
    const content = { Policies: held.map((each) => ({ ID: policies[each] })) };
    tokens.push(((await call(seeded, "PUT", "/v1/acl/token", content)) as { AccessorID: string }).AccessorID);
  }
  await first.stop();
  const db = new DatabaseSync(join(directory, "data/tessera.db"));
  db.exec("pragma synchronous = off; begin");
  for (const [index, accessor] of tokens.entries()) {
    const number = index % POLICIES;
    addRows(db, accessor, { id: policies[number] ?? "", number }, pairs / TOKENS);
  }
  db.exec("commit; pragma wal_checkpoint(truncate)");
  db.close();
  const server = await startServer(options);
  const target = { url: server.url, token: first.token };
  process.stdout.write(`${describeMachine()}\n`);
  for (const [what, draft] of [
    ["a policy loses its rules", { Policies: [{ ID: policies[7], Rules: "" }] }],
    ["nothing changes", {}],
  ] as const) {
    const times: number[] = [];
    let told = "";
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      const { Pairs, Refused } = (await call(target, "POST", "/v1/acl/replay", draft)) as Record<string, number>;
      times.push((performance.now() - began) / 1000);
      told = `${Refused} of ${Pairs} pairs refused`;
    }
    process.stdout.write(`${what}: ${told}, in ${times.map(format).join(", ")} s\n`);
  }
  await server.kill();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
