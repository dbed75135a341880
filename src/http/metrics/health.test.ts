import { afterEach, expect, it } from "vitest";
import { openShell, SHELL_HEADERS, type TestShell } from "../../../test/support/shell.ts";
import { AppError } from "../../errors.ts";

let shell: TestShell;
afterEach(async () => shell.close());

it("the process is alive and ready without a token", async () => {
  shell = await openShell();
  for (const url of ["/healthz", "/readyz"]) {
    const answer = await shell.app.inject({ url });
    expect([url, answer.statusCode, answer.headers["content-type"]]).toEqual([url, 200, "text/plain; charset=utf-8"]);
  }
});

it("is not ready while storage is away, and still alive", async () => {
  shell = await openShell({
    wrap: (db) => ({ ...db, ready: async () => Promise.reject(new AppError("unavailable", "gone")) }),
  });
  expect((await shell.app.inject({ url: "/readyz" })).statusCode).toBe(503);
  expect((await shell.app.inject({ url: "/healthz" })).statusCode).toBe(200);
});

it("says so when storage does not answer at all", async () => {
  shell = await openShell({ wrap: (db) => ({ ...db, ready: async () => new Promise(() => {}) }) });
  expect((await shell.app.inject({ url: "/readyz" })).statusCode).toBe(503);
});

it("says of each check how it went when it is asked for that, and nothing else then", async () => {
  shell = await openShell();
  const ask = async (url: string) => {
    const { statusCode, body } = await shell.app.inject({ url });
    return [statusCode, body];
  };
  expect(await ask("/readyz?verbose")).toEqual([
    200,
    "[+] server: running\n[+] storage: OK\n[+] database file: OK\nready\n",
  ]);
  expect(await ask("/readyz?other=1")).toEqual([200, "ready\n"]);
  shell.app.lifecycle.phase = "stopping";
  expect(await ask("/readyz?verbose=true")).toEqual([
    503,
    "[-] server: the server is stopping\n[+] storage: OK\n[+] database file: OK\nnot ready\n",
  ]);
});

it("says of each check what failed, and how old the feed is", async () => {
  shell = await openShell({
    wrap: (db) => ({
      ...db,
      ready: async () => Promise.reject(new AppError("unavailable", "gone")),
      stats: () => ({ ...db.stats(), isDamaged: true, feed: { ...db.stats().feed, pollAgeSeconds: 2.25 } }),
    }),
  });
  const { statusCode, body, headers } = await shell.app.inject({ url: "/readyz?verbose" });
  expect([statusCode, headers["retry-after"]]).toEqual([503, "1"]);
  expect(body).toBe(
    "[+] server: running\n[-] storage: gone\n[-] database file: corrupted\n" +
      "[!] change feed: 2.3 s old; caches are disabled\nnot ready\n",
  );
});

it("metrics count requests by route and status, and show storage and the event loop", async () => {
  shell = await openShell();
  for (const url of ["/api/v2/ping", "/api/v2/ping", "/api/v2/none", "/api/v2/none/of/these"]) {
    await shell.app.inject({ url, headers: SHELL_HEADERS });
  }
  const answer = await shell.app.inject({ url: "/metrics", headers: SHELL_HEADERS });
  expect(answer.headers["content-type"]).toContain("text/plain");
  for (const line of [
    'tessera_http_requests_total{method="GET",route="/api/v2/ping",status="204"} 2',
    'tessera_http_requests_total{method="*",route="unknown",status="404"} 2',
    'tessera_http_request_duration_seconds_count{method="GET",route="/api/v2/ping"} 2',
    "tessera_storage_write_queue 0",
  ]) {
    expect(answer.body).toContain(line);
  }
  for (const name of [
    'tessera_event_loop_lag_seconds{quantile="0.99"}',
    'tessera_storage_operations_total{kind="transaction"}',
    "tessera_storage_pool_connections{pool=",
    "tessera_resident_memory_bytes",
  ]) {
    expect(answer.body).toContain(name);
  }
  // Counted again from the start, not added up: a scrape changes nothing.
  expect((await shell.app.inject({ url: "/metrics", headers: SHELL_HEADERS })).body).toContain(
    'route="/api/v2/ping",status="204"} 2',
  );
});

it("discovery answers with exactly the media type that clients insist on", async () => {
  shell = await openShell();
  const answer = await shell.app.inject({ url: "/.well-known/terraform.json" });
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.json()).toEqual({
    "modules.v1": "/api/registry/v1/modules/",
    "tfe.v2": "/api/v2/",
    "tfe.v2.1": "/api/v2/",
    "tfe.v2.2": "/api/v2/",
  });
});

it("ping answers with the version and the product's name", async () => {
  shell = await openShell();
  const answer = await shell.app.inject({ url: "/api/v2/ping" });
  expect([answer.statusCode, answer.body]).toEqual([204, ""]);
  expect(answer.headers).toMatchObject({ "tfp-api-version": "2.6", "tfp-appname": "Terraform Enterprise" });
});
