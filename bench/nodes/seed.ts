/** Data for the nodes, and the typical requests that the benchmark measures on them. */
import { createSigningKey, signToken } from "../../test/support/key-server.ts";
import type { RequestSource, WireRequest } from "../load-types.ts";
import {
  call,
  createOrganization,
  createTags,
  createWorkspaces,
  inParallel,
  numbered,
  tagsBody,
  type Target,
} from "../seed.ts";

const ORGANIZATION = "bench";
const METHOD = "bench";
const RULES = 100;
const POLICIES = 64;
const TAGS = 2000;
const WORKSPACES = 200;
/** JWTs that take turns: no login is like the one before. */
const BEARERS = 256;
/** Pairs of a tag and a workspace for one load, more than it sends. */
const ATTACHMENTS = 5000;
/** Consecutive numbers scattered over all pairs: a prime step visits each once. */
const PAIR_STEP = 1_000_003;
/** Descriptions that a written policy takes in turn, so that each write changes something. */
const VERSIONS = 16;

/** Requests of one kind. `source` makes them for one load; those that may be sent only once are others each time. */
export interface Kind {
  readonly name: string;
  /** Requests a second where the cost of each is measured. */
  readonly rate: number;
  source(): RequestSource;
}

/** Fills a node with rules, policies, tags and workspaces. @returns the kinds of requests by name */
export async function seedKinds(target: Target): Promise<Record<keyof typeof RATES, Kind>> {
  const key = createSigningKey("bench");
  const Config = { JWTValidationPubKeys: [key.publicKey], ClaimMappings: { team: "team" } };
  await call(target, "PUT", "/v1/acl/auth-method", { Name: METHOD, Type: "jwt", MaxTokenTTL: "1h", Config });
  const rules = await inParallel(numbered("team", RULES), 16, async (team) => {
    const rule = { AuthMethod: METHOD, Selector: `value.team == "${team}"`, BindType: "service", BindName: team };
    return ((await call(target, "PUT", "/v1/acl/binding-rule", rule)) as { ID: string }).ID;
  });
  const policies = await createPolicies(target, "");
  await createOrganization(target, ORGANIZATION);
  const tags = await createTags(target, ORGANIZATION, numbered("tag", TAGS));
  const workspaces = await createWorkspaces(target, ORGANIZATION, numbered("workspace", WORKSPACES));
  const iat = Math.floor(Date.now() / 1000);
  const logins = Array.from({ length: BEARERS }, (_, index) => {
    const team = numbered("team", RULES)[(index * 7919) % RULES];
    const body = { AuthMethod: METHOD, BearerToken: signToken(key, { iat, exp: iat + 36_000, team }) };
    return { method: "POST", path: "/v1/acl/login", body: JSON.stringify(body) };
  });
  const checks = [
    { Resource: "service", Access: "write", Segment: "web" },
    { Resource: "organization", Access: "read", Segment: "acme" },
  ];
  const authorize = { method: "POST", path: "/v1/internal/acl/authorize", body: JSON.stringify(checks) };
  let attached = 0;
  return {
    self: kind("self", [read("/v1/acl/token/self")]),
    rule: kind(
      "rule",
      rules.map((id) => read(`/v1/acl/binding-rule/${id}`)),
    ),
    policy: kind(
      "policy",
      policies.map((id) => read(`/v1/acl/policy/${id}`)),
    ),
    authorize: kind("authorize", [authorize]),
    rules: kind("rules", [read(`/v1/acl/binding-rules?authmethod=${METHOD}`)]),
    tags: kind("tags", [read(`/api/v2/organizations/${ORGANIZATION}/tags`)]),
    login: kind("login", logins),
    write: kind("write", policyWrites(policies, "")),
    attach: {
      ...RATES.attach,
      source() {
        // Each load goes on behind the pairs of the one before: to attach what is attached writes nothing.
        const from = attached;
        attached += ATTACHMENTS;
        return { kind: "cycle", requests: attachments(workspaces, tags, from) };
      },
    },
  };
}

/** Makes the policies that `policyWrites` changes. @param scope a query such as `?partition=unit-1`, or nothing */
export async function createPolicies(target: Target, scope: string): Promise<string[]> {
  return inParallel(policyNames(), 16, async (Name) => {
    const Rules = 'service_prefix "web-" { policy = "write" }';
    return ((await call(target, "PUT", `/v1/acl/policy${scope}`, { Name, Rules })) as { ID: string }).ID;
  });
}

/** Writes that each change the description of a policy. */
export function policyWrites(ids: readonly string[], scope: string): WireRequest[] {
  const names = policyNames();
  return Array.from({ length: ids.length * VERSIONS }, (_, index) => {
    const Description = `version ${Math.floor(index / ids.length)}`;
    const body = { Name: names[index % ids.length], Description, Rules: 'service_prefix "web-" { policy = "write" }' };
    return { method: "PUT", path: `/v1/acl/policy/${ids[index % ids.length]}${scope}`, body: JSON.stringify(body) };
  });
}

const RATES = {
  self: { name: "token/self", rate: 1000 },
  rule: { name: "read a binding rule", rate: 1000 },
  policy: { name: "read a policy", rate: 1000 },
  authorize: { name: "authorize, 2 checks", rate: 1000 },
  rules: { name: `list ${RULES} binding rules`, rate: 1000 },
  tags: { name: `list 20 of ${TAGS.toLocaleString("en-US")} tags`, rate: 1000 },
  login: { name: `login with a JWT, ${RULES} rules`, rate: 200 },
  write: { name: "write a policy", rate: 200 },
  attach: { name: "attach a tag to a workspace", rate: 200 },
};

function attachments(workspaces: readonly string[], tags: readonly string[], from: number): WireRequest[] {
  return Array.from({ length: ATTACHMENTS }, (_, index) => {
    const pair = ((from + index) * PAIR_STEP) % (workspaces.length * tags.length);
    const body = JSON.stringify(tagsBody([tags[Math.floor(pair / workspaces.length)] ?? ""]));
    return {
      method: "POST",
      path: `/api/v2/workspaces/${workspaces[pair % workspaces.length]}/relationships/tags`,
      body,
    };
  });
}

function kind(name: keyof typeof RATES, requests: readonly WireRequest[]): Kind {
  return { ...RATES[name], source: () => ({ kind: "cycle", requests }) };
}

function read(path: string): WireRequest {
  return { method: "GET", path };
}

function policyNames(): string[] {
  return numbered("policy", POLICIES);
}
