/**
 * `node bench/namespaces.ts [sqlite|postgres]`: thousands of namespaces with defaults, the deletion of a large one, and
 * writers in two partitions. `--tokens N` says how many tokens the deleted one has, `--deletion` and `--partitions`
 * measure those alone.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadStream } from "./load-types.ts";
import type { Fact } from "./report.ts";
import { measure, runLoad, type Goal, type Row, type Scenario } from "./scenario.ts";
import { call, inParallel, numbered, type Target } from "./seed.ts";
import { bench, CONDITIONS, log, type Servers } from "./servers.ts";

const COUNT = 10_000;
const VISIBLE = 10;
const ROUNDS = 20;

function tokensToDelete(): number {
  const at = process.argv.indexOf("--tokens");
  return at < 0 ? 100_000 : Number(process.argv[at + 1]);
}

/** Makes the namespaces. @returns their names */
async function fill(target: Target): Promise<string[]> {
  log(`${COUNT} namespaces`);
  await call(target, "PUT", "/v1/acl/policy", { Name: "catalog", Rules: 'service_prefix "" { policy = "read" }' });
  await call(target, "PUT", "/v1/acl/role", { Name: "on-call", Policies: [{ Name: "catalog" }] });
  const names = numbered("team", COUNT);
  await inParallel(names, 16, (name) => call(target, "PUT", "/v1/namespace", namespace(name)));
  await sleep(3000);
  return names;
}

function namespace(name: string): object {
  return {
    Name: name,
    Description: `what ${name} runs`,
    ACLs: { PolicyDefaults: [{ Name: "catalog" }], RoleDefaults: [{ Name: "on-call" }] },
    Meta: { owner: name },
  };
}

async function reads({ target, bases }: Servers, names: readonly string[]): Promise<Row[]> {
  const requests = names.map((name) => ({ method: "GET", path: `/v1/namespace/${name}` }));
  const name = `read a namespace, of ${COUNT.toLocaleString("en-US")}`;
  const source = { kind: "cycle", requests } as const;
  const scenario: Scenario = { name, goals: [], streams: [{ name, connections: 32, source }] };
  log(name);
  return [await measure(scenario, target, bases, CONDITIONS)];
}

async function secretOf(target: Target, scope: string, content: object): Promise<string> {
  const token = await call(target, "PUT", `/v1/acl/token${scope}`, content);
  return (token as { SecretID: string }).SecretID;
}

/** A token that sees some of the namespaces, by their names. */
async function narrowToken(target: Target, names: readonly string[]): Promise<string> {
  const rules = names.slice(0, VISIBLE).map((name) => `namespace "${name}" { service_prefix "" { policy = "read" } }`);
  await call(target, "PUT", "/v1/acl/policy", { Name: "few", Rules: rules.join("\n") });
  return secretOf(target, "", { Policies: [{ Name: "few" }] });
}

/** The list after a change, so that no answer is kept from before: the median. */
async function lists(target: Target, names: readonly string[]): Promise<Fact[]> {
  const narrow = await narrowToken(target, names);
  const facts: Fact[] = [];
  for (const [what, token, wanted] of [
    [`list ${COUNT.toLocaleString("en-US")} namespaces, just changed`, target.token, COUNT + 1],
    [`list them for a token that sees ${VISIBLE}, just changed`, narrow, VISIBLE],
  ] as const) {
    log(what);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await call(target, "PUT", "/v1/namespace", namespace(names[round] ?? ""));
      const began = performance.now();
      const list = await call({ url: target.url, token }, "GET", "/v1/namespaces");
      times.push(performance.now() - began);
      if ((list as unknown[]).length !== wanted) throw new Error(`${what}: ${(list as unknown[]).length} entries`);
    }
    const sorted = times.toSorted((a, b) => a - b);
    facts.push({ name: `${what}, median of ${ROUNDS}`, value: sorted[ROUNDS / 2] ?? 0, unit: "ms" });
  }
  return facts;
}

/** Deletes a namespace with many tokens while clients of another one ask for their own token. */
async function deletion({ target }: Servers, elsewhere: string): Promise<Fact[]> {
  const count = tokensToDelete();
  log(`a namespace with ${count} tokens`);
  await call(target, "PUT", "/v1/namespace", { Name: "large" });
  await inParallel(Array.from({ length: count }), 32, (_) =>
    call(target, "PUT", "/v1/acl/token?ns=large", { Description: "made by the benchmark" }),
  );
  await sleep(3000);
  const token = await secretOf(target, `?ns=${elsewhere}`, {});
  const source = { kind: "cycle", requests: [{ method: "GET", path: "/v1/acl/token/self" }] } as const;
  const streams: LoadStream[] = [{ name: "token/self", connections: 8, rate: 500, source }];
  const load = { url: target.url, token, warmupSeconds: 2, seconds: 15, streams };
  log("deletion");
  const running = runLoad(load);
  await sleep(3000);
  const began = performance.now();
  await call(target, "DELETE", "/v1/namespace/large");
  while (await exists(target, "/v1/namespace/large")) await sleep(50);
  const seconds = (performance.now() - began) / 1000;
  const { streams: results } = await running;
  return [
    { name: `deletion of a namespace with ${count.toLocaleString("en-US")} tokens`, value: seconds, unit: "s" },
    { name: "token/self in another namespace meanwhile, p50", value: results[0]?.p50 ?? 0, unit: "ms" },
    { name: "token/self in another namespace meanwhile, p99", value: results[0]?.p99 ?? 0, unit: "ms" },
  ];
}

async function exists(target: Target, path: string): Promise<boolean> {
  const answer = await fetch(`${target.url}${path}`, { headers: { "x-consul-token": target.token } });
  await answer.arrayBuffer();
  return answer.status !== 404;
}

/** As many writers in one partition, and spread over two. */
async function partitions({ target, bases }: Servers): Promise<Row[]> {
  for (const name of ["unit-1", "unit-2"]) await call(target, "PUT", "/v1/partition", { Name: name });
  const body = JSON.stringify({ Description: "made by the benchmark" });
  const writers = (name: string): LoadStream => ({
    name,
    connections: 32,
    source: { kind: "cycle", requests: [{ method: "PUT", path: `/v1/acl/token?partition=${name}`, body }] },
  });
  const goals: Goal[] = [];
  const rows: Row[] = [];
  for (const [name, streams] of [
    ["create a token, in one partition", [writers("unit-1")]],
    ["the same in two partitions at once", [writers("unit-1"), writers("unit-2")]],
  ] as const) {
    log(name);
    rows.push(await measure({ name, goals, streams }, target, bases, CONDITIONS));
  }
  return rows;
}

await bench(async (servers) => {
  if (process.argv.includes("--deletion")) {
    await call(servers.target, "PUT", "/v1/namespace", { Name: "other" });
    return { rows: [], facts: await deletion(servers, "other") };
  }
  if (process.argv.includes("--partitions")) return { rows: await partitions(servers), facts: [] };
  const names = await fill(servers.target);
  const rows = [...(await reads(servers, names)), ...(await partitions(servers))];
  const facts = [...(await lists(servers.target, names)), ...(await deletion(servers, names[0] ?? ""))];
  return { rows, facts };
});
