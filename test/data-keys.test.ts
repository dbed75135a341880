/** Tests that clients see nothing of a change of the data key. */
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { bootstrapTokens } from "../src/acl/tokens/bootstrap.ts";
import { buildApp } from "../src/app.ts";
import { openForTest } from "./support/storage.ts";
import type { Database } from "../src/storage/database.ts";
import { forEachEngine, makeDatabaseUrl, temporaryDirectory } from "./support/engines.ts";
import { createSigningKey } from "./support/key-server.ts";
import { MANAGEMENT } from "./support/v1.ts";

/** Asks as the first token unless another is named. @returns the body of a 200 */
type Ask = (method: "GET" | "PUT", path: string, body?: object, token?: string) => Promise<Record<string, string>>;

async function serve(db: Database, dataDir: string): Promise<Ask> {
  await bootstrapTokens(db, { dataDir, mode: "auto", initialManagementToken: MANAGEMENT }, new Date().toISOString());
  const listen = { host: "127.0.0.1", port: 0 };
  const config = { listen, publicUrl: undefined, trustedProxies: [], allowedHosts: [], accessLog: false };
  const app = buildApp({ config, db, logger: pino({ level: "error" }) });
  onTestFinished(() => app.close());
  return async (method, path, body, token = MANAGEMENT) => {
    const headers = { host: "localhost", "x-consul-token": token };
    const answer = await app.inject({ method, url: `/v1${path}`, headers, ...(body && { payload: body }) });
    expect(answer.statusCode, answer.payload).toBe(200);
    return answer.json();
  };
}

forEachEngine((engine) => {
  test("tokens and auth methods that were sealed before and after the change are shown and used, after a restart too", async () => {
    const url = await makeDatabaseUrl(engine);
    const dataDir = temporaryDirectory();
    const before = await openForTest(url, { dataDir, recordsPerKey: 2 });
    const ask = await serve(before, dataDir);
    const tokens: Record<string, string>[] = [];
    const methods: Record<string, string>[] = [];
    for (let round = 0; round < 5; round++) {
      tokens.push(await ask("PUT", "/acl/token", { Description: `token ${round}` }));
      const Config = { JWTValidationPubKeys: [createSigningKey("k").publicKey] };
      methods.push(await ask("PUT", "/acl/auth-method", { Name: `method-${round}`, Type: "jwt", Config }));
    }
    await expectShown(ask, tokens, methods);
    const sealed = [
      ...(await before.sql.selectFrom("tokens").select("secret_sealed as text").execute()),
      ...(await before.sql.selectFrom("auth_methods").select("config_sealed as text").execute()),
    ];
    const keys = Map.groupBy(sealed, ({ text }) => text.slice(0, text.indexOf(".")));
    expect(sealed.length).toBe(12);
    expect([...keys.values()].map((each) => each.length)).toEqual([2, 2, 2, 2, 2, 2]);
    await before.close();
    const after = await openForTest(url, { dataDir, recordsPerKey: 2 });
    await expectShown(await serve(after, dataDir), tokens, methods);
  });
});

async function expectShown(
  ask: Ask,
  tokens: readonly Record<string, string>[],
  methods: readonly Record<string, string>[],
): Promise<void> {
  for (const token of tokens) {
    expect(await ask("GET", `/acl/token/${token["AccessorID"]}`)).toEqual(token);
    expect(await ask("GET", "/acl/token/self", undefined, token["SecretID"])).toMatchObject({
      AccessorID: token["AccessorID"],
    });
  }
  for (const method of methods) expect(await ask("GET", `/acl/auth-method/${method["Name"]}`)).toEqual(method);
}
