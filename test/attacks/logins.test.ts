/** One credential that is used again and again. */
import { afterEach, describe, expect, test } from "vitest";
import { makeDatabaseUrl } from "../support/engines.ts";
import { createSigningKey } from "../support/key-server.ts";
import { bearer, MAPPINGS } from "../support/login.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { ask, startTwo, stopAll } from "../support/two-nodes.ts";

const key = createSigningKey("k1");
const Config = { JWTValidationPubKeys: [key.publicKey], ...MAPPINGS };
const TRIES = 1200;
const CLIENTS = 16;

async function makeOpen(server: RunningServer, token: string, Name: string, more: object = {}): Promise<void> {
  const method = { Name, Type: "jwt", Config: { ...Config, ...more } };
  expect((await ask(server, token, "PUT", "/acl/auth-method", method)).status).toBe(200);
  const rule = { AuthMethod: Name, BindType: "service", BindName: "web" };
  expect((await ask(server, token, "PUT", "/acl/binding-rule", rule)).status).toBe(200);
}

const login = (server: RunningServer, AuthMethod: string, BearerToken: string) =>
  ask(server, "", "POST", "/acl/login", { AuthMethod, BearerToken });

afterEach(stopAll);

describe("incident 42: a JWT that is used again and again", () => {
  test("makes no more tokens than an identity may have, and all of them end", async () => {
    const server = await startServer();
    try {
      await makeOpen(server, server.token, "open");
      const credential = bearer(key, { iss: "https://idp.test", sub: "one" });
      const statuses = new Map<number, number>();
      let left = TRIES;
      const client = async () => {
        while (left-- > 0) {
          const { status } = await login(server, "open", credential);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      expect(statuses).toEqual(
        new Map([
          [200, 1000],
          [429, TRIES - 1000],
        ]),
      );
      const { text } = await ask(server, server.token, "GET", "/acl/tokens?authmethod=open");
      const tokens = JSON.parse(text) as { ExpirationTime?: string; CreateTime: string }[];
      expect(tokens).toHaveLength(1000);
      const lives = tokens.map((token) => Date.parse(token.ExpirationTime ?? "") - Date.parse(token.CreateTime));
      expect(new Set(lives)).toEqual(new Set([24 * 3_600_000]));
    } finally {
      await server.kill();
    }
  });
});

describe("incident 42: on two servers of one database", () => {
  test("of two logins at once that are one too many exactly one passes, and a jti counts once", async () => {
    const args = ["--login-tokens-per-identity", "3"];
    const { first, second, token } = await startTwo(await makeDatabaseUrl("postgres"), args);
    await makeOpen(first, token, "open");
    await makeOpen(first, token, "once", { JWTReplay: "once" });
    const atOnce = async (name: string, credential: string) => {
      const answers = await Promise.all([first, second].map((server) => login(server, name, credential)));
      return answers.map(({ status }) => status).toSorted((one, other) => one - other);
    };
    for (let round = 0; round < 20; round++) {
      const credential = bearer(key, { iss: "https://idp.test", sub: `capped ${round}` });
      expect((await login(first, "open", credential)).status).toBe(200);
      expect((await login(second, "open", credential)).status).toBe(200);
      expect(await atOnce("open", credential)).toEqual([200, 429]);
      const single = bearer(key, { sub: `once ${round}`, jti: `jti ${round}` });
      expect(await atOnce("once", single)).toEqual([200, 403]);
    }
  });
});
