/**
 * `node bench/evaluations.ts [PAIRS [SECONDS]]`: decisions of AuthZEN against those of `authorize`, on one server. Both ask the same
 * questions about the caller's own token, as many in each request, and take turns (10 times each, 2 seconds). The goal is 0.8 times as
 * many decisions for the same processor time of the server. Each row tells the median of the pairs' ratios, and the quarter of them on
 * either side.
 */
import { startServer } from "../test/support/server.ts";
import type { LoadStream } from "./load-types.ts";
import { describeMachine } from "./machine.ts";
import { median, quartersOf } from "./median.ts";
import { treeMicroseconds } from "./nodes/cpu.ts";
import { refuseFailures, runLoad } from "./scenario.ts";
import { call } from "./seed.ts";

const CONNECTIONS = 32;
const RULES = 50;
/** `authorize` takes 64 at most. */
const SIZES = [1, 10, 64];

/** Requests of both kinds that ask `size` questions: those of `authorize` come first. */
function streamsOf(accessor: string, size: number): [LoadStream, LoadStream] {
  const names = Array.from({ length: size }, (_, i) => `app-${i % RULES}/config`);
  const checks = names.map((Segment) => ({ Resource: "key", Access: "read", Segment }));
  const items = names.map((id) => ({ resource: { type: "key", id } }));
  const asked = { subject: { type: "token", id: accessor }, action: { name: "read" } };
  const [path, body] =
    size === 1
      ? ["/access/v1/evaluation", { ...asked, ...items[0] }]
      : ["/access/v1/evaluations", { ...asked, evaluations: items }];
  const stream = (of: string, content: unknown): LoadStream => {
    const requests = [{ method: "POST", path: of, body: JSON.stringify(content) }];
    return { name: of, connections: CONNECTIONS, source: { kind: "cycle", requests } };
  };
  return [stream("/v1/internal/acl/authorize", checks), stream(path, body)];
}

async function main(): Promise<void> {
  const [pairs = 10, seconds = 2] = process.argv.slice(2).map(Number);
  const server = await startServer();
  try {
    const { url, token, pid } = server;
    const target = { url, token };
    const rules = Array.from({ length: RULES }, (_, i) => `key_prefix "app-${i}/" { policy = "read" }`);
    const { ID } = (await call(target, "PUT", "/v1/acl/policy", { Name: "asked", Rules: rules.join("\n") })) as {
      ID: string;
    };
    const made = (await call(target, "PUT", "/v1/acl/token", { Policies: [{ ID }] })) as Record<string, string>;
    process.stdout.write(`${describeMachine(`${pairs} pairs of ${seconds} s`)}\n`);
    /** Microseconds of a request in one turn. */
    const turn = async (stream: LoadStream): Promise<number> => {
      const before = treeMicroseconds([pid]);
      const load = { url, token: made["SecretID"] ?? "", warmupSeconds: 0, seconds, streams: [stream] };
      const [result] = (await runLoad(load)).streams;
      if (result === undefined) throw new Error("nothing was measured");
      refuseFailures(stream.name, result);
      return (treeMicroseconds([pid]) - before) / result.requests;
    };
    for (const size of SIZES) {
      const [authorize, evaluate] = streamsOf(made["AccessorID"] ?? "", size);
      const times: [number, number][] = [];
      for (let pair = 0; pair <= pairs; pair++) times.push([await turn(authorize), await turn(evaluate)]);
      // The first pair warms up.
      const measured = times.slice(1);
      const ratios = measured.map(([one, other]) => one / other);
      const [one, other] = [0, 1].map((at) => median(measured.map((each) => each[at] ?? 0)).toFixed(1));
      process.stdout.write(
        `${size} per request: authorize ${one} µs, evaluation ${other} µs, ${median(ratios).toFixed(3)} times the decisions (${quartersOf(ratios)})\n`,
      );
    }
  } finally {
    await server.kill();
  }
}

await main();
