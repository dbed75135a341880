/** A few rows of what a server does on a database, to be held against PostgreSQL on the same machine. */
import type { WireRequest } from "../../bench/load-types.ts";
import { refuseFailures, runLoad } from "../../bench/scenario.ts";
import { call } from "../../bench/seed.ts";
import { UNLIMITED } from "../../bench/unlimited.ts";
import { startServer } from "../support/server.ts";

const ROWS: readonly (readonly [name: string, connections: number, request: WireRequest])[] = [
  ["read a policy", 16, { method: "GET", path: "/v1/acl/policy/name/bench" }],
  ["list tokens", 4, { method: "GET", path: "/v1/acl/tokens" }],
  ["create a token", 1, { method: "PUT", path: "/v1/acl/token", body: "{}" }],
  ["create a token", 16, { method: "PUT", path: "/v1/acl/token", body: "{}" }],
];

/** @returns a line for each row */
export async function benchmark(database: string, seconds: number): Promise<string[]> {
  const server = await startServer({ database, env: UNLIMITED });
  try {
    const target = { url: server.url, token: server.token, pid: server.pid };
    await call(target, "PUT", "/v1/acl/policy", { Name: "bench" });
    const lines: string[] = [];
    for (const [name, connections, request] of ROWS) {
      const streams = [{ name, connections, source: { kind: "cycle", requests: [request] } as const }];
      const [result] = (await runLoad({ ...target, seconds, warmupSeconds: 1, streams })).streams;
      if (result === undefined) throw new Error("nothing was measured");
      refuseFailures(name, result);
      const rate = result.perSecond.toFixed(0).padStart(7);
      lines.push(
        `${name.padEnd(16)} ${String(connections).padStart(3)} connections ${rate}/s, p99 ${result.p99.toFixed(1)} ms`,
      );
    }
    return lines;
  } finally {
    await server.kill();
  }
}
