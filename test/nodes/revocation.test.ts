/** Two servers, each a process of its own, on one PostgreSQL: what one changes, the other knows within a second. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { makeDatabaseUrl } from "../support/engines.ts";
import { createSigningKey } from "../support/key-server.ts";
import { bearer } from "../support/login.ts";
import { ask, startTwo, stopAll } from "../support/two-nodes.ts";

afterEach(stopAll);

/** Asks until the answer is the one wanted. @returns when the last that got another was sent, in milliseconds from now */
async function delayUntil(wanted: number, question: () => Promise<{ status: number }>): Promise<number> {
  const started = performance.now();
  for (let last = 0; ; await sleep(10)) {
    const sent = performance.now() - started;
    const { status } = await question();
    if (status === wanted) return last;
    if (sent > 10_000) throw new Error(`still ${status} after 10 s`);
    last = sent;
  }
}

describe.each([["notify"], ["poll"]])("with --feed %s", (feed) => {
  it("incident 22: a token that one server changes or revokes counts so on the other within 1 s", async () => {
    const { first, second } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", feed]);
    const root = first.token;
    await ask(first, root, "PUT", "/acl/policy", { Name: "reader", Rules: 'acl = "read"' });
    const made = await ask(first, root, "PUT", "/acl/token", { Policies: [{ Name: "reader" }] });
    const { SecretID, AccessorID } = made.body as { SecretID: string; AccessorID: string };
    const list = async () => ask(second, SecretID, "GET", "/acl/policies");
    // Twice: the second time from the cache.
    expect([(await list()).status, (await list()).status]).toEqual([200, 200]);

    expect((await ask(first, root, "PATCH", `/acl/token/${AccessorID}`, { Policies: [] })).status).toBe(200);
    expect(await delayUntil(403, list)).toBeLessThan(1000);
    await ask(first, root, "PATCH", `/acl/token/${AccessorID}`, { Policies: [{ Name: "reader" }] });
    expect(await delayUntil(200, list)).toBeLessThan(1000);
    const reader = await ask(first, root, "GET", "/acl/policy/name/reader");
    await ask(first, root, "PATCH", `/acl/policy/${String(reader.body["ID"])}`, { Rules: "" });
    expect(await delayUntil(403, list)).toBeLessThan(1000);

    const self = async () => ask(second, SecretID, "GET", "/acl/token/self");
    expect((await self()).status).toBe(200);
    expect((await ask(first, root, "DELETE", `/acl/token/${AccessorID}`)).text).toBe("true");
    expect(await delayUntil(403, self)).toBeLessThan(1000);
    // On the server that revoked it, it counts at once.
    expect((await ask(first, SecretID, "GET", "/acl/token/self")).text).toBe("ACL not found");
  });

  it("incident 22: an auth method that one server deletes takes its tokens along on the other within 1 s", async () => {
    const { first, second } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", feed]);
    const root = first.token;
    const key = createSigningKey("nodes");
    const Config = { JWTValidationPubKeys: [key.publicKey] };
    const rule = { AuthMethod: "jwt", BindType: "service", BindName: "web" };
    await ask(first, root, "PUT", "/namespace", { Name: "b" });
    const make = async () => {
      const NamespaceRules = [{ BindNamespace: "b" }];
      const method = { Name: "jwt", Type: "jwt", Config, NamespaceRules };
      expect((await ask(first, root, "PUT", "/acl/auth-method", method)).status).toBe(200);
      return String((await ask(first, root, "PUT", "/acl/binding-rule", rule)).body["ID"]);
    };
    const credential = { AuthMethod: "jwt", BearerToken: bearer(key) };
    const login = async () => ask(second, "", "POST", "/acl/login", credential);
    const id = await make();
    // On the other server at once: nothing that decides is kept there.
    const SecretID = String((await login()).body["SecretID"]);
    const self = async () => ask(second, SecretID, "GET", "/acl/token/self");
    // Twice: the second time from the cache.
    expect([(await self()).status, (await self()).status]).toEqual([200, 200]);

    await ask(first, root, "DELETE", `/acl/binding-rule/${id}`);
    expect((await login()).status).toBe(403);
    expect((await self()).status).toBe(200);
    await ask(first, root, "PUT", "/acl/binding-rule", rule);
    expect((await login()).status).toBe(200);
    expect((await ask(first, root, "DELETE", "/acl/auth-method/jwt")).text).toBe("true");
    expect((await login()).status).toBe(403);
    expect(await delayUntil(403, self)).toBeLessThan(1000);
    expect((await ask(first, SecretID, "GET", "/acl/token/self")).text).toBe("ACL not found");
    await make();
    expect((await login()).status).toBe(200);
    for (const server of [first, second]) {
      expect((await ask(server, SecretID, "GET", "/acl/token/self")).status).toBe(403);
    }
  });
});
