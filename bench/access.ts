/**
 * Benchmark of the list of subjects with a permission, among many tokens: `node bench/access.ts [tokens]`. A twentieth
 * of the tokens have it. One query matches no token and examines all of them for one page; the other one reads its
 * matches page by page. The last part measures the impact of a policy change.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProgram } from "../test/support/program.ts";
import { startServer } from "../test/support/server.ts";
import { copyToken } from "./copies.ts";
import { describeMachine, pinned, pinSelf } from "./machine.ts";
import { format } from "./report.ts";
import { call } from "./seed.ts";

const ROUNDS = 3;
const KINDS = 20;
const count = Number(process.argv[2] ?? 100_000);

pinSelf(1);
const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
try {
  await bundleProgram(directory);
  const options = { wrapper: pinned(0), dataDir: join(directory, "data"), outputFile: join(directory, "server.log") };
  const first = await startServer(options);
  const seeded = { url: first.url, token: first.token };
  const made: string[] = [];
  for (let kind = 0; kind < KINDS; kind++) {
    const Policies: object[] = [];
    for (let each = 0; each < 10; each++) {
      const Rules = `workspace_prefix "org-${kind}/${each}" { policy = "write" }\nkey_prefix "${each}" { policy = "read" }\n`;
      const policy = await call(seeded, "PUT", "/v1/acl/policy", { Name: `policy-${kind}-${each}`, Rules });
      Policies.push({ ID: (policy as { ID: string }).ID });
    }
    const role = { Name: `role-${kind}`, Policies: Policies.slice(5) };
    const { ID } = (await call(seeded, "PUT", "/v1/acl/role", role)) as { ID: string };
    const token = { Policies: Policies.slice(0, 5), Roles: [{ ID }] };
    made.push(((await call(seeded, "PUT", "/v1/acl/token", token)) as { AccessorID: string }).AccessorID);
  }
  await first.stop();
  for (const accessor of made) copyToken(join(directory, "data/tessera.db"), accessor, count / KINDS);
  const server = await startServer(options);
  const target = () => ({ url: server.url, token: first.token });
  const walk = async (segment: string): Promise<{ seconds: number; found: number }> => {
    const began = performance.now();
    let found = 0;
    for (let after = ""; ;) {
      const query = `resource=workspace&segment=${segment}&access=write&kind=token&page-size=1000${after && `&after=${after}`}`;
      const answer = await fetch(`${server.url}/v1/acl/access?${query}`, {
        headers: { "x-service-token": first.token },
      });
      if (!answer.ok) throw new Error(await answer.text());
      found += ((await answer.json()) as unknown[]).length;
      after = answer.headers.get("x-service-next") ?? "";
      if (after === "") return { seconds: (performance.now() - began) / 1000, found };
    }
  };
  process.stdout.write(`${describeMachine()}\n`);
  for (const segment of ["nowhere/x", "org-7/3-x"]) {
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const result = await walk(segment);
      times.push(result.seconds);
      ({ found } = result);
    }
    const [best, worst] = [Math.min(...times), Math.max(...times)];
    process.stdout.write(
      `who may write ${segment}, ${count.toLocaleString("en-US")} tokens: ${found} found in ${format(best)} s at best, ${format(worst)} s at worst\n`,
    );
  }
  // In the first change, all tokens of one kind lose a permission. In the second, no token does.
  const policies = (await call(target(), "GET", "/v1/acl/policies")) as { ID: string; Name: string }[];
  const ID = policies.find(({ Name }) => Name === "policy-7-3")?.ID;
  const nobody = `workspace_prefix "org-7/3" { policy = "write" }\nkey_prefix "3" { policy = "read" }\n`;
  for (const [what, Rules] of [
    ["a policy loses a rule", ""],
    ["a policy stays", nobody],
  ] as const) {
    const times: number[] = [];
    let lose = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      const effect = await call(target(), "POST", "/v1/acl/effect", { Policies: [{ ID, Rules }] });
      times.push((performance.now() - began) / 1000);
      lose = (effect as { Tokens: { Lose: number } }).Tokens.Lose;
    }
    process.stdout.write(`${what}: ${lose} tokens lose rights, said in ${times.map(format).join(", ")} s\n`);
  }
  await server.kill();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
