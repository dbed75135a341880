/**
 * Which files of the program a request passes, on the way in and back: those of which a function runs while it is
 * answered. `node bench/passed-files.ts [--list]`, see decision 22. Not a measure of time.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { bootstrapTokens } from "../src/acl/tokens/bootstrap.ts";
import { buildApp } from "../src/app.ts";
import { openDatabase } from "../src/storage/open.ts";
import { createSigningKey, signToken } from "../test/support/key-server.ts";

const TOKEN = "0f6a3c1e-8d2b-4b7a-9c55-1e2d3f4a5b6c";
const JSONAPI = "application/vnd.api+json";

/** Answers a request of the management token. */
async function ask(app: FastifyInstance, method: "GET" | "PUT" | "POST", url: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${TOKEN}`, ...(url.startsWith("/api") ? { "content-type": JSONAPI } : {}) };
  const answer = await app.inject({
    method,
    url,
    headers,
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`);
  return answer.body === "" ? undefined : JSON.parse(answer.body);
}

/** The files of which functions ran while `work` did. */
async function passed(session: Session, work: () => Promise<unknown>): Promise<string[]> {
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ran = result.filter(
    ({ url, functions }) => url.includes("/src/") && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  );
  return ran.map(({ url }) => url.slice(url.indexOf("/src/") + 1)).toSorted();
}

const now = Math.floor(Date.now() / 1000);
const directory = mkdtempSync(join(tmpdir(), "tessera-passed-"));
const silent = { onFatal: () => undefined, onWarning: () => undefined };
const db = await openDatabase({ url: `sqlite:${join(directory, "t.db")}`, dataDir: directory, ...silent });
const app = buildApp({
  config: {
    listen: { host: "127.0.0.1", port: 0 },
    trustedProxies: [],
    allowedHosts: [],
    publicUrl: undefined,
    accessLog: false,
  },
  db,
});
try {
  await bootstrapTokens(
    db,
    { dataDir: directory, mode: "auto", initialManagementToken: TOKEN },
    new Date().toISOString(),
  );
  const key = createSigningKey("one");
  await ask(app, "POST", "/api/v2/organizations", {
    data: { type: "organizations", attributes: { name: "acme", email: "a@example.com" } },
  });
  const made = await ask(app, "POST", "/api/v2/organizations/acme/workspaces", {
    data: { type: "workspaces", attributes: { name: "web" } },
  });
  const { id } = (made as { data: { id: string } }).data;
  const Config = { JWTValidationPubKeys: [key.publicKey], BoundIssuer: "i", ClaimMappings: { team: "team" } };
  await ask(app, "PUT", "/v1/acl/auth-method", { Name: "jwt", Type: "jwt", Config });
  const rule = { AuthMethod: "jwt", BindType: "service", BindName: "web" };
  const tags = (name: string) => ({ data: [{ type: "tags", attributes: { name } }] });
  const login = () =>
    ask(app, "POST", "/v1/acl/login", {
      AuthMethod: "jwt",
      BearerToken: signToken(key, { iss: "i", team: "web", iat: now, exp: now + 600 }),
    });
  const policies = await app.inject({ url: "/v1/acl/policies", headers: { "x-consul-token": TOKEN } });
  const index = String(policies.headers["x-consul-index"]);
  const requests: [string, () => Promise<unknown>][] = [
    ["attach a tag", () => ask(app, "POST", `/api/v2/workspaces/${id}/relationships/tags`, tags("a"))],
    ["write a binding rule", () => ask(app, "PUT", "/v1/acl/binding-rule", rule)],
    ["log in", login],
    [
      "wait on a list",
      () =>
        Promise.all([
          ask(app, "GET", `/v1/acl/policies?index=${index}&wait=60s`),
          ask(app, "PUT", "/v1/acl/policy", { Name: "news" }),
        ]),
    ],
  ];
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  for (const [name, request] of requests) {
    const files = await passed(session, request);
    process.stdout.write(`${name}: ${files.length} files\n`);
    if (process.argv.includes("--list")) process.stdout.write(files.map((file) => `  ${file}\n`).join(""));
  }
  session.disconnect();
} finally {
  await app.close();
  await db.close();
  rmSync(directory, { recursive: true, force: true });
}
