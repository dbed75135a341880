/** Requests to every route, about objects of a victim that the caller may know nothing of. */
import { contentOf, type Place } from "../support/scopes.ts";
import { NONE, TAG_BODIES, type Bodies } from "./tag-requests.ts";

/** Identifiers of the victim's objects in one place, as paths and bodies name them. */
export interface Prey {
  policy: string;
  role: string;
  token: string;
  rule: string;
  revocation: string;
  declaration: string;
  trash: string;
  view: string;
  organization: string;
  workspace: string;
  project: string;
  tag: string;
  reservedKey: string;
  webhook: string;
  job: string;
}

/** One request; paths begin at the root, and their query is complete. */
export interface Attack {
  /** As the API's document names it. */
  route: string;
  method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  url: string;
  body: object | undefined;
}

/** The media type of the bodies of a route. A document of one line is a file too. */
export function mediaTypeOf({ route }: Attack): string {
  if (route.includes("/access/v1/")) return "application/json";
  return route.endsWith("/tag-imports") ? "application/x-ndjson" : "application/vnd.api+json";
}

const LINK = { Policies: [{ ID: "{policy}" }] };
const RULE = contentOf("binding-rule", { AuthMethod: "victim" });
const METHOD = contentOf("auth-method", { Description: "mine" });
const LOGIN = { AuthMethod: "victim", BearerToken: "none" };
const QUESTIONS = [{ Resource: "key", Segment: "victim", Access: "read" }];

const EVALUATION = {
  subject: { type: "token", id: "{token}" },
  action: { name: "read" },
  resource: { type: "key", id: "victim" },
};

/** Every route of the API has its entry here. */
export const BODIES: Readonly<Record<string, Bodies>> = {
  "GET /healthz": NONE,
  "GET /readyz": NONE,
  "GET /metrics": NONE,
  "GET /.well-known/terraform.json": NONE,
  "GET /.well-known/authzen-configuration": NONE,
  "POST /access/v1/evaluation": [EVALUATION, { ...EVALUATION, subject: { type: "role", id: "victim" } }],
  "POST /access/v1/evaluations": [{ ...EVALUATION, evaluations: [{}] }],
  "POST /access/v1/search/subject": [
    { ...EVALUATION, subject: { type: "role" } },
    { ...EVALUATION, subject: { type: "identity" } },
  ],
  "POST /access/v1/search/resource": [
    { ...EVALUATION, resource: { type: "organization" } },
    { ...EVALUATION, resource: { type: "key" } },
  ],
  "POST /access/v1/search/action": [
    EVALUATION,
    { ...EVALUATION, resource: { type: "organization", id: "{organization}" } },
    { ...EVALUATION, resource: { type: "workspace", id: "victim/victim" } },
  ],
  ...TAG_BODIES,
  "GET /v1/status/leader": NONE,
  "GET /v1/status/peers": NONE,
  "GET /v1/agent/self": NONE,
  "GET /v1/agent/version": NONE,
  "GET /v1/agent/members": NONE,
  "GET /v1/catalog/datacenters": NONE,
  "GET /v1/health/node/{node}": NONE,
  "GET /v1/acl/replication": NONE,
  "PUT /v1/acl/bootstrap": [undefined, { BootstrapSecret: "{secret}" }],
  "PUT /v1/acl/policy": [{ Name: "victim" }],
  "PUT /v1/acl/policy/{id}": [{ Name: "mine" }],
  "PATCH /v1/acl/policy/{id}": [{ Description: "mine" }],
  "GET /v1/acl/policy/{id}": NONE,
  "DELETE /v1/acl/policy/{id}": NONE,
  "GET /v1/acl/policy/name/{name}": NONE,
  "GET /v1/acl/policies": NONE,
  "PUT /v1/acl/role": [{ Name: "victim" }, { Name: "linked", ...LINK }, { ID: "{role}", Name: "mine" }],
  "PUT /v1/acl/role/{id}": [{ Name: "mine" }],
  "PATCH /v1/acl/role/{id}": [{ Description: "mine" }],
  "GET /v1/acl/role/{id}": NONE,
  "DELETE /v1/acl/role/{id}": NONE,
  "GET /v1/acl/role/name/{name}": NONE,
  "GET /v1/acl/roles": NONE,
  "PUT /v1/acl/declaration": [{ Name: "victim" }],
  "PUT /v1/acl/declaration/{id}": [{ Name: "mine" }],
  "PATCH /v1/acl/declaration/{id}": [{ Description: "mine" }],
  "GET /v1/acl/declaration/{id}": NONE,
  "DELETE /v1/acl/declaration/{id}": NONE,
  "GET /v1/acl/declaration/name/{name}": NONE,
  "GET /v1/acl/declarations": NONE,
  "PUT /v1/acl/decision-mapping": [{ Name: "victim" }],
  "PUT /v1/acl/decision-mapping/{name}": [{ Description: "mine" }],
  "PATCH /v1/acl/decision-mapping/{name}": [{ Description: "mine" }],
  "GET /v1/acl/decision-mapping/{name}": NONE,
  "DELETE /v1/acl/decision-mapping/{name}": NONE,
  "GET /v1/acl/decision-mappings": NONE,
  "GET /v1/acl/sessions": NONE,
  "DELETE /v1/acl/session/{id}": NONE,
  "GET /v1/acl/views": NONE,
  "PUT /v1/acl/view": [{ Name: "mine", List: "roles", Shared: true }],
  "PUT /v1/acl/view/{id}": [
    { Name: "mine", List: "roles" },
    { Name: "mine", List: "roles", Shared: true },
  ],
  "DELETE /v1/acl/view/{id}": NONE,
  "PUT /v1/acl/token": [{}, LINK],
  "PUT /v1/acl/token/{accessor}": [{ Description: "mine" }],
  "PATCH /v1/acl/token/{accessor}": [{ Description: "mine" }],
  "GET /v1/acl/token/{accessor}": NONE,
  "DELETE /v1/acl/token/{accessor}": NONE,
  "PUT /v1/acl/token/{accessor}/clone": [{}],
  "PUT /v1/acl/token/{accessor}/disable": NONE,
  "PUT /v1/acl/token/{accessor}/enable": NONE,
  "POST /v1/acl/token/{accessor}/rotate": [{}, { Overlap: "1h" }],
  "POST /v1/acl/token/{accessor}/reveal": NONE,
  "GET /v1/acl/token/self": NONE,
  "GET /v1/acl/tokens": NONE,
  "POST /v1/acl/tokens/leaked": [{ Secrets: ["{secret}"] }],
  "POST /v1/acl/tokens/revoke": [{ UnusedFor: "1s" }, { Role: "{role}" }],
  "GET /v1/acl/tokens/revoke/{id}": NONE,
  "GET /v1/acl/templated-policies": NONE,
  "GET /v1/acl/templated-policy/name/{name}": NONE,
  "POST /v1/acl/templated-policy/preview/{name}": [{ Name: "victim" }],
  "PUT /v1/acl/auth-method": [{ Name: "victim", ...METHOD }],
  "PUT /v1/acl/auth-method/{name}": [METHOD],
  "PATCH /v1/acl/auth-method/{name}": [{ Description: "mine" }],
  "GET /v1/acl/auth-method/{name}": NONE,
  "DELETE /v1/acl/auth-method/{name}": NONE,
  "GET /v1/acl/auth-methods": NONE,
  "PUT /v1/acl/binding-rule": [RULE],
  "PUT /v1/acl/binding-rule/{id}": [RULE],
  "PATCH /v1/acl/binding-rule/{id}": [{ Description: "mine" }],
  "GET /v1/acl/binding-rule/{id}": NONE,
  "DELETE /v1/acl/binding-rule/{id}": NONE,
  "GET /v1/acl/binding-rules": NONE,
  "POST /v1/acl/login": [LOGIN],
  "POST /v1/acl/logout": NONE,
  "POST /v1/acl/login/explain": [LOGIN],
  "POST /v1/acl/policy/check": [{ Rules: 'acl = "read"' }],
  "POST /v1/acl/binding-rule/check": [RULE, { ...RULE, BindType: "role", BindName: "victim" }],
  "POST /v1/acl/auth-method/check": [{ Name: "victim", ...METHOD }],
  "GET /v1/acl/why/{request_id}": NONE,
  "GET /v1/acl/denied": NONE,
  "GET /v1/acl/access": NONE,
  "POST /v1/acl/effect": [
    { DeletedPolicies: [{ ID: "{policy}" }] },
    { Roles: [{ Name: "victim", Policies: [] }], Tokens: [{ AccessorID: "{token}", Roles: [] }] },
  ],
  "POST /v1/acl/replay": [
    { DeletedPolicies: [{ ID: "{policy}" }] },
    { DeletedBindingRules: [{ ID: "{rule}" }], Tokens: [{ AccessorID: "{token}", Roles: [] }] },
  ],
  "GET /v1/acl/effective": NONE,
  "POST /v1/acl/policy/{id}/tighten": [{}, { Days: 1, Keep: [{ Resource: "key", Segment: "victim" }] }],
  "POST /v1/acl/role/{id}/tighten": [{}, { Days: 1, Keep: ["{policy}"] }],
  "GET /v1/acl/token-names": NONE,
  "GET /v1/acl/uses": NONE,
  "GET /v1/acl/history": NONE,
  "GET /v1/acl/tokens/histogram": NONE,
  "GET /v1/audit/days": NONE,
  "GET /v1/acl/trash": NONE,
  "POST /v1/acl/trash/{id}/restore": [{}, { Name: "mine" }],
  "GET /v1/acl/overview": NONE,
  "GET /v1/acl/use": NONE,
  "POST /v1/acl/explain": [
    { AccessorID: "{token}", Questions: QUESTIONS },
    { RoleName: "victim", Questions: [{ Request: "PATCH /api/v2/workspaces/{workspace}" }] },
  ],
  "POST /v1/internal/acl/authorize": [QUESTIONS],
  "POST /v1/acl/authorize": [QUESTIONS],
  "PUT /v1/namespace": [{ Name: "victim" }],
  "PUT /v1/namespace/{name}": [{ Description: "mine" }],
  "PATCH /v1/namespace/{name}": [{ Description: "mine" }],
  "GET /v1/namespace/{name}": NONE,
  "DELETE /v1/namespace/{name}": NONE,
  "GET /v1/namespaces": NONE,
  "PUT /v1/partition": [{ Name: "victim" }],
  "PUT /v1/partition/{name}": [{ Description: "mine" }],
  "PATCH /v1/partition/{name}": [{ Description: "mine" }],
  "GET /v1/partition/{name}": NONE,
  "DELETE /v1/partition/{name}": NONE,
  "GET /v1/partitions": NONE,
  "POST /v1/acl/oidc/auth-url": [{ AuthMethod: "victim", RedirectURI: "http://localhost/", ClientNonce: "nonce" }],
  "POST /v1/acl/oidc/callback": [{ AuthMethod: "victim", State: "state", Code: "code", ClientNonce: "nonce" }],
  "GET /v1/internal/ui/oidc-auth-methods": NONE,
  "GET /v1/events": NONE,
  "GET /v1/audit": NONE,
};

/** Asked when all else was: what is refused to who is behind the wall may be made where nothing is in its way. */
const LAST: Readonly<Record<string, Bodies>> = {
  "PUT /v1/acl/token": [{ AccessorID: "{token}" }, { SecretID: "{secret}" }],
};

/** Streams never end, so they are asked by a test of their own. */
const STREAMS = new Set(["GET /v1/events"]);

/** Ways to ask about a place, and the parameters that say so. */
const SCOPES: readonly (readonly [place: string, query: string])[] = [
  ["default", ""],
  ["namespace", "ns=victim"],
  ["partition", "partition=victim"],
];
const ANY: typeof SCOPES = [
  ["default", "ns=*"],
  ["partition", "ns=*&partition=victim"],
];

/** Places of the victim's objects, by the names that `SCOPES` gives. */
export const PLACES: Readonly<Record<string, Place>> = {
  default: {},
  namespace: { namespace: "victim" },
  partition: { partition: "victim" },
};

/** All that is asked about the victim's things. @param prey by place */
export function attacksOn(prey: Readonly<Record<string, Prey>>): { first: Attack[]; last: Attack[] } {
  const attacksBy = (all: typeof BODIES): Attack[] =>
    Object.entries(all)
      .filter(([route]) => !STREAMS.has(route))
      .flatMap(([route, bodies]) =>
        scopesOf(route).flatMap(([place, query]) =>
          bodies.map((body) => attackBy(route, body, query, prey[place] as Prey)),
        ),
      );
  return { first: attacksBy(BODIES), last: attacksBy(LAST) };
}

function scopesOf(route: string): typeof SCOPES {
  if (!route.includes(" /v1/")) return SCOPES.slice(0, 1);
  return isList(route) ? [...SCOPES, ...ANY] : SCOPES;
}

/** Whether it lists what lies in namespaces, or these. */
export function isList(route: string): boolean {
  return /^GET \/v1\/(acl\/(tokens|policies|roles|auth-methods|binding-rules|declarations|decision-mappings)|namespaces|partitions)$/.test(
    route,
  );
}

function attackBy(route: string, body: object | undefined, query: string, prey: Prey): Attack {
  const [method = "", pattern = ""] = route.split(" ");
  const url = pattern.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => wordOf(pattern, parameter, prey));
  const text = body === undefined ? undefined : JSON.stringify(body);
  const filled = text?.replaceAll(/\{(\w+)\}/g, (all, word: string) => ({ ...prey, secret: SECRET })[word] ?? all);
  return {
    route,
    method: method as Attack["method"],
    url: query === "" ? url : `${url}?${query}`,
    body: filled === undefined ? undefined : (JSON.parse(filled) as object),
  };
}

/** The victim's secret, as far as somebody might guess one. */
export const SECRET = "77777777-6666-4555-8444-333333333333";

function wordOf(pattern: string, parameter: string, prey: Prey): string {
  const byName: Record<string, string> = {
    organization_name: prey.organization,
    workspace_id: prey.workspace,
    project_id: prey.project,
    tag_id: prey.tag,
    reserved_tag_key_id: prey.reservedKey,
    webhook_id: prey.webhook,
    tag_job_id: prey.job,
    accessor: prey.token,
    workspace_name: "victim",
    name: pattern.includes("templated-policy") ? "builtin%2Fservice" : "victim",
  };
  const [, kind = ""] = /\/(policy|role|binding-rule|revoke|declaration|trash|view)\//.exec(pattern) ?? [];
  const byKind: Record<string, string> = {
    policy: prey.policy,
    role: prey.role,
    "binding-rule": prey.rule,
    revoke: prey.revocation,
    declaration: prey.declaration,
    trash: prey.trash,
    view: prey.view,
  };
  return byName[parameter] ?? byKind[kind] ?? "";
}
