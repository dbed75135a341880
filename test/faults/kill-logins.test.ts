/** Tokens that logins gave before a server died are still there, and nothing of a login that was not answered is half there. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/storage/open.ts";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { createSigningKey } from "../support/key-server.ts";
import { sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { bearer, MAPPINGS } from "../support/login.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const random = randomOfRun();
const ROUNDS = sized(2, 6);
const CLIENTS = 32;
const TEAMS = ["a", "b"] as const;
const KEY = createSigningKey("faults");

interface Token {
  AccessorID: string;
  SecretID: string;
  Namespace: string;
  ModifyIndex: number;
  [member: string]: unknown;
}

async function ask(server: RunningServer, token: string, method: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: { "x-consul-token": token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text) as unknown;
}

/** Team a has its tokens in the namespace of the method, team b in another. */
async function prepare(server: RunningServer): Promise<void> {
  const put = (path: string, body: object) => ask(server, server.token, "PUT", path, body);
  await put("/namespace", { Name: "b" });
  for (const namespace of ["default", "b"]) {
    await put(`/acl/policy?ns=${namespace}`, { Name: "reader", Rules: 'acl = "read"' });
    await put(`/acl/role?ns=${namespace}`, { Name: "readers", Policies: [{ Name: "reader" }] });
  }
  const NamespaceRules = [{ Selector: "value.team == b", BindNamespace: "b" }];
  const Config = { JWTValidationPubKeys: [KEY.publicKey], ...MAPPINGS };
  await put("/acl/auth-method", { Name: "jwt", Type: "jwt", MaxTokenTTL: "1h", Config, NamespaceRules });
  await put("/acl/binding-rule", { AuthMethod: "jwt", BindType: "role", BindName: "readers" });
  await put("/acl/binding-rule", { AuthMethod: "jwt", BindType: "service", BindName: "web-${value.team}" });
}

/** Logs in again and again until the server is gone. */
async function loginMany(server: RunningServer, client: number, made: Token[]): Promise<void> {
  const team = TEAMS[client % TEAMS.length];
  const credential = { AuthMethod: "jwt", BearerToken: bearer(KEY, { team }), Meta: { client: String(client) } };
  for (;;) {
    try {
      made.push((await ask(server, "", "POST", "/acl/login", credential)) as Token);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

/** Rows of tokens that logins made, with the method that they name, while no server has the database open. */
async function rowsOf(database: string, dataDir: string) {
  const fail = (error: Error): never => {
    throw error;
  };
  const db = await openDatabase({ url: database, dataDir, onFatal: fail, onWarning: () => undefined });
  try {
    const rows = await db.sql.selectFrom("tokens").selectAll().where("auth_method", "!=", "").execute();
    const methods = await db.sql.selectFrom("auth_methods").select(["id", "name"]).execute();
    return { rows, methods };
  } finally {
    await db.close();
  }
}

test.each<Engine>(["sqlite", "postgres"])(
  "kill -9 while 32 clients log in loses no token that was answered, and leaves none that is half made (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const made: Token[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer({ database, dataDir, args: ["--login-tokens-per-identity", "0"] });
      if (round === 0) await prepare(server);
      const before = made.length;
      const clients = Array.from({ length: CLIENTS }, async (_, client) => loginMany(server, client, made));
      while (made.length < before + 2 * CLIENTS) await sleep(1);
      await sleep(random() * 20);
      await server.kill({ keepData: true });
      await Promise.all(clients);
    }

    const { rows, methods } = await rowsOf(database, dataDir);
    expect(methods).toEqual([{ id: expect.any(String), name: "jwt" }]);
    expect(new Set(rows.map(({ method_id }) => method_id))).toEqual(new Set(methods.map(({ id }) => id)));
    expect(rows.length).toBeGreaterThanOrEqual(made.length);

    const server = await startServer({ database, dataDir });
    const listed = (await ask(server, server.token, "GET", "/acl/tokens?ns=*&authmethod=jwt")) as Token[];
    expect(listed.map(({ AccessorID }) => AccessorID).toSorted()).toEqual(
      rows.map(({ accessor_id }) => accessor_id).toSorted(),
    );
    const byAccessor = new Map(listed.map((token) => [token.AccessorID, token]));
    for (const { AccessorID, SecretID, ModifyIndex } of made) {
      expect(byAccessor.get(AccessorID)).toMatchObject({ SecretID, ModifyIndex });
    }
    // Also those whose client was never told: whole, and of use.
    for (const token of listed) {
      const team = token.Namespace === "b" ? "b" : "a";
      expect(token).toMatchObject({
        AuthMethod: "jwt",
        AuthMethodNamespace: "default",
        Local: true,
        ExpirationTime: expect.any(String),
        Description: expect.stringMatching(/^token created via login: \{"client":"\d+"\}$/),
        Roles: [{ ID: expect.any(String), Name: "readers" }],
        ServiceIdentities: [{ ServiceName: `web-${team}` }],
      });
      // The server notes the use of a token some time later.
      const { LastUsed: _, ...self } = (await ask(server, token.SecretID, "GET", "/acl/token/self")) as Token;
      expect(self).toEqual(token);
      await ask(server, token.SecretID, "GET", "/acl/policy/name/reader");
    }
    expect(new Set(listed.map(({ ModifyIndex }) => ModifyIndex)).size).toBe(listed.length);
    const [first] = listed;
    expect(await ask(server, first?.SecretID ?? "", "POST", "/acl/logout")).toBe(true);
    await server.kill();
  },
);
