/** Traces, as a collector gets them from the program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { type CollectedSpan, type Collector, startCollector } from "../../test/support/collector.ts";
import { ask, linesOf } from "../../test/support/traced.ts";
import { forEachEngine, makeDatabaseUrl, temporaryDirectory } from "../../test/support/engines.ts";
import { serve } from "../../test/support/outbound.ts";
import { type RunningServer, startServer, type ServerOptions } from "../../test/support/server.ts";
import { connectTo } from "../../test/support/connections.ts";
import { startTarget } from "../../test/support/webhook-target.ts";
import { readVersion } from "../config/version.ts";

vi.setConfig({ testTimeout: 60_000 });
const SOON = { timeout: 20_000, interval: 50 };
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const SAMPLED = `00-${TRACE}-${PARENT}-01`;
const NOT_SAMPLED = `00-${TRACE}-${PARENT}-00`;

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
});

async function startTraced(collector: Pick<Collector, "url">, options: ServerOptions = {}): Promise<RunningServer> {
  const args = ["--access-log", "--otlp-endpoint", collector.url, ...(options.args ?? [])];
  server = await startServer({ ...options, args });
  return server;
}

/** The one span of this name, as soon as it has come. */
async function spanNamed(collector: Collector, name: string): Promise<CollectedSpan> {
  await expect.poll(() => collector.named(name).length, SOON).toBe(1);
  return collector.named(name)[0] as CollectedSpan;
}

const POLICY = "PUT /v1/acl/policy";

forEachEngine((engine, makeUrl) => {
  test("a request is a span below its caller's, its transaction is one below that, and log and audit name the trace", async () => {
    const collector = await startCollector();
    const running = await startTraced(collector, { database: await makeUrl() });
    const secret = "no-such-secret-4711";
    const made = await ask(running, `/v1/acl/policy?pretty=${secret}`, {
      method: "PUT",
      body: { Name: "traced", Rules: 'key "x" { policy = "read" }' },
      traceparent: SAMPLED,
    });
    expect(made.status).toBe(200);
    const span = await spanNamed(collector, POLICY);
    expect(span).toMatchObject({ traceId: TRACE, parentId: PARENT, kind: 2, status: 0 });
    expect(span.end > span.start).toBe(true);
    expect(span.attributes).toEqual({
      "http.request.method": "PUT",
      "http.route": "/v1/acl/policy",
      "http.response.status_code": 200,
      "url.scheme": "http",
      "tessera.request_id": expect.any(String),
      "tessera.accessor_id": expect.any(String),
    });
    expect(span.resource).toMatchObject({
      "service.name": "tessera",
      "service.version": readVersion(),
      "service.instance.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      "process.pid": running.pid,
    });
    const transaction = await spanNamed(collector, "transaction partition");
    expect(transaction).toMatchObject({ traceId: TRACE, parentId: span.spanId, kind: 3 });
    expect(transaction.attributes["db.system.name"]).toBe(engine === "sqlite" ? "sqlite" : "postgresql");

    const line = () => linesOf(running).find(({ route }) => route === "/v1/acl/policy");
    await expect.poll(line, SOON).toMatchObject({
      traceparent: SAMPLED,
      requestId: span.attributes["tessera.request_id"],
    });
    const { text } = await ask(running, "/v1/audit?kind=policy");
    expect(text).toContain(TRACE);
    // Neither what authenticates, nor what is asked, nor a body.
    await expect.poll(() => collector.named("GET /v1/audit").length, SOON).toBe(1);
    const sent = Buffer.concat(collector.posts.map(({ bytes }) => bytes)).toString("latin1");
    for (const hidden of [running.token, secret, "traced"]) expect(sent).not.toContain(hidden);
    expect(collector.posts[0]).toMatchObject({
      path: "/v1/traces",
      headers: { "content-type": "application/x-protobuf" },
    });
  });

  test("what a caller does not sample is not sent, and what begins here is sent by its part", async () => {
    const collector = await startCollector();
    const running = await startTraced(collector, { database: await makeUrl(), args: ["--otlp-sample", "0"] });
    await ask(running, "/v1/acl/policies");
    await ask(running, "/v1/acl/roles", { traceparent: NOT_SAMPLED });
    await ask(running, "/v1/acl/tokens", { traceparent: SAMPLED });
    await spanNamed(collector, "GET /v1/acl/tokens");
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    expect(collector.spans.filter(({ kind }) => kind === 2)).toHaveLength(1);
  });
});

test("a request without a trace begins one, by which its line in the log and its audit records find it", async () => {
  const collector = await startCollector();
  const running = await startTraced(collector);
  await ask(running, "/v1/acl/policy", { method: "PUT", body: { Name: "own" } });
  const { traceId, spanId, parentId } = await spanNamed(collector, POLICY);
  expect(parentId).toBe("");
  const noted = (): unknown => linesOf(running).find(({ route }) => route === "/v1/acl/policy")?.["traceparent"];
  await expect.poll(noted, SOON).toBe(`00-${traceId}-${spanId}-01`);
  expect((await ask(running, "/v1/audit?kind=policy")).text).toContain(traceId);
});

test("what no route takes, is refused or has a made-up method is named by nothing that was sent", async () => {
  const collector = await startCollector();
  const running = await startTraced(collector);
  await ask(running, "/v1/no/such/secret-path");
  await ask(running, "/v1/acl/tokens", { token: "wrong-secret-token-wrong" });
  await ask(running, "/v1/acl/tokens", { method: "PROPFIND" });
  await expect.poll(() => collector.spans.length, SOON).toBeGreaterThanOrEqual(3);
  expect(collector.spans.map(({ name }) => name).toSorted()).toEqual(["GET", "GET /v1/acl/tokens", "_OTHER"]);
  const sent = Buffer.concat(collector.posts.map(({ bytes }) => bytes)).toString("latin1");
  for (const hidden of ["secret-path", "wrong-secret", "PROPFIND"]) expect(sent).not.toContain(hidden);
  // An error of the client does not mark its span as failed.
  expect(collector.spans.map(({ status }) => status)).toEqual([0, 0, 0]);
});

test("a delivery of a webhook is a span with its status, and names the host it went to and no more", async () => {
  const [collector, target] = await Promise.all([startCollector(), startTarget()]);
  const running = await startTraced(collector, { args: ["--outbound-allow", "127.0.0.0/8"] });
  const organization = { data: { type: "organizations", attributes: { name: "acme", email: "a@example.com" } } };
  expect((await ask(running, "/api/v2/organizations", { method: "POST", body: organization })).status).toBe(201);
  const attributes = { name: "hook", url: `${target.url}/secret-path`, enabled: true };
  const webhook = { data: { type: "tag-webhooks", attributes } };
  const made = await ask(running, "/api/v2/organizations/acme/tag-webhooks", { method: "POST", body: webhook });
  expect(made.status, made.text).toBe(201);
  const workspace = { data: { type: "workspaces", attributes: { name: "w" } } };
  const write = await ask(running, "/api/v2/organizations/acme/workspaces", { method: "POST", body: workspace });
  expect(write.status, write.text).toBe(201);
  const workspaceId = (JSON.parse(write.text) as { data: { id: string } }).data.id;
  const tags = { data: [{ type: "tags", attributes: { name: "t" } }] };
  const tagged = await ask(running, `/api/v2/workspaces/${workspaceId}/relationships/tags`, {
    method: "POST",
    body: tags,
  });
  expect(tagged.status, tagged.text).toBe(204);
  await expect.poll(() => collector.named("POST").length, SOON).toBeGreaterThanOrEqual(1);
  const [span] = collector.named("POST");
  expect(span).toMatchObject({ kind: 3, parentId: "" });
  expect(span?.attributes).toEqual({
    "http.request.method": "POST",
    "http.response.status_code": 204,
    "server.address": "127.0.0.1",
    "server.port": Number(new URL(target.url).port),
  });
});

test("processes that share a port are instances of their own", async () => {
  const collector = await startCollector();
  const database = await makeDatabaseUrl("postgres");
  const running = await startTraced(collector, { database, args: ["--processes", "2"] });
  const instances = () => new Set(collector.spans.map(({ resource }) => resource["service.instance.id"]));
  await expect
    .poll(async () => {
      // Each connection goes to the next process.
      const connection = connectTo(running);
      await connection.ask("/v1/acl/roles");
      connection.close();
      return instances().size;
    }, SOON)
    .toBe(2);
});

test("what a login asks of the provider is below its request", async () => {
  const collector = await startCollector();
  const provider = await serve((_request, response) => void response.end('{"keys":[]}'));
  const running = await startTraced(collector, { args: ["--outbound-allow", "127.0.0.0/8"] });
  const Config = { JWKSURL: `http://127.0.0.1:${provider.port}/keys`, JWTSupportedAlgs: ["ES256"] };
  const method = { Name: "ci", Type: "jwt", Config };
  const made = await ask(running, "/v1/acl/auth-method", { method: "PUT", body: method });
  expect(made.status, made.text).toBe(200);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const jwt = `${part({ alg: "ES256", kid: "k" })}.${part({ sub: "s", exp: 4e9 })}.${"A".repeat(86)}`;
  const login = { AuthMethod: "ci", BearerToken: jwt };
  await ask(running, "/v1/acl/login", { method: "POST", body: login, traceparent: SAMPLED });
  const request = await spanNamed(collector, "POST /v1/acl/login");
  const keys = collector.named("GET").find(({ traceId }) => traceId === TRACE);
  expect(keys).toMatchObject({ parentId: request.spanId, kind: 3 });
  expect(keys?.attributes).toMatchObject({ "http.response.status_code": 200, "server.address": "127.0.0.1" });
  expect(Buffer.concat(collector.posts.map(({ bytes }) => bytes)).toString("latin1")).not.toContain(jwt);
});

test("nothing of the SDK of OpenTelemetry is loaded by a server that sends no traces", async () => {
  const collector = await startCollector();
  const loadedBy = async (...args: string[]): Promise<string[]> => {
    const file = join(temporaryDirectory(), "loaded");
    const hooks = pathToFileURL(join(import.meta.dirname, "../../test/support/loaded-modules.ts")).href;
    const running = await startServer({ args, env: { NODE_OPTIONS: `--import=${hooks}`, LOADED_MODULES: file } });
    await running.stop();
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((url) => /tracing\/otlp|opentelemetry\/(?!api)|otlp-/.test(url));
  };
  expect(await loadedBy()).toEqual([]);
  expect(await loadedBy("--otlp-endpoint", collector.url)).not.toEqual([]);
});

test("a stop sends what is left", async () => {
  const collector = await startCollector();
  const running = await startTraced(collector);
  await ask(running, "/v1/acl/policies");
  expect(await running.stop()).toBe(0);
  expect(collector.named("GET /v1/acl/policies")).toHaveLength(1);
});

test("headers for the collector are taken from the environment, and stand nowhere else", async () => {
  const collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=key-of-the-collector" };
  const running = await startTraced({ url: `${collector.url}/tenant/` }, { env });
  await ask(running, "/v1/acl/policies");
  await spanNamed(collector, "GET /v1/acl/policies");
  const [post] = collector.posts;
  expect(post?.path).toBe("/tenant/v1/traces");
  expect(post?.headers["x-collector-key"]).toBe("key-of-the-collector");
  expect(running.stdout + running.stderr).not.toContain("key-of-the-collector");
});
