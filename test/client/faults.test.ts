/** Tests of the client when the server is away, slow, cut off, or asks to retry later. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { ConnectionError, createClient, type Client } from "@tessera-server/client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makeDatabaseUrl } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { makeCertificate } from "../support/openid-certificate.ts";
import { startUnsteady, type Unsteady } from "./unsteady.ts";

let server: RunningServer;
let between: Unsteady;
let client: Client;
const NOW = { kind: "status", status: 503, headers: { "retry-after": "0" } } as const;

beforeAll(async () => {
  server = await startServer({ database: await makeDatabaseUrl("sqlite") });
  client = createClient({ address: server.url, token: server.token });
  for (let at = 0; at < 60; at++) await client.roles.create({ body: { Name: `role-${at}` } });
});
afterAll(async () => server.stop());
beforeEach(async () => {
  between = await startUnsteady(server.url);
  client = createClient({ address: between.url, token: server.token, retries: 3 });
});
afterEach(async () => between.close());

/** Returns the thrown error. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("nothing was thrown"),
    (error: unknown) => error,
  );
}

/** The address of a server that goes with the test. */
async function listening(other: Server, scheme: string): Promise<string> {
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  return `${scheme}://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

describe("a read", () => {
  it("is asked for again after what may pass, as often as was said", async () => {
    between.next = [NOW, { kind: "reset" }, { kind: "status", status: 502 }];
    expect(await client.roles.readByName({ name: "role-7" })).toMatchObject({ Name: "role-7" });
    expect(between.seen).toHaveLength(4);
    between.next = [NOW, NOW, NOW, NOW];
    expect(await failure(client.roles.readByName({ name: "role-7" }))).toMatchObject({ status: 503, retryAfter: 0 });
    expect(between.seen).toHaveLength(8);
  });

  it("is asked once when its refusal will not pass", async () => {
    for (const status of [400, 403, 404, 409, 500]) {
      between.next = [{ kind: "status", status, body: "no" }];
      expect(await failure(client.roles.readByName({ name: "role-7" }))).toMatchObject({ status, detail: "no" });
    }
    expect(between.seen).toHaveLength(5);
  });

  it("is not asked for again when the server says to come back in an hour", async () => {
    between.next = [{ kind: "status", status: 429, headers: { "retry-after": "3600" } }];
    expect(await failure(client.roles.readByName({ name: "role-7" }))).toMatchObject({ status: 429, retryAfter: 3600 });
    expect(between.seen).toHaveLength(1);
  });

  it("of a long list goes on where it was cut off, and no entry is missing or there twice", async () => {
    const pages = client.roles.list({ "page-size": 20 });
    const found: string[] = [];
    for await (const page of pages) {
      found.push(...page.items.map(({ Name }) => Name));
      between.next = [{ kind: "cut", after: 100 }, { kind: "reset" }];
    }
    expect(new Set(found).size).toBe(60);
    expect(found).toHaveLength(60);
  });

  it("of a list that stays cut off gives what came before, and from where to go on", async () => {
    client = createClient({ address: between.url, token: server.token, retries: 0 });
    const found: string[] = [];
    let next: unknown;
    const walk = async () => {
      for await (const page of client.roles.list({ "page-size": 20 })) {
        found.push(...page.items.map(({ Name }) => Name));
        next = page.next;
        if (found.length === 40) between.next = [{ kind: "cut", after: 100 }];
      }
    };
    expect(await failure(walk())).toMatchObject({ name: "ConnectionError", kind: "cut" });
    const rest = await client.pages<{ Name: string }>("listRoles", { query: next as Record<string, string> }).all();
    expect(new Set([...found, ...rest.map(({ Name }) => Name)]).size).toBe(60);
    expect(rest).toHaveLength(20);
  });
});

describe("a write", () => {
  it("is tried again when the server says that it was not done", async () => {
    between.next = [NOW, { kind: "status", status: 429, headers: { "retry-after": "0" } }];
    expect(await client.policies.create({ body: { Name: "after-503" } })).toMatchObject({ Name: "after-503" });
    expect(between.seen).toHaveLength(3);
  });

  it("is not tried again when it may have been done", async () => {
    between.next = [{ kind: "cut", after: 0 }];
    expect(await failure(client.policies.create({ body: { Name: "perhaps" } }))).toMatchObject({ kind: "cut" });
    between.next = [{ kind: "status", status: 503 }];
    expect(await failure(client.policies.create({ body: { Name: "unknown" } }))).toMatchObject({ status: 503 });
    expect(between.seen).toHaveLength(2);
    expect(await client.policies.readByName({ name: "perhaps" })).toMatchObject({ Name: "perhaps" });
  });
});

describe("a question that has a body", () => {
  it("is asked again as a read is", async () => {
    between.next = [{ kind: "reset" }];
    const body = [{ Resource: "acl" as const, Access: "read" as const }];
    expect(await client.access.authorize({ body })).toMatchObject([{ Allow: true }]);
    expect(between.seen).toHaveLength(2);
  });
});

describe("a signal", () => {
  it("ends a request, a wait for the next try and a list with its own reason", async () => {
    const reason = new Error("enough");
    const during = (next: Unsteady["next"], ask: (signal: AbortSignal) => Promise<unknown>) => {
      between.next = next;
      const controller = new AbortController();
      const count = between.seen.length;
      const failed = failure(ask(controller.signal));
      return { failed, abort: () => controller.abort(reason), hasCome: () => between.seen.length > count };
    };
    const later = { kind: "status", status: 503, headers: { "retry-after": "50" } } as const;
    for (const next of [{ kind: "silence" } as const, later]) {
      const { failed, abort, hasCome } = during([next], (signal) => client.roles.list({ signal }).all());
      await expect.poll(hasCome).toBe(true);
      abort();
      expect(await failed).toBe(reason);
    }
    expect(await failure(client.roles.list({ signal: AbortSignal.abort(reason) }).all())).toBe(reason);
  });
});

describe("no answer", () => {
  it("names what is wrong: nothing listens, no such name, no response before the timeout, cut off", async () => {
    const { url } = between;
    await between.close();
    const at = (address: string) => createClient({ address, token: "x", retries: 0, timeout: 30_000 });
    expect(await failure(at(url).server.ping())).toMatchObject({
      kind: "refused",
      message: expect.stringContaining(url),
    });
    expect(await failure(at("http://tessera.invalid").server.ping())).toMatchObject({ kind: "dns" });
    between = await startUnsteady(server.url);
    between.next = [{ kind: "silence" }, { kind: "reset" }];
    const hurried = createClient({ address: between.url, retries: 0, timeout: 50 });
    expect(await failure(hurried.server.ping())).toMatchObject({ kind: "timeout" });
    expect(await failure(at(between.url).server.ping())).toMatchObject({ kind: "cut" });
  });

  it("that is Tessera's says so: a page of HTML, a redirect, text that says that it is JSON", async () => {
    const html = { kind: "status", status: 200, headers: { "content-type": "text/html" }, body: "<p>hello" } as const;
    const moved = { kind: "status", status: 301, headers: { location: "https://elsewhere.example/" } } as const;
    const broken = { kind: "status", status: 200, headers: { "content-type": "application/json" }, body: "{" } as const;
    for (const [fault, words] of [
      [html, "the response is a web page"],
      [moved, "https://elsewhere.example/"],
      [broken, "not valid JSON"],
    ] as const) {
      between.next = [fault];
      const error = await failure(client.roles.list().all());
      expect(error).toMatchObject({ kind: "protocol", message: expect.stringContaining(words) });
    }
    expect(between.seen).toHaveLength(3);
  });

  it("for want of trust says what to do about it", async () => {
    const trusted = getCACertificates("default");
    onTestFinished(() => setDefaultCACertificates(trusted));
    for (const [certificate, isTrusted, words] of [
      [makeCertificate(), false, /not trusted.*NODE_EXTRA_CA_CERTS/],
      [makeCertificate(undefined, -1), true, /expired/],
      [makeCertificate("DNS:elsewhere.example"), true, /different name/],
    ] as const) {
      if (isTrusted) setDefaultCACertificates([...trusted, certificate.ca]);
      const address = await listening(
        createTlsServer(certificate, (_asked, answer) => answer.end()),
        "https",
      );
      const error = await failure(createClient({ address }).server.ping());
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ kind: "tls", message: expect.stringMatching(words) });
    }
    const address = await listening(
      createServer((_asked, answer) => answer.end()),
      "https",
    );
    expect(await failure(createClient({ address }).server.ping())).toMatchObject({
      kind: "tls",
      message: expect.stringContaining("http://"),
    });
  });
});
