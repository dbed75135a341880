/** Every request that takes rights away is acknowledged only when the mark of SQLite's log says so too. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { walkLog } from "../../src/storage/sqlite/mark/log-frames.ts";
import { createSigningKey, signToken } from "../support/key-server.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { BODIES } from "../wall/requests.ts";
import { call, cut, harmIn, slotOf } from "./lost-log.ts";

const HERE = "https://console.example";

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ args: ["--public-url", HERE] });
});
afterAll(() => server.kill());

type Made = Record<string, string>;
const made = async (path: string, body: object) => (await call(server, "PUT", path, body)) as Made;
async function ask(method: string, path: string, body: object | undefined, given?: Made): Promise<Response> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = given ?? { "x-consul-token": server.token };
  const answer = await fetch(`${server.url}${path}`, { method, headers, ...text });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer;
}

let number = 0;
const named = () => ({ Name: `n${++number}` });
const policy = async () => (await made("/v1/acl/policy", named()))["ID"];
const role = async () => (await made("/v1/acl/role", named()))["ID"];
const token = async () => (await made("/v1/acl/token", {}))["AccessorID"];
const namespace = async () => (await made("/v1/namespace", named()))["Name"];
const partition = async () => (await made("/v1/partition", named()))["Name"];
const key = createSigningKey("people");
const KEYS = { JWTValidationPubKeys: [key.publicKey] };
const authMethod = async () => (await made("/v1/acl/auth-method", { ...named(), Type: "jwt", Config: KEYS }))["Name"];
const rule = async () =>
  (await made("/v1/acl/binding-rule", { AuthMethod: await authMethod(), BindType: "role", BindName: "r" }))["ID"];

const mapping = async () => (await made("/v1/acl/decision-mapping", named()))["Name"];

interface Taking {
  /** Makes something, and says what is asked of it. */
  prepare: () => Promise<[path: string, body: object | undefined, headers?: Made]>;
}

const of = (path: string, make: () => Promise<string | undefined>, body?: object | (() => object)): Taking => ({
  prepare: async () => [
    path.replace("*", (await make()) ?? ""),
    typeof body === "function" ? (body as () => object)() : body,
  ],
});

/** The secret of a token that a login gave. */
async function login(): Promise<string> {
  const AuthMethod = await authMethod();
  await made("/v1/acl/binding-rule", { AuthMethod, BindType: "service", BindName: "web" });
  const iat = Math.floor(Date.now() / 1000);
  const BearerToken = signToken(key, { iss: "https://idp.test", sub: "somebody", iat, exp: iat + 3600 });
  const answer = await ask("POST", "/v1/acl/login", { AuthMethod, BearerToken }, {});
  return ((await answer.json()) as Made)["SecretID"] ?? "";
}

const OF_PAGE = { "x-tessera-console": "1", "sec-fetch-site": "same-origin", origin: HERE };

/** A session of the console, with the headers by which its page is signed in. */
async function session(): Promise<{ id: string; headers: Made }> {
  const headers = { ...OF_PAGE, "content-type": "application/json" };
  const { SecretID } = await made("/v1/acl/token", { Policies: [{ Name: "global-management" }] });
  const answer = await ask("POST", "/ui/session", { SecretID }, headers);
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { id: ((await answer.json()) as { Session: { ID: string } }).Session.ID, headers: { ...OF_PAGE, cookie } };
}

const TAKING: Readonly<Record<string, Taking>> = {
  "PUT /v1/acl/policy/{id}": of("/v1/acl/policy/*", policy, named),
  "PATCH /v1/acl/policy/{id}": of("/v1/acl/policy/*", policy, { Description: "patched" }),
  "DELETE /v1/acl/policy/{id}": of("/v1/acl/policy/*", policy),
  "PUT /v1/acl/role/{id}": of("/v1/acl/role/*", role, named),
  "PATCH /v1/acl/role/{id}": of("/v1/acl/role/*", role, { Description: "patched" }),
  "DELETE /v1/acl/role/{id}": of("/v1/acl/role/*", role),
  "PUT /v1/acl/token/{accessor}": of("/v1/acl/token/*", token, { Description: "put" }),
  "PATCH /v1/acl/token/{accessor}": of("/v1/acl/token/*", token, { Description: "patched" }),
  "DELETE /v1/acl/token/{accessor}": of("/v1/acl/token/*", token),
  "POST /v1/acl/token/{accessor}/rotate": of("/v1/acl/token/*/rotate", token, {}),
  "PUT /v1/acl/token/{accessor}/disable": of("/v1/acl/token/*/disable", token),
  "PATCH /v1/acl/auth-method/{name}": of("/v1/acl/auth-method/*", authMethod, { Description: "patched" }),
  "DELETE /v1/acl/auth-method/{name}": of("/v1/acl/auth-method/*", authMethod),
  "PATCH /v1/acl/binding-rule/{id}": of("/v1/acl/binding-rule/*", rule, { Description: "patched" }),
  "DELETE /v1/acl/binding-rule/{id}": of("/v1/acl/binding-rule/*", rule),
  "PUT /v1/acl/decision-mapping/{name}": of("/v1/acl/decision-mapping/*", mapping, { Description: "put" }),
  "PATCH /v1/acl/decision-mapping/{name}": of("/v1/acl/decision-mapping/*", mapping, { Description: "patched" }),
  "DELETE /v1/acl/decision-mapping/{name}": of("/v1/acl/decision-mapping/*", mapping),
  "PUT /v1/namespace/{name}": of("/v1/namespace/*", namespace, { Description: "put" }),
  "PATCH /v1/namespace/{name}": of("/v1/namespace/*", namespace, { Description: "patched" }),
  "DELETE /v1/namespace/{name}": of("/v1/namespace/*", namespace),
  "PUT /v1/partition/{name}": of("/v1/partition/*", partition, { Description: "put" }),
  "PATCH /v1/partition/{name}": of("/v1/partition/*", partition, { Description: "patched" }),
  "DELETE /v1/partition/{name}": of("/v1/partition/*", partition),
  "DELETE /v1/acl/session/{id}": of("/v1/acl/session/*", async () => (await session()).id),
  "POST /v1/acl/logout": {
    prepare: async () => ["/v1/acl/logout", undefined, { "x-consul-token": await login() }],
  },
};

/** Requests outside of the API that do. */
const OF_CONSOLE: Readonly<Record<string, Taking>> = {
  "DELETE /ui/session": { prepare: async () => ["/ui/session", undefined, (await session()).headers] },
};

/** Routes that write what decides about rights, and are none of those above. */
const OTHERS: Readonly<Record<string, string>> = {
  "PUT /v1/acl/declaration/{id}": "who owns what gives nobody a right",
  "PATCH /v1/acl/declaration/{id}": "the same",
  "DELETE /v1/acl/declaration/{id}": "the same",
  "PUT /v1/acl/view/{id}": "a view gives nobody a right",
  "DELETE /v1/acl/view/{id}": "the same",
  "PUT /v1/acl/token/{accessor}/clone": "makes another token",
  "PUT /v1/acl/token/{accessor}/enable": "gives a token back what it had",
  "POST /v1/acl/tokens/revoke": "deletes nothing before its answer; what is gone by then is asked below",
  "PUT /v1/acl/auth-method/{name}": "the same statement as its PATCH",
  "PUT /v1/acl/binding-rule/{id}": "the same statement as its PATCH",
};

test("every route that changes or deletes what decides about rights is asked here, or is none for a reason", () => {
  const routes = Object.keys(BODIES).filter((route) =>
    /^(PUT|PATCH|DELETE) \/v1\/.*\{|\/(rotate|logout|revoke)$/.test(route),
  );
  expect([...Object.keys(TAKING), ...Object.keys(OTHERS)].toSorted()).toEqual(routes.toSorted());
});

test.each(Object.entries({ ...TAKING, ...OF_CONSOLE }))("incident 61: %s", async (route, { prepare }) => {
  const [verb = ""] = route.split(" ");
  await ask(verb, ...(await prepare()));
  // Right behind another mark: what is not written at once is written 50 ms later.
  const slot = slotOf(server.dataDir);
  const walk = walkLog(join(server.dataDir, "tessera.db-wal"), slot);
  expect(walk.commits).toBeGreaterThan(0);
  const again = await prepare();
  await ask(verb, ...again);
  const log = walkLog(join(server.dataDir, "tessera.db-wal"), slot);
  const after = slotOf(server.dataDir);
  const isSameRun = log.salts.join() === after.salts.join();
  expect([after.sequence > slot.sequence, !isSameRun || after.frames >= log.committed]).toEqual([true, true]);
});

test("incident 61: a token that a revocation was seen to have deleted stays deleted, whatever of the log is behind the mark", async () => {
  const own = await startServer();
  const ofOwn = (method: string, path: string, body?: object) => call(own, method, path, body) as Promise<Made>;
  const { ID = "" } = await ofOwn("PUT", "/v1/acl/role", named());
  const Description = "to be revoked";
  const { SecretID = "" } = await ofOwn("PUT", "/v1/acl/token", {
    Policies: [{ Name: "global-management" }],
    Roles: [{ ID }],
    Description,
  });
  await ofOwn("POST", "/v1/acl/tokens/revoke", { Role: ID });
  const self = async (url: string) =>
    (await fetch(`${url}/v1/acl/token/self`, { headers: { "x-consul-token": SecretID } })).status;
  while ((await self(own.url)) === 200);
  await own.kill({ keepData: true });
  const { dataDir } = own;
  const slot = slotOf(dataDir);
  harmIn(dataDir, slot, ({ log, frameAt }) => {
    if (frameAt(slot.frames + 1) < readFileSync(log).length) cut(log, frameAt(slot.frames + 1));
  });
  const again = await startServer({ dataDir });
  expect(await self(again.url)).toBe(403);
  await again.kill();
});
