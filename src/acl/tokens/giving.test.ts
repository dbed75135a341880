/** Incident 72: what is ending may not prolong itself. Walks all that hands out a credential, by a secret in its overlap. */
import { beforeEach, expect, test } from "vitest";
import { openBrowser } from "../../../test/support/console.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const MINUTE = 60_000;
const MANAGER = { Policies: [{ Name: "global-management" }] };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeEach(() => v1.setNow(NOW));

  const rotate = (accessor: string, token: string, idempotencyKey?: string, body: object = { Overlap: "1h" }) =>
    v1.send({
      method: "POST",
      url: `/v1/acl/token/${accessor}/rotate`,
      headers: { "x-service-token": token, ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }) },
      payload: body,
    });
  const secretOf = async (answer: ReturnType<typeof rotate>) => {
    const { status, text, body } = await answer;
    expect(status, text).toBe(200);
    return String(body.SecretID);
  };

  test("incident 72: a secret in its overlap is given nothing that lasts, and is told which way is left", async () => {
    const { accessor, secret: old } = await v1.token(MANAGER);
    const other = await v1.token();
    const secret = await secretOf(rotate(accessor, old));
    const made = async () => (await v1.get("/acl/tokens")).body.length;
    const before = await made();
    const asked = {
      rotate: () => rotate(accessor, old),
      "rotate without an overlap": () => rotate(accessor, old, undefined, {}),
      "rotate under a key of its own": () => rotate(accessor, old, "mine"),
      "rotate another": () => rotate(other.accessor, old),
      clone: () => v1.put(`/acl/token/${accessor}/clone`, {}, old),
      create: () => v1.put("/acl/token", MANAGER, old),
      reveal: () => v1.post(`/acl/token/${accessor}/reveal`, undefined, old),
      "begin a session": () => openBrowser(v1.send).signIn(old),
    };
    for (const [name, ask] of Object.entries(asked)) {
      const answer = await ask();
      expect([name, answer.status, answer.headers["set-cookie"]]).toEqual([name, 403, undefined]);
      expect(answer.text).toContain("repeat that rotation within ten minutes with the Idempotency-Key that it had");
      expect(answer.text).not.toContain(secret);
    }
    const { Description = "" } = (await v1.get(`/acl/token/${accessor}`)).body;
    const shown = {
      self: () => v1.get("/acl/token/self", old),
      read: () => v1.get(`/acl/token/${accessor}`, old),
      list: () => v1.get("/acl/tokens", old),
      update: () => v1.put(`/acl/token/${accessor}`, { ...MANAGER, Description }, old),
    };
    for (const [name, ask] of Object.entries(shown)) {
      const answer = await ask();
      expect([name, answer.status]).toEqual([name, 200]);
      expect(answer.text).not.toContain(secret);
      expect(answer.text).not.toContain(other.secret);
    }
    expect(await made()).toBe(before);
    // The new secret does all of it.
    expect((await v1.put(`/acl/token/${accessor}/clone`, {}, secret)).status).toBe(200);
    expect((await openBrowser(v1.send).signIn(secret)).status).toBe(200);
  });

  test("incident 72: a session that was begun by a secret in its overlap gives nothing that lasts", async () => {
    const { accessor, secret: old } = await v1.token(MANAGER);
    const browser = openBrowser(v1.send);
    await browser.signIn(old);
    await secretOf(rotate(accessor, old));
    for (const [method, path] of [
      ["POST", `/acl/token/${accessor}/rotate`],
      ["PUT", `/acl/token/${accessor}/clone`],
      ["PUT", "/acl/token"],
    ] as const)
      expect([path, (await browser.send(method, `/v1${path}`, {})).status]).toEqual([path, 403]);
    expect((await browser.send("GET", "/v1/acl/tokens")).status).toBe(200);
  });

  test("incident 72: a rotation under a key has the same answer for ten minutes, also by the secret that it replaced", async () => {
    const { accessor, secret: old } = await v1.token(MANAGER);
    const first = await rotate(accessor, old, "lost");
    const { OldSecretExpirationTime, SecretID } = first.body;
    for (const token of [old, SecretID]) {
      v1.setNow(NOW + 10 * MINUTE - 1);
      const again = await rotate(accessor, token, "lost");
      expect([again.status, again.body.SecretID, again.body.OldSecretExpirationTime]).toEqual([
        200,
        SecretID,
        OldSecretExpirationTime,
      ]);
    }
    expect((await rotate(accessor, old, "lost", { Overlap: "2h" })).status).toBe(409);
    const stored = JSON.stringify(await v1.db.sql.selectFrom("idempotency_keys").selectAll().execute());
    expect(stored).not.toContain(SecretID);
    v1.setNow(NOW + 10 * MINUTE);
    expect((await rotate(accessor, old, "lost")).status).toBe(403);
    expect(await secretOf(rotate(accessor, SecretID, "lost"))).not.toBe(SecretID);
  });

  test("incident 72: of two at once under one key both have one answer; after another rotation the key gives nothing", async () => {
    const { accessor, secret: old } = await v1.token(MANAGER);
    const [one, other] = await Promise.all([
      secretOf(rotate(accessor, old, "k")),
      secretOf(rotate(accessor, old, "k")),
    ]);
    expect(one).toBe(other);
    await secretOf(rotate(accessor, one));
    const late = await rotate(accessor, old, "k");
    expect([late.status, late.text]).toEqual([
      409,
      "The token was rotated again after the rotation with this Idempotency-Key",
    ]);
    const stranger = await v1.token(MANAGER);
    expect(await secretOf(rotate(accessor, stranger.secret, "k"))).not.toBe(one);
  });
});
