/** Attacks that need nothing but requests. */
import { createSigningKey, signToken } from "../../support/key-server.ts";
import type { Attack, Ring } from "./attack.ts";

const HERD = 32;
const FORGED_CURSORS = ["999999999999999999999", "-1", "18446744073709551615", "%00", "eyJhIjoxfQ", "0'--"];
/** All of one token, as many as incident 70 had. */
const LISTS = 300;
const SEARCHED = "what stays ".repeat(10);
const forger = createSigningKey("people");

async function ask(ring: Ring, ...request: Parameters<Ring["client"]["send"]>): Promise<void> {
  ring.note((await ring.client.send(...request)).status);
}

const login = (ring: Ring, BearerToken: string, headers = {}): Promise<void> =>
  ask(ring, "POST", "/v1/acl/login", { body: { AuthMethod: "people", BearerToken }, headers });

export const PLAIN: readonly Attack[] = [
  {
    name: "made-up scopes",
    perSecond: 100,
    atOnce: 8,
    meets: [403],
    act: (ring) => {
      const name = `${ring.random.below(2 ** 31).toString(36)}-made-up-by-nobody`;
      const wait = ring.random.chance(0.5) ? "&index=5&wait=1ms" : "";
      return ask(ring, "GET", `/v1/acl/binding-rules?partition=${name}&ns=${name}${wait}`);
    },
  },
  {
    name: "herds",
    perSecond: 0.5,
    atOnce: 1,
    meets: [200],
    act: async (ring) => {
      const { tenant: token, herdPolicy } = ring.target;
      const path = `/v1/acl/policy/${herdPolicy}?ns=tenant`;
      const body = { ID: herdPolicy, Name: "herd", Description: `${ring.random.below(2 ** 31)}`, Rules: "" };
      await ask(ring, "PUT", path, { token, body });
      const lists = Array.from({ length: HERD }, () => ask(ring, "GET", "/v1/acl/policies?ns=tenant", { token }));
      await Promise.all(lists);
    },
  },
  {
    name: "one JWT again and again",
    perSecond: 10,
    atOnce: 2,
    meets: [200],
    act: (ring) => login(ring, ring.target.reused),
  },
  {
    name: "refused logins",
    perSecond: 20,
    atOnce: 4,
    meets: [403],
    act: (ring) => {
      const sub = ring.random.chance(0.5) ? "person 1" : `nobody ${ring.random.below(2 ** 31)}`;
      const iat = Math.floor(Date.now() / 1000);
      return login(ring, signToken(forger, { iss: "https://idp.test", sub, team: "team-1", iat, exp: iat + 3600 }));
    },
  },
  {
    name: "cross-site requests",
    perSecond: 20,
    atOnce: 4,
    meets: [403],
    act: (ring) => login(ring, "x", { origin: "https://evil.test", "sec-fetch-site": "cross-site" }),
  },
  {
    name: "oidc methods of a tenant",
    perSecond: 10,
    atOnce: 4,
    meets: [200],
    act: (ring) => ask(ring, "GET", "/v1/internal/ui/oidc-auth-methods?ns=tenant"),
  },
  {
    name: "wrong bootstrap secrets",
    perSecond: 10,
    atOnce: 2,
    meets: [403],
    act: (ring) => ask(ring, "PUT", "/v1/acl/bootstrap", { body: { BootstrapSecret: crypto.randomUUID() } }),
  },
  {
    name: "forged cursors",
    perSecond: 10,
    atOnce: 4,
    meets: [400],
    act: (ring) => {
      const cursor = ring.random.pick(FORGED_CURSORS);
      const token = ring.target.reader;
      if (ring.random.chance(0.5)) return ask(ring, "GET", `/v1/acl/policies?page-size=5&after=${cursor}`, { token });
      const headers = { "last-event-id": cursor };
      return ask(ring, "GET", "/v1/events?topics=policies", { token, headers });
    },
  },
  {
    name: "pages of big settings",
    perSecond: 0.5,
    atOnce: 2,
    meets: [200],
    act: (ring) => {
      const path = "/api/v2/organizations/big/workspaces?page[size]=100";
      return ask(ring, "GET", path, { token: ring.target.management });
    },
  },
  {
    name: "different lists of one token",
    perSecond: 0.1,
    atOnce: 1,
    meets: [200],
    act: async (ring) => {
      const { reader: token } = ring.target;
      // Each is another part of the text that all policies have.
      const paths = Array.from({ length: LISTS }, (_, number) => {
        const part = SEARCHED.slice(number % 11, 40 + Math.floor(number / 11));
        return `/v1/acl/policies?search=${encodeURIComponent(part)}`;
      });
      await Promise.all(paths.map((path) => ask(ring, "GET", path, { token })));
    },
  },
  {
    name: "sign-ins at the console",
    perSecond: 20,
    atOnce: 4,
    meets: [200],
    act: (ring) => {
      const { reader: SecretID, url: origin } = ring.target;
      const page = { "x-tessera-console": "1", "sec-fetch-site": "same-origin", origin };
      const headers = { ...page, "content-type": "application/json" };
      return ask(ring, "POST", "/ui/session", { body: { SecretID }, headers });
    },
  },
  {
    name: "large bodies",
    perSecond: 2,
    atOnce: 2,
    meets: [400, 413],
    act: (ring) => {
      const token = ring.target.tenant;
      const length = ring.random.pick([900_000, 1_500_000]);
      const body = { Name: "large", Rules: 'key "a" { policy = "read" } '.repeat(length / 28), Surplus: 1 };
      return ask(ring, "PUT", "/v1/acl/policy?ns=tenant", { token, body }).catch(() => ring.note("cut"));
    },
  },
];
