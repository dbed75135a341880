/** Access control: many tokens, each with a role of its team, and what clients ask about them. */
import { setTimeout as sleep } from "node:timers/promises";
import { goalOfLoneWrite } from "./disk.ts";
import type { RequestSource, WireRequest } from "./load-types.ts";
import type { Goal, Scenario } from "./scenario.ts";
import { call, inParallel, type Target } from "./seed.ts";

const connections = 32;
const roleCount = 100;

interface World {
  readonly tokenCount: number;
  /** Accessors of some of the tokens. */
  readonly accessors: string[];
  readonly policies: string[];
}

/** Fills the server with tokens and returns the scenarios, in the order in which they must run. */
export async function prepareAcl(target: Target, tokenCount: number, log: (text: string) => void): Promise<Scenario[]> {
  const policies = await inParallel(numbers(roleCount), 8, async (index) => {
    const rules = `service_prefix "team-${index}-" {\n  policy = "write"\n}\norganization "team-${index}" {\n  policy = "write"\n}\n`;
    return idOf(await put(target, "/v1/acl/policy", { Name: `team-${index}`, Rules: rules }), "ID");
  });
  const roles = await inParallel([...policies.entries()], 8, async ([index, ID]) =>
    idOf(await put(target, "/v1/acl/role", { Name: `team-${index}`, Policies: [{ ID }] }), "ID"),
  );
  const accessors: string[] = [];
  await inParallel(numbers(tokenCount), 16, async (index) => {
    const body = { Description: `deployment ${index}`, Roles: [{ ID: roles[index % roleCount] }] };
    const accessor = idOf(await put(target, "/v1/acl/token", body), "AccessorID");
    if (index % Math.ceil(tokenCount / 5000) === 0) accessors.push(accessor);
    if ((index + 1) % 100_000 === 0) log(`${index + 1} tokens`);
  });
  // Filling leaves a long log behind, whose checkpoint shares the server's core for some seconds.
  await sleep(3000);
  return describeScenarios({ tokenCount, accessors, policies });
}

function describeScenarios({ tokenCount, accessors, policies }: World): Scenario[] {
  const count = tokenCount.toLocaleString("en-US");
  const checks = [
    { Resource: "service", Access: "write", Segment: "web" },
    { Resource: "organization", Access: "read", Segment: "acme" },
  ];
  const create = {
    method: "PUT",
    path: "/v1/acl/token",
    body: JSON.stringify({ Description: "made by the benchmark" }),
  };
  const authorize = { method: "POST", path: "/v1/internal/acl/authorize", body: JSON.stringify(checks) };
  const evaluations = accessors.slice(0, 1000).map((id) => ({
    method: "POST",
    path: "/access/v1/evaluations",
    body: JSON.stringify({
      subject: { type: "token", id },
      evaluations: checks.map(({ Resource: type, Access: name, Segment }) => ({
        action: { name },
        resource: { type, id: Segment },
      })),
    }),
  }));
  return [
    crowd("token/self", cycle([read("/v1/acl/token/self")]), [{ metric: "share", atLeast: 0.55 }]),
    crowd("authorize, 2 checks", cycle([authorize]), [{ metric: "share", atLeast: 0.65 }]),
    crowd("2 evaluations about others", cycle(evaluations), [{ metric: "share", atLeast: 0.5 }]),
    crowd("read a policy", cycle(policies.map((id) => read(`/v1/acl/policy/${id}`))), [
      { metric: "share", atLeast: 0.6 },
    ]),
    crowd("read a namespace", cycle([read("/v1/namespace/default")]), [{ metric: "share", atLeast: 0.6 }]),
    crowd(`read a token, of ${count}`, cycle(accessors.map((id) => read(`/v1/acl/token/${id}`)))),
    {
      name: `list ${count} tokens`,
      goals: [
        { metric: "p50", atMost: 700 },
        { stream: 1, metric: "p99", atMost: 20 },
      ],
      streams: [
        { name: "list", connections: 1, source: cycle([read("/v1/acl/tokens")]) },
        { name: "light", connections: 8, rate: 500, source: cycle(policies.map((id) => read(`/v1/acl/policy/${id}`))) },
      ],
    },
    {
      name: "create a token, 1 connection",
      goals: [goalOfLoneWrite()],
      streams: [{ name: "create", connections: 1, source: cycle([create]) }],
      isDurable: true,
    },
    {
      name: "create a token, 32 connections",
      goals: [
        { metric: "share", atLeast: 0.16 },
        { metric: "p99", atMost: 10 },
      ],
      streams: [{ name: "create", connections, source: cycle([create]) }],
      isDurable: true,
    },
  ];
}

function crowd(name: string, source: RequestSource, goals: readonly Goal[] = []): Scenario {
  return { name, goals, streams: [{ name, connections, source }] };
}

function read(path: string): WireRequest {
  return { method: "GET", path };
}

function cycle(requests: readonly WireRequest[]): RequestSource {
  return { kind: "cycle", requests };
}

function put(target: Target, path: string, body: unknown): Promise<unknown> {
  return call(target, "PUT", path, body);
}

function idOf(answer: unknown, member: string): string {
  return String((answer as Record<string, unknown>)[member]);
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
