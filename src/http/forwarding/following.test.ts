/**
 * Answers of an application that follows the writes of another one when no message arrives by itself. The application
 * knows only the writes that it asks for at the beginning of a request.
 */
import { join } from "node:path";
import type { FastifyInstance, InjectOptions } from "fastify";
import { expect, it, onTestFinished } from "vitest";
import { bootstrapTokens } from "../../acl/tokens/bootstrap.ts";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { openFront } from "../../../test/support/following.ts";
import { openForTest } from "../../../test/support/storage.ts";
import { MANAGEMENT } from "../../../test/support/v1.ts";
import { buildApp, type AppOptions } from "../../app.ts";

const ROUNDS = 50;

async function open() {
  const dataDir = temporaryDirectory();
  const url = `sqlite:${join(dataDir, "tessera.db")}`;
  const db = await openForTest(url, { dataDir });
  await bootstrapTokens(db, { dataDir, mode: "auto", initialManagementToken: MANAGEMENT }, new Date().toISOString());
  const listen = { host: "127.0.0.1", port: 0 };
  const config = { listen, publicUrl: undefined, trustedProxies: [], allowedHosts: [], accessLog: false };
  const options: AppOptions = { config, db };
  const main = buildApp(options);
  await main.ready();
  const fronts = await Promise.all([1, 2].map(() => openFront(main, { ...options, url, dataDir, isDeaf: true })));
  onTestFinished(async () => {
    for (const front of fronts) await front.close();
    await main.close();
  });
  return { main, fronts: fronts.map(({ app }) => app) };
}

async function ask(
  app: FastifyInstance | undefined,
  method: InjectOptions["method"],
  url: string,
  body?: object,
  token = MANAGEMENT,
) {
  const headers = { host: "localhost", "x-consul-token": token };
  const answer = await app?.inject({ method: method ?? "GET", url, headers, ...(body && { payload: body }) });
  return { status: answer?.statusCode, text: answer?.payload ?? "" };
}

it("shows what the answer to a write has said, whoever had it made, and whatever it had read before in the same turn", async () => {
  const { main, fronts } = await open();
  await ask(main, "PUT", "/v1/acl/policy", { Name: "shown" });
  const { text } = await ask(fronts[0], "GET", "/v1/acl/policy/name/shown");
  const { ID } = JSON.parse(text) as { ID: string };
  for (let round = 0; round < ROUNDS; round++) {
    const apps = [main, ...fronts];
    const Description = `round ${round}`;
    // While others read what was there before, in these very turns.
    const before = fronts.map((front) => ask(front, "GET", "/v1/acl/policies"));
    const { status } = await ask(apps[round % 3], "PUT", `/v1/acl/policy/${ID}`, { Name: "shown", Description });
    expect(status).toBe(200);
    for (const app of apps) {
      expect((await ask(app, "GET", "/v1/acl/policies")).text).toContain(`"${Description}"`);
      expect((await ask(app, "GET", `/v1/acl/policy/${ID}`)).text).toContain(`"${Description}"`);
    }
    await Promise.all(before);
  }
});

it("refuses a revoked token from the answer to its deletion on", async () => {
  const { main, fronts } = await open();
  for (let round = 0; round < ROUNDS; round++) {
    const made = await ask(fronts[round % 2], "PUT", "/v1/acl/token", {});
    const { SecretID, AccessorID } = JSON.parse(made.text) as Record<string, string>;
    const self = (app: FastifyInstance) => ask(app, "GET", "/v1/acl/token/self", undefined, SecretID);
    for (const app of fronts) expect((await self(app)).status).toBe(200);
    expect((await ask(main, "DELETE", `/v1/acl/token/${AccessorID}`)).status).toBe(200);
    for (const app of fronts) expect((await self(app)).status).toBe(403);
  }
});
