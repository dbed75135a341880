/**
 * `node bench/use-ledger.ts [TOKENS [PAIRS [SECONDS]]]`: what the use ledger costs, against a server without it: processor time of a
 * request, of the server alone. Tokens (1,000 unless it is said) take turns, and so do the two servers (10 times each, 4 seconds). The
 * goal is 3 % for each row.
 *
 * Before a row, every token asks once: the first use of a day makes a row of the database, and is no part of what a request costs later.
 * On a busy machine tokens take turns slower than the ledger is written, and each request is a row that is added to.
 *
 * A server's time counts from the begin of its turn to the begin of its next one: the ledger is written every three seconds, also while
 * the other server has its turn. Each row tells the median of the pairs' ratios and the quarter of them on either side.
 */
import { startServer, type RunningServer } from "../test/support/server.ts";
import type { LoadStream, WireRequest } from "./load-types.ts";
import { describeMachine } from "./machine.ts";
import { treeMicroseconds } from "./nodes/cpu.ts";
import { median, quartersOf } from "./median.ts";
import { refuseFailures, runLoad } from "./scenario.ts";
import { call, createOrganization, createWorkspaces, inParallel } from "./seed.ts";

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

/** Requests of one turn of a server, and its processor time up to now. */
async function turn({ url, token, pid }: RunningServer, stream: LoadStream, seconds: number) {
  const began = treeMicroseconds([pid]);
  const { streams } = await runLoad({ url, token, warmupSeconds: 0, seconds, streams: [stream] });
  const [result] = streams;
  if (result === undefined) throw new Error("nothing was measured");
  refuseFailures(stream.name, result);
  return { began, requests: result.requests };
}

/** Microseconds of a request, of each turn but the first, which warms up. */
async function measure(
  servers: readonly RunningServer[],
  streams: readonly (LoadStream | undefined)[],
  { pairs, seconds }: { pairs: number; seconds: number },
): Promise<number[][]> {
  const turns: { began: number; requests: number }[][] = servers.map(() => []);
  for (const [index, { url, token }] of servers.entries()) {
    const requests = streams[index]?.source;
    if (requests?.kind !== "cycle") continue;
    const first = { name: "first", connections: CONNECTIONS, source: { ...requests, kind: "once" as const } };
    await runLoad({ url, token, warmupSeconds: 0, seconds: 600, streams: [first] });
  }
  for (let round = 0; round <= pairs + 1; round++) {
    for (const [index, server] of servers.entries()) {
      const stream = streams[index];
      // The last turn is there for the begin alone.
      if (stream !== undefined) turns[index]?.push(await turn(server, stream, round > pairs ? 1 : seconds));
    }
  }
  return turns.map((all) =>
    all.slice(1, -1).map(({ began, requests }, index) => ((all[index + 2]?.began ?? 0) - began) / requests),
  );
}

async function main(): Promise<void> {
  const [tokens = 1000, pairs = 10, seconds = 4] = process.argv.slice(2).map(Number);
  const servers: RunningServer[] = [];
  try {
    for (const ledger of ["off", "on"]) servers.push(await startServer({ args: ["--use-ledger", ledger] }));
    const streams = await Promise.all(servers.map((server) => prepare(server, tokens)));
    process.stdout.write(`${describeMachine(`${tokens} tokens, ${pairs} pairs of ${seconds} s`)}\n`);
    for (const row of streams[0]?.keys() ?? []) {
      const ofRow = streams.map((all) => all[row]);
      const [off = [], on = []] = await measure(servers, ofRow, { pairs, seconds });
      const ratios = off.map((each, index) => (on[index] ?? 0) / each);
      const [name, told] = [ofRow[0]?.name ?? "", [off, on].map((each) => `${median(each).toFixed(1)} µs`)];
      process.stdout.write(
        `${name}: off ${told[0]}, on ${told[1]}, ${median(ratios).toFixed(3)} times (${quartersOf(ratios)})\n`,
      );
    }
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
}

await main();
