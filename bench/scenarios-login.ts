/** Binding rules, and logins by a JWT that is signed with a key of the benchmark's own. */
import { setTimeout as sleep } from "node:timers/promises";
import { createSigningKey, signToken } from "../test/support/key-server.ts";
import { goalOfLoneWrite } from "./disk.ts";
import type { RequestSource, WireRequest } from "./load-types.ts";
import type { Goal, Scenario } from "./scenario.ts";
import { call, inParallel, type Target } from "./seed.ts";

const CONNECTIONS = 32;
/** JWTs that take turns: no login is like the one before. */
const BEARERS = 256;
const key = createSigningKey("bench");

/** Auth method with a number of rules. */
interface Method {
  readonly name: string;
  readonly rules: number;
  /** The selector of the rule of a team. */
  selector(team: string): string;
}

const byTests = (team: string): string =>
  `value.team == "${team}" and value.environment == "production" and deployers in list.groups`;
const byPattern = (team: string): string => `value.team matches "^${team}$"`;
const byEither = (team: string): string => `value.team == "${team}" or value.environment == "${team}"`;

const METHODS: readonly Method[] = [
  ...[10, 1000, 10_000].map((rules) => ({ name: `rules-${rules}`, rules, selector: byTests })),
  { name: "matches-10000", rules: 10_000, selector: byPattern },
  { name: "or-10000", rules: 10_000, selector: byEither },
  { name: "list-100", rules: 100, selector: byTests },
  // Methods in which the benchmark creates rules: the number of rules of a method is limited.
  ...numbers(32).map((index) => ({ name: `made-${index}`, rules: 0, selector: byTests })),
];

/** Fills the server with methods and rules and returns the scenarios, in the order in which they must run. */
export async function prepareLogin(target: Target, log: (text: string) => void): Promise<Scenario[]> {
  const ids: string[] = [];
  for (const method of METHODS) {
    const Config = {
      JWTValidationPubKeys: [key.publicKey],
      ClaimMappings: { team: "team", environment: "environment" },
      ListClaimMappings: { groups: "groups" },
    };
    const body = { Name: method.name, Type: "jwt", MaxTokenTTL: "1h", Config };
    await call(target, "PUT", "/v1/acl/auth-method", body);
    await inParallel(numbers(method.rules), 32, async (index) => {
      const rule = {
        AuthMethod: method.name,
        Selector: method.selector(`team-${index}`),
        BindType: "service",
        BindName: `service-${index}`,
      };
      const made = (await call(target, "PUT", "/v1/acl/binding-rule", rule)) as { ID: string };
      if (ids.length < 5000) ids.push(made.ID);
    });
    log(`${method.name} is filled`);
  }
  // Filling leaves a long log behind, whose checkpoint shares the server's core for some seconds.
  await sleep(3000);
  return describeScenarios(ids);
}

function describeScenarios(ids: readonly string[]): Scenario[] {
  const rule = { Selector: byTests("made"), BindType: "service", BindName: "made" };
  const create = METHODS.filter(({ rules }) => rules === 0).map(({ name }) => ({
    method: "PUT",
    path: "/v1/acl/binding-rule",
    body: JSON.stringify({ AuthMethod: name, ...rule }),
  }));
  return [
    crowd("read a binding rule", CONNECTIONS, cycle(ids.map((id) => read(`/v1/acl/binding-rule/${id}`))), [
      { metric: "share", atLeast: 0.6 },
    ]),
    crowd("list 100 binding rules", CONNECTIONS, cycle([list("list-100")]), [{ metric: "share", atLeast: 0.75 }]),
    crowd("list 10,000 binding rules", 4, cycle([list("rules-10000")]), [{ metric: "perSecond", atLeast: 60 }]),
    ...METHODS.filter(({ name }) => /^(rules|matches|or)-/.test(name)).flatMap(({ name, rules }) =>
      logins(name, rules),
    ),
    ...[
      crowd("create a binding rule, 1 connection", 1, cycle(create), [goalOfLoneWrite()]),
      crowd("create a binding rule, 32 connections", CONNECTIONS, cycle(create), [
        { metric: "share", atLeast: 0.16 },
        { metric: "p99", atMost: 10 },
      ]),
      crowd("create a binding rule, 64 connections", 64, cycle(create)),
    ].map((scenario) => ({ ...scenario, isDurable: true })),
  ];
}

function logins(name: string, rules: number): Scenario[] {
  const good = cycle(numbers(BEARERS).map((index) => login(name, { team: `team-${(index * 7919) % rules}` })));
  const refused = cycle(numbers(BEARERS).map((index) => login(name, { team: `nobody-${index}` })));
  return [
    crowd(`login, ${name}, 1 connection`, 1, good),
    crowd(`login, ${name}`, CONNECTIONS, good, name === "rules-10" ? [{ metric: "share", atLeast: 0.07 }] : []),
    crowd(`refused login, ${name}`, CONNECTIONS, refused, [], 403),
  ];
}

function login(authMethod: string, claims: object): WireRequest {
  const now = Math.floor(Date.now() / 1000);
  const all = { iat: now, exp: now + 36_000, environment: "production", groups: ["all", "deployers"], ...claims };
  const body = { AuthMethod: authMethod, BearerToken: signToken(key, all) };
  return { method: "POST", path: "/v1/acl/login", body: JSON.stringify(body) };
}

function crowd(
  name: string,
  connections: number,
  source: RequestSource,
  goals: readonly Goal[] = [],
  status?: number,
): Scenario {
  return { name, goals, streams: [{ name, connections, source, ...(status === undefined ? {} : { status }) }] };
}

function list(authMethod: string): WireRequest {
  return read(`/v1/acl/binding-rules?authmethod=${authMethod}`);
}

function read(path: string): WireRequest {
  return { method: "GET", path };
}

function cycle(requests: readonly WireRequest[]): RequestSource {
  return { kind: "cycle", requests };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
