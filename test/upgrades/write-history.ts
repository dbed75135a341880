/**
 * Fills a server before an upgrade, so that every table holds something: as much of it as the version knows, by its
 * last migration. `deleteSome` deletes objects whose names begin with `gone`.
 */
import type { OpenIdProvider } from "../support/openid-provider.ts";
import { oidcConfig, REDIRECT_URI } from "../support/openid-login.ts";
import { userAgent } from "../support/user-agent.ts";
import { signToken } from "../support/key-server.ts";
import { writeTagsOf } from "./write-tags.ts";
import { MANAGEMENT, MAPPINGS, methodKey, tokenOf, type Caller } from "./caller.ts";

/** Results of earlier steps that later steps need. */
export interface Written {
  /** SecretIDs of tokens by what they are for; `management` is the first one. */
  readonly secrets: Record<string, string>;
  /** IDs in the order in which they were made, by kind. */
  readonly workspaces: string[];
  readonly policies: string[];
  readonly roles: string[];
  readonly bindingRules: string[];
}

/** Far enough for a fixture: what has expired by the time of a test would be removed. */
const LONG = "876000h";

/**
 * Writes through HTTP.
 *
 * @param known number of the version's last migration
 * @throws Error when something is refused
 */
export async function writeHistory(call: Caller, known: number, provider: OpenIdProvider): Promise<Written> {
  const secrets = { management: MANAGEMENT };
  const written: Written = { secrets, workspaces: [], policies: [], roles: [], bindingRules: [] };
  await writeWorkspaces(call, written);
  if (known >= 2) await writeRights(call, written);
  if (known >= 4) await writeNamespaces(call, written);
  if (known >= 5) await writeLogins(call, written, provider);
  if (known >= 8) await writeTagsOf(call, written);
  if (known >= 9) {
    await rotateAndRevoke(call, written);
    await call("PUT", "/v1/acl/declaration", { Name: "platform", Objects: ["policy default/default/web"] });
  }
  if (known >= 11) {
    const Actions = [{ Action: "read", Kind: "key", Segment: "records/${id}", Access: "read" }];
    const ResourceTypes = [{ Type: "record", Actions }];
    await call("PUT", "/v1/acl/decision-mapping", { Name: "Gateway", Description: "größer", ResourceTypes });
  }
  if (known >= 14) {
    const { AccessorID, SecretID } = await call("PUT", "/v1/acl/token", { Description: "disabled" });
    written.secrets["disabled"] = String(SecretID);
    await call("PUT", `/v1/acl/token/${String(AccessorID)}/disable`);
  }
  if (known >= 18) {
    await call("PUT", "/v1/acl/view", { Name: "Web roles", List: "roles", Query: { q: "web" } });
  }
  return written;
}

/** A token with another secret, whose old one lives on, and others that are deleted by what they are called. */
async function rotateAndRevoke(call: Caller, { secrets }: Written): Promise<void> {
  const made = await call("PUT", "/v1/acl/token", { Description: "rotated", ExpirationTTL: LONG });
  const rotated = await call("POST", `/v1/acl/token/${made.AccessorID}/rotate`, { Overlap: "168h" });
  secrets["rotated"] = String(rotated.SecretID);
  await call("PUT", "/v1/acl/token", { Description: "soon revoked" });
  await call("POST", "/v1/acl/tokens/revoke", { Description: "soon revoked" });
}

async function writeWorkspaces(call: Caller, { workspaces }: Written): Promise<void> {
  await makeOrganization(call, "acme", { "session-timeout": 20_160, "default-execution-mode": "local" });
  await makeOrganization(call, "gone-org");
  await makeOrganization(call, "soon-gone");
  await call("DELETE", "/api/v2/organizations/soon-gone");
  const made = await call("POST", "/api/v2/organizations/acme/projects", {
    data: { type: "projects", attributes: { name: "Platform", description: "größer als — 日本語" } },
  });
  const project = { data: { type: "projects", id: made.data.id as string } };
  workspaces.push(await makeWorkspace(call, "acme", "web", ["env:prod", "team-a"], { relationships: { project } }));
  workspaces.push(await makeWorkspace(call, "acme", "Batch", ["env:prod"], { attributes: { "auto-apply": true } }));
  workspaces.push(await makeWorkspace(call, "acme", "tools", ["gone-tag"]));
  for (const name of ["one", "two"]) await makeWorkspace(call, "gone-org", name, ["env:prod"]);
  await call("POST", `/api/v2/workspaces/${workspaces[1]}/actions/lock`, { reason: "it's being moved" });
  await call("POST", "/api/v2/organizations/acme/tags", { data: [{ type: "tags", attributes: { name: "pinned" } }] });
  const tags = await call("GET", "/api/v2/organizations/acme/tags?q=team-a");
  await call("PATCH", `/api/v2/tags/${tags.data[0].id}`, { data: { type: "tags", attributes: { name: "team-b" } } });
}

async function makeOrganization(call: Caller, name: string, attributes: object = {}): Promise<void> {
  const email = `${name}@example.com`;
  await call("POST", "/api/v2/organizations", {
    data: { type: "organizations", attributes: { name, email, ...attributes } },
  });
}

async function makeWorkspace(
  call: Caller,
  organization: string,
  name: string,
  tags: readonly string[],
  { attributes = {}, relationships = {} } = {},
): Promise<string> {
  const data = tags.map((tag) => ({ type: "tags", attributes: { name: tag } }));
  const made = await call("POST", `/api/v2/organizations/${organization}/workspaces`, {
    data: {
      type: "workspaces",
      attributes: { name, ...attributes },
      relationships: { ...relationships, tags: { data } },
    },
  });
  return String(made.data.id);
}

async function makeToken(call: Caller, { secrets }: Written, name: string, content: object, query = ""): Promise<void> {
  const made = await call("PUT", `/v1/acl/token${query}`, { Description: `token ${name}`, ...content });
  secrets[name] = String(made.SecretID);
}

async function writeRights(call: Caller, written: Written): Promise<void> {
  const { policies, roles } = written;
  const policy = async (Name: string, Rules: string) => {
    policies.push(String((await call("PUT", "/v1/acl/policy", { Name, Rules, Description: `of ${Name}` })).ID));
  };
  await policy("Readers", 'organization_prefix "" { policy = "read" }\nworkspace_prefix "" { policy = "read" }');
  await policy("acl-read", 'acl = "read"\nkey_prefix "größe/" { policy = "list" }');
  await policy("gone-policy", 'service "x" { policy = "write" }');
  await call("PUT", `/v1/acl/policy/${policies[1]}`, {
    Name: "acl-readers",
    Rules: 'acl = "read"',
    Datacenters: ["dc1"],
  });
  const role = async (content: object) => roles.push(String((await call("PUT", "/v1/acl/role", content)).ID));
  await role({
    Name: "Operators",
    Policies: [{ ID: policies[0] }, { ID: policies[2] }],
    ServiceIdentities: [{ ServiceName: "web", Datacenters: ["dc1"] }],
    NodeIdentities: [{ NodeName: "node-1", Datacenter: "dc1" }],
    TemplatedPolicies: [{ TemplateName: "builtin/service", TemplateVariables: { Name: "api" } }],
  });
  await role({ Name: "gone-role", Policies: [{ ID: policies[1] }] });
  const ExpirationTime = "2126-01-01T00:00:00Z";
  await makeToken(call, written, "reader", { Policies: [{ ID: policies[0] }], Local: true, ExpirationTime });
  await makeToken(call, written, "operator", { Roles: [{ ID: roles[0] }, { ID: roles[1] }] });
  await makeToken(call, written, "identities", {
    Policies: [{ ID: policies[1] }, { ID: policies[2] }],
    ServiceIdentities: [{ ServiceName: "web" }],
    NodeIdentities: [{ NodeName: "node-1", Datacenter: "dc1" }],
    TemplatedPolicies: [{ TemplateName: "builtin/node", TemplateVariables: { Name: "node-2" } }],
  });
  const { AccessorID } = await call("GET", "/v1/acl/token/self", undefined, tokenOf(written, "reader"));
  written.secrets["clone"] = String((await call("PUT", `/v1/acl/token/${AccessorID}/clone`, {})).SecretID);
  await call("PUT", "/v1/acl/token/00000000-0000-0000-0000-000000000002", { Policies: [{ ID: policies[1] }] });
}

async function writeNamespaces(call: Caller, written: Written): Promise<void> {
  const { policies, roles } = written;
  await call("PUT", "/v1/partition", { Name: "ops", Description: "a partition", DisableGossip: true });
  await call("PUT", "/v1/namespace", {
    Name: "team-1",
    Description: "a team",
    Meta: { floor: "3" },
    ACLs: { PolicyDefaults: [{ ID: policies[1] }, { ID: policies[2] }], RoleDefaults: [{ ID: roles[1] }] },
  });
  await call("PUT", "/v1/namespace?partition=ops", { Name: "team-2" });
  await call("PUT", "/v1/namespace", { Name: "gone-ns" });
  for (const query of ["?ns=team-1", "?ns=team-2&partition=ops", "?ns=gone-ns"]) {
    const { ID } = await call("PUT", `/v1/acl/policy${query}`, { Name: "local", Rules: 'acl = "write"' });
    const role = await call("PUT", `/v1/acl/role${query}`, { Name: "local", Policies: [{ ID }] });
    await makeToken(call, written, query, { Roles: [{ ID: role.ID as string }] }, query);
  }
}

async function writeLogins(call: Caller, written: Written, provider: OpenIdProvider): Promise<void> {
  const key = methodKey();
  const jwt = { Type: "jwt", Config: { JWTValidationPubKeys: [key.publicKey], ...MAPPINGS }, MaxTokenTTL: LONG };
  await call("PUT", "/v1/acl/auth-method", {
    Name: "Machines",
    DisplayName: "machines",
    TokenLocality: "global",
    NamespaceRules: [{ Selector: 'value.team == "one"', BindNamespace: "team-1" }],
    ...jwt,
  });
  for (const Name of ["local", "gone-method"]) await call("PUT", "/v1/acl/auth-method?ns=team-1", { Name, ...jwt });
  const rule = async (content: object, query = "", headers = {}) => {
    const made = await call("PUT", `/v1/acl/binding-rule${query}`, content, MANAGEMENT, headers);
    written.bindingRules.push(String(made.ID));
  };
  const of = { AuthMethod: "Machines", Selector: '"ops" in list.groups' };
  await rule({ ...of, BindType: "service", BindName: "web-${value.team}" }, "", { "idempotency-key": "once" });
  await rule({ ...of, BindType: "role", BindName: "Operators" });
  await rule({ ...of, BindType: "policy", BindName: "acl-readers", Description: "größer" });
  await rule({ ...of, BindType: "templated-policy", BindName: "builtin/service", BindVars: { Name: "${value.name}" } });
  await rule({ ...of, BindType: "node", BindName: "n-${value.name}" });
  for (const AuthMethod of ["local", "gone-method"]) {
    await rule({ AuthMethod, BindType: "service", BindName: "s-${value.name}" }, "?ns=team-1");
  }
  for (const [name, AuthMethod, query] of [
    ["login", "Machines", ""],
    ["local login", "local", "?ns=team-1"],
    ["gone login", "gone-method", "?ns=team-1"],
  ] as const) {
    const claims = { sub: name, team: "two", name: "ada", groups: ["ops"], exp: Math.floor(Date.now() / 1000) + 60 };
    const body = { AuthMethod, BearerToken: signToken(key, claims), Meta: { by: "test" } };
    written.secrets[name] = String((await call("POST", `/v1/acl/login${query}`, body, "")).SecretID);
  }
  await logInByBrowser(call, written, provider);
}

async function logInByBrowser(call: Caller, { secrets }: Written, provider: OpenIdProvider): Promise<void> {
  const Config = oidcConfig(provider);
  await call("PUT", "/v1/acl/auth-method", { Name: "people", Type: "oidc", MaxTokenTTL: LONG, Config });
  await call("PUT", "/v1/acl/binding-rule", { AuthMethod: "people", BindType: "service", BindName: "people" });
  const { AuthURL } = await call(
    "POST",
    "/v1/acl/oidc/auth-url",
    { AuthMethod: "people", RedirectURI: REDIRECT_URI },
    "",
  );
  const { code, state } = await userAgent(provider)(String(AuthURL));
  const made = await call("POST", "/v1/acl/oidc/callback", { AuthMethod: "people", Code: code, State: state }, "");
  secrets["browser login"] = String(made.SecretID);
}

/** The end of it: what hangs on these is removed in the background, which a fixture catches under way. */
export async function deleteSome(call: Caller, known: number): Promise<void> {
  if (known >= 2) {
    const { ID } = await call("GET", "/v1/acl/policy/name/gone-policy");
    await call("DELETE", `/v1/acl/policy/${ID}`);
    const role = await call("GET", "/v1/acl/role/name/gone-role");
    await call("DELETE", `/v1/acl/role/${role.ID}`);
  }
  const doomed = [
    "/api/v2/organizations/gone-org",
    ...(known >= 4 ? ["/v1/namespace/gone-ns"] : []),
    ...(known >= 5 ? ["/v1/acl/auth-method/gone-method?ns=team-1"] : []),
  ];
  const tags = await call("GET", "/api/v2/organizations/acme/tags?q=gone-tag");
  const data = [{ type: "tags", id: tags.data[0].id as string }];
  await Promise.all([
    call("DELETE", "/api/v2/organizations/acme/tags", { data }),
    ...doomed.map((path) => call("DELETE", path)),
  ]);
}
