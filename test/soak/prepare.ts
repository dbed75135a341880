/** Fills the server with what normal and hostile clients work on. */
import { inParallel } from "../../bench/seed.ts";
import { createSigningKey, signToken } from "../support/key-server.ts";
import { startOpenIdProvider } from "../support/openid-provider.ts";
import { sender, type Sender } from "./sender.ts";
import { METHODS, type Target } from "./target.ts";

const POLICIES = 300;
const PEOPLE = 50;
const TAGS = 200;
const WORKSPACES = 40;
/** Workspaces whose settings are as big as they may be, which fill a page to its bound. */
const BIG_WORKSPACES = 100;
const WIDTH = 8;
/** They make a configuration long. */
const REDIRECT_URIS = 500;
const CLIENT = { clientId: "soak", clientSecret: "a secret", redirectUris: ["http://localhost:8550/oidc/callback"] };
/** Longer than any soak. */
const LIFE_SECONDS = 86_400;

/** Makes policies, tokens, a tenant, an auth method with people, and organizations; gives what the clients need. */
export async function prepare(url: string, management: string): Promise<Target> {
  const client = sender(url, management, WIDTH);
  try {
    const policies = await makePolicies(client, "", POLICIES);
    const tenancy = await makeTenant(client);
    const reader = await makeToken(client, 'acl = "read" key_prefix "" { policy = "read" }');
    return {
      url,
      management,
      reader,
      policies,
      ...tenancy,
      ...(await makePeople(client)),
      ...(await makeTags(client)),
    };
  } finally {
    client.close();
  }
}

async function makePolicies(client: Sender, query: string, count: number): Promise<string[]> {
  return inParallel(numbers(count), WIDTH, async (number) => {
    const Rules = `key_prefix "team-${number}/" { policy = "write" } service "web-${number}" { policy = "read" }`;
    const body = { Name: `standing-${number}`, Description: "what stays ".repeat(10), Rules };
    return (await client.made<{ ID: string }>("PUT", `/v1/acl/policy${query}`, body)).ID;
  });
}

async function makeToken(client: Sender, Rules: string): Promise<string> {
  const { ID } = await client.made<{ ID: string }>("PUT", "/v1/acl/policy", { Name: crypto.randomUUID(), Rules });
  const token = await client.made<{ SecretID: string }>("PUT", "/v1/acl/token", { Policies: [{ ID }] });
  return token.SecretID;
}

async function makeTenant(client: Sender): Promise<Pick<Target, "tenant" | "herdPolicy">> {
  await client.made("PUT", "/v1/namespace", { Name: "tenant" });
  const [herdPolicy = ""] = await makePolicies(client, "?ns=tenant", POLICIES);
  // Each method is proven when it is made, and never again unless somebody logs in.
  const provider = await startOpenIdProvider({ clients: [CLIENT] });
  const Config = {
    OIDCDiscoveryURL: provider.issuer,
    OIDCDiscoveryCACert: provider.ca,
    OIDCClientID: CLIENT.clientId,
    OIDCClientSecret: CLIENT.clientSecret,
    AllowedRedirectURIs: numbers(REDIRECT_URIS).map((number) => `https://ui-${number}.example.com/${"x".repeat(80)}`),
  };
  try {
    await inParallel(numbers(METHODS), WIDTH, (number) => {
      const method = { Name: `people-${number}`, Type: "oidc", MaxTokenTTL: "1h", Config };
      return client.made("PUT", "/v1/acl/auth-method?ns=tenant", method);
    });
  } finally {
    await provider.stop();
  }
  return { tenant: await makeToken(client, 'namespace "tenant" { acl = "write" }'), herdPolicy };
}

async function makePeople(client: Sender): Promise<Pick<Target, "bearers" | "reused">> {
  const key = createSigningKey("people");
  const Config = { JWTValidationPubKeys: [key.publicKey], ClaimMappings: { team: "team" } };
  await client.made("PUT", "/v1/acl/auth-method", { Name: "people", Type: "jwt", MaxTokenTTL: "1h", Config });
  await inParallel(numbers(PEOPLE), WIDTH, (number) =>
    client.made("PUT", "/v1/acl/binding-rule", {
      AuthMethod: "people",
      Selector: `value.team == "team-${number}"`,
      BindType: "service",
      BindName: `web-${number}`,
    }),
  );
  const iat = Math.floor(Date.now() / 1000);
  const credential = (sub: string, team: string): string =>
    signToken(key, { iss: "https://idp.test", sub, team, iat, exp: iat + LIFE_SECONDS });
  return {
    bearers: numbers(PEOPLE).map((number) => credential(`person ${number}`, `team-${number}`)),
    reused: credential("one of many pods", "team-0"),
  };
}

async function makeTags(client: Sender): Promise<Pick<Target, "tags" | "workspaces">> {
  for (const name of ["acme", "big"]) {
    const attributes = { name, email: "a@example.com" };
    await client.made("POST", "/api/v2/organizations", { data: { type: "organizations", attributes } });
  }
  const names = numbers(TAGS).map((number) => ({ type: "tags", attributes: { name: `standing-${number}` } }));
  const { data } = await client.made<{ data: { id: string }[] }>("POST", "/api/v2/organizations/acme/tags", {
    data: names,
  });
  const workspaces = await inParallel(numbers(WORKSPACES), WIDTH, (n) => makeWorkspace(client, "acme", `ws-${n}`));
  const patterns = { "trigger-patterns": numbers(65).map(() => "p".repeat(950)) };
  await inParallel(numbers(BIG_WORKSPACES), WIDTH, (n) => makeWorkspace(client, "big", `big-${n}`, patterns));
  return { tags: data.map(({ id }) => id), workspaces };
}

async function makeWorkspace(client: Sender, organization: string, name: string, settings = {}): Promise<string> {
  const data = { type: "workspaces", attributes: { name, ...settings } };
  const path = `/api/v2/organizations/${organization}/workspaces`;
  return (await client.made<{ data: { id: string } }>("POST", path, { data })).data.id;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
