/** Every request that takes rights away is acknowledged only when the mark of SQLite's log says so too. */
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { walkLog } from "../../src/storage/sqlite/mark/log-frames.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { BODIES } from "../wall/requests.ts";
import { call, slotOf } from "./lost-log.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.kill());

type Made = Record<string, string>;
const made = async (path: string, body: object) => (await call(server, "PUT", path, body)) as Made;
async function ask(method: string, path: string, body: object | undefined): Promise<void> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${server.url}${path}`, { method, headers: { "x-consul-token": server.token }, ...text });
  expect([path, answer.status]).toEqual([path, 200]);
}

let number = 0;
const named = () => ({ Name: `n${++number}` });
const policy = async () => (await made("/v1/acl/policy", named()))["ID"];
const role = async () => (await made("/v1/acl/role", named()))["ID"];
const token = async () => (await made("/v1/acl/token", {}))["AccessorID"];
const namespace = async () => (await made("/v1/namespace", named()))["Name"];
const partition = async () => (await made("/v1/partition", named()))["Name"];
const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const KEYS = { JWTValidationPubKeys: [publicKey.export({ type: "spki", format: "pem" })] };
const authMethod = async () => (await made("/v1/acl/auth-method", { ...named(), Type: "jwt", Config: KEYS }))["Name"];
const rule = async () =>
  (await made("/v1/acl/binding-rule", { AuthMethod: await authMethod(), BindType: "role", BindName: "r" }))["ID"];

const mapping = async () => (await made("/v1/acl/decision-mapping", named()))["Name"];

interface Taking {
  /** Makes something, and says what is asked of it. */
  prepare: () => Promise<[path: string, body: object | undefined]>;
}

const of = (path: string, make: () => Promise<string | undefined>, body?: object | (() => object)): Taking => ({
  prepare: async () => [
    path.replace("*", (await make()) ?? ""),
    typeof body === "function" ? (body as () => object)() : body,
  ],
});

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
};

/** Routes that write what decides about rights, and are none of those above. */
const OTHERS: Readonly<Record<string, string>> = {
  "PUT /v1/acl/declaration/{id}": "who owns what gives nobody a right",
  "PATCH /v1/acl/declaration/{id}": "the same",
  "DELETE /v1/acl/declaration/{id}": "the same",
  "PUT /v1/acl/view/{id}": "a view gives nobody a right",
  "DELETE /v1/acl/view/{id}": "the same",
  "DELETE /v1/acl/session/{id}": "its statement is that of takes-rights.test.ts",
  "PUT /v1/acl/token/{accessor}/clone": "makes another token",
  "PUT /v1/acl/token/{accessor}/enable": "gives a token back what it had",
  "PUT /v1/acl/auth-method/{name}": "the same statement as its PATCH",
  "PUT /v1/acl/binding-rule/{id}": "the same statement as its PATCH",
};

test("every route that changes or deletes what decides about rights is asked here, or is none for a reason", () => {
  const routes = Object.keys(BODIES).filter((route) => /^(PUT|PATCH|DELETE) \/v1\/.*\{|\/rotate$/.test(route));
  expect([...Object.keys(TAKING), ...Object.keys(OTHERS)].toSorted()).toEqual(routes.toSorted());
});

test.each(Object.entries(TAKING))("incident 61: %s", async (route, { prepare }) => {
  const [path, body] = await prepare();
  const [verb = ""] = route.split(" ");
  await ask(verb, path, body);
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
