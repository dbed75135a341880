/**
 * `node bench/use-ledger.ts [TOKENS]`: what the use ledger costs, against a server without it: processor time of a request. Tokens
 * (1,000 unless it is said) take turns. On and off are measured by turns. The goal is 3 % for each row.
 */
import { startServer, type RunningServer } from "../test/support/server.ts";
import type { LoadStream, WireRequest } from "./load-types.ts";
import { describeMachine } from "./machine.ts";
import { treeMicroseconds } from "./nodes/cpu.ts";
import { median } from "./median.ts";
import { refuseFailures, runLoad } from "./scenario.ts";
import { call, createOrganization, createWorkspaces, inParallel } from "./seed.ts";

const SECONDS = 3;
const ROUNDS = 5;
const CONNECTIONS = 32;

async function prepare({ url, token }: RunningServer, tokens: number): Promise<LoadStream[]> {
  const target = { url, token };
  const Rules = 'acl = "read" organization_prefix "" { policy = "read" } key_prefix "" { policy = "read" }';
  const { ID } = (await call(target, "PUT", "/v1/acl/policy", { Name: "used", Rules })) as { ID: string };
  const secrets = await inParallel(Array.from({ length: tokens }), 16, async () => {
    const made = await call(target, "PUT", "/v1/acl/token", { Policies: [{ ID }] });
    return (made as { SecretID: string }).SecretID;
  });
  await createOrganization(target, "acme");
  const [workspace] = await createWorkspaces(target, "acme", ["w"]);
  const body = JSON.stringify([{ Resource: "key", Access: "read", Segment: "app/config" }]);
  const asked = (name: string, request: WireRequest): LoadStream => {
    // Each request of `/v1` by the next token.
    const isV1 = request.path.startsWith("/v1/");
    const requests = isV1
      ? secrets.map((secret) => ({ ...request, path: `${request.path}?token=${secret}` }))
      : [request];
    return { name, connections: CONNECTIONS, source: { kind: "cycle", requests } };
  };
  return [
    asked("read a policy", { method: "GET", path: `/v1/acl/policy/${ID}` }),
    asked("list policies, unchanged", { method: "GET", path: "/v1/acl/policies" }),
    asked("authorize", { method: "POST", path: "/v1/internal/acl/authorize", body }),
    asked("workspace by ID", { method: "GET", path: `/api/v2/workspaces/${workspace}` }),
  ];
}

async function measure({ url, token, pid }: RunningServer, stream: LoadStream): Promise<number> {
  const before = treeMicroseconds([pid]);
  const { streams } = await runLoad({ url, token, warmupSeconds: 0, seconds: SECONDS, streams: [stream] });
  const [result] = streams;
  if (result === undefined) throw new Error("nothing was measured");
  refuseFailures(stream.name, result);
  return (treeMicroseconds([pid]) - before) / result.requests;
}

async function main(): Promise<void> {
  const tokens = Number(process.argv[2] ?? 1000);
  const servers: RunningServer[] = [];
  try {
    for (const ledger of ["off", "on"]) servers.push(await startServer({ args: ["--use-ledger", ledger] }));
    const streams = await Promise.all(servers.map((server) => prepare(server, tokens)));
    process.stdout.write(`${describeMachine(`${tokens} tokens`)}\n`);
    for (const row of streams[0]?.keys() ?? []) {
      const found: number[][] = [[], []];
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [index, server] of servers.entries()) {
          const stream = streams[index]?.[row];
          if (stream === undefined) continue;
          const microseconds = await measure(server, stream);
          // The first round warms up.
          if (round > 0) found[index]?.push(microseconds);
        }
      }
      const [off = 0, on = 0] = found.map(median);
      const pairs = (found[0] ?? []).map((each, index) => (found[1]?.[index] ?? 0) / each);
      process.stdout.write(
        `${streams[0]?.[row]?.name}: off ${off.toFixed(1)} µs, on ${on.toFixed(1)} µs, ${median(pairs).toFixed(3)} times\n`,
      );
    }
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
}

await main();
