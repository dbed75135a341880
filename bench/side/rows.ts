/** Requests to each contestant: first in Consul's API, which a peer has too, then in our own. */
import { setTimeout as sleep } from "node:timers/promises";
import { createSigningKey, signToken } from "../../test/support/key-server.ts";
import type { LoadStream, WireRequest } from "../load-types.ts";
import {
  call,
  createOrganization,
  createTags,
  createWorkspaces,
  inParallel,
  numbered,
  tagsBody,
  workspacesBody,
  type Target,
} from "../seed.ts";
import type { Contestant, SideRow } from "./contestants.ts";

const CROWD = 32;
const key = createSigningKey("side");

type Prepared = Omit<SideRow, "name">;
/** Rows that are timed as one act have no load, and no bare server is held against them. */
const NOT_STREAMED = {
  stream: (): LoadStream => ({ name: "none", connections: 1, source: { kind: "once", requests: [] } }),
};
type Row = readonly [name: string, prepare: (target: Target) => Promise<Prepared>];

/** Fills a contestant with what the chosen rows need, and nothing for the others. */
export async function prepareRows(
  contestant: Contestant,
  options: { tokens: number; only: string },
): Promise<SideRow[]> {
  const all = [...rowsOfBoth(options.tokens), ...(contestant.isOurs ? ROWS_OF_OURS : [])];
  const rows: SideRow[] = [];
  for (const [name, prepare] of all.filter(([each]) => each.includes(options.only))) {
    rows.push({ name, ...(await prepare(contestant)) });
  }
  // Filling leaves a log behind, whose checkpoint would share the core.
  await sleep(3000);
  return rows;
}

function rowsOfBoth(tokens: number): readonly Row[] {
  return [
    ["token/self", async () => repeat([get("/v1/acl/token/self")])],
    ["read a policy", preparePolicies],
    [
      "read a rule",
      async (target) => repeat((await makeRules(target, "read", 100)).map((id) => get(`/v1/acl/binding-rule/${id}`))),
    ],
    ["list 100 rules", prepareList],
    ["authorize, 2 checks", async () => repeat([AUTHORIZE])],
    ["create a rule, 1 connection", async (target) => repeat(await creations(target), 1)],
    ["create a rule, 32 connections", async (target) => repeat(await creations(target))],
    ["create a token, 32 connections", async () => repeat([{ method: "PUT", path: "/v1/acl/token", body: "{}" }])],
    ["login, 10 rules", (target) => prepareLogins(target, 10)],
    ["list of many tokens, again", (target) => prepareTokens(target, tokens)],
  ];
}

const ROWS_OF_OURS: readonly Row[] = [
  ["attach one tag, 1 connection", (target) => prepareAttach(target, 1)],
  ["attach one tag, 32 connections", (target) => prepareAttach(target, CROWD)],
  ["500 workspaces to a tag", prepareBulk],
  ["create workspaces, 16 connections", prepareWorkspaces],
];

const AUTHORIZE: WireRequest = {
  method: "POST",
  path: "/v1/internal/acl/authorize",
  body: JSON.stringify([
    { Resource: "service", Access: "write", Segment: "web" },
    { Resource: "key", Access: "read", Segment: "app/config" },
  ]),
};

function repeat(requests: readonly WireRequest[], connections = CROWD): Prepared {
  return { bare: true, stream: () => ({ name: "side", connections, source: { kind: "cycle", requests } }) };
}

function get(path: string): WireRequest {
  return { method: "GET", path };
}

async function put(target: Target, path: string, body: object): Promise<Record<string, string>> {
  return (await call(target, "PUT", path, body)) as Record<string, string>;
}

async function preparePolicies(target: Target): Promise<Prepared> {
  const ids = await inParallel(Array.from({ length: 100 }), 8, async (_) => {
    const Name = `team-${crypto.randomUUID()}`;
    return (await put(target, "/v1/acl/policy", { Name, Rules: 'service_prefix "team-" { policy = "write" }' }))["ID"];
  });
  return repeat(ids.map((id) => get(`/v1/acl/policy/${id}`)));
}

async function makeMethod(target: Target, name: string): Promise<void> {
  const Config = {
    JWTValidationPubKeys: [key.publicKey],
    ClaimMappings: { team: "team" },
    ListClaimMappings: { groups: "groups" },
  };
  await put(target, "/v1/acl/auth-method", { Name: name, Type: "jwt", MaxTokenTTL: "1h", Config });
}

const ruleOf = (AuthMethod: string, index: number): object => ({
  AuthMethod,
  Selector: `value.team == "team-${index}" and deployers in list.groups`,
  BindType: "service",
  BindName: `service-${index}`,
});

async function makeRules(target: Target, method: string, count: number): Promise<string[]> {
  await makeMethod(target, method);
  return inParallel(
    Array.from({ length: count }, (_, index) => index),
    16,
    async (index) => {
      const made = await put(target, "/v1/acl/binding-rule", ruleOf(method, index));
      return made["ID"] ?? "";
    },
  );
}

async function prepareList(target: Target): Promise<Prepared> {
  await makeRules(target, "listed", 100);
  return repeat([get("/v1/acl/binding-rules?authmethod=listed")]);
}

async function creations(target: Target): Promise<WireRequest[]> {
  // Rules of one method are limited.
  const names = Array.from({ length: 32 }, () => `made-${crypto.randomUUID().slice(0, 8)}`);
  await inParallel(names, 8, (name) => makeMethod(target, name));
  return names.map((name) => ({ method: "PUT", path: "/v1/acl/binding-rule", body: JSON.stringify(ruleOf(name, 1)) }));
}

async function prepareLogins(target: Target, rules: number): Promise<Prepared> {
  await makeRules(target, `rules-${rules}`, rules);
  const now = Math.floor(Date.now() / 1000);
  const logins = Array.from({ length: 256 }, (_, index) => {
    const claims = {
      iat: now,
      exp: now + 36_000,
      sub: `s-${index}`,
      team: `team-${index % rules}`,
      groups: ["all", "deployers"],
    };
    const body = { AuthMethod: `rules-${rules}`, BearerToken: signToken(key, claims) };
    return { method: "POST", path: "/v1/acl/login", body: JSON.stringify(body) };
  });
  return repeat(logins);
}

async function prepareTokens(target: Target, count: number): Promise<Prepared> {
  const { ID } = await put(target, "/v1/acl/policy", { Name: "many", Rules: 'service_prefix "" { policy = "read" }' });
  await inParallel(Array.from({ length: count }), 32, () =>
    put(target, "/v1/acl/token", { Description: "one of many", Policies: [{ ID }] }),
  );
  const once = async (): Promise<void> => {
    const answer = await fetch(`${target.url}/v1/acl/tokens`, { headers: { authorization: `Bearer ${target.token}` } });
    // Not kept: a client that parses it would measure itself.
    for await (const _ of answer.body ?? []);
  };
  // The first list starts a reading thread, with code not yet compiled: three times the processor time of the next.
  await once();
  return { ...NOT_STREAMED, once };
}

const world = async (target: Target, counts: { tags: number; workspaces: number }) => {
  const organization = `side-${crypto.randomUUID().slice(0, 8)}`;
  await createOrganization(target, organization);
  const tags = await createTags(target, organization, numbered("tag", counts.tags));
  const workspaces = await createWorkspaces(target, organization, numbered("workspace", counts.workspaces));
  return { organization, tags, workspaces };
};

async function prepareAttach(target: Target, connections: number): Promise<Prepared> {
  const { tags, workspaces } = await world(target, { tags: 1000, workspaces: 1000 });
  const request = {
    method: "POST",
    path: "/api/v2/workspaces/{a}/relationships/tags",
    body: JSON.stringify(tagsBody(["{b}"])),
  };
  let start = 0;
  const stream = (): LoadStream => {
    const source = { kind: "pairs" as const, request, a: workspaces, b: tags, start };
    // No pair is sent twice: far more than a round can send.
    start += 60_000;
    return { name: "side", connections, source };
  };
  return { stream };
}

async function prepareBulk(target: Target): Promise<Prepared> {
  const { tags, workspaces } = await world(target, { tags: 100, workspaces: 500 });
  let next = 0;
  const once = async (): Promise<void> => {
    // Ten, since one takes less than the clock of processor time tells.
    for (const tag of tags.slice(next, (next += 10))) {
      await call(target, "POST", `/api/v2/tags/${tag}/relationships/workspaces`, workspacesBody(workspaces));
    }
  };
  return { ...NOT_STREAMED, once };
}

async function prepareWorkspaces(target: Target): Promise<Prepared> {
  const { organization } = await world(target, { tags: 1, workspaces: 1 });
  const path = `/api/v2/organizations/${organization}/workspaces`;
  const stream = (): LoadStream => {
    const requests = Array.from({ length: 20_000 }, () => {
      const data = { type: "workspaces", attributes: { name: `w-${crypto.randomUUID()}` } };
      return { method: "POST", path, body: JSON.stringify({ data }) };
    });
    return { name: "side", connections: 16, source: { kind: "once", requests } };
  };
  return { stream };
}
