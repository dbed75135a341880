import { beforeEach, describe, expect, test } from "vitest";
import { recordsOfObject } from "../../../test/support/audit.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { DEFAULT_PARTITION, inOneTurn } from "../../../test/support/one-turn.ts";
import { startRemoval } from "../../storage/operator/removal.ts";
import { MANAGEMENT, NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";
import { endedSecrets } from "./old-secrets.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const HOUR = 3_600_000;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeEach(() => v1.setNow(NOW));

  const rotate = (accessor: string, body: object = {}, query = "") =>
    v1.post(`/acl/token/${accessor}/rotate${query}`, body);
  async function rotated(accessor: string, body: object = {}): Promise<string> {
    const answer = await rotate(accessor, body);
    expect(answer.status, answer.text).toBe(200);
    return String(answer.body.SecretID);
  }
  const self = (secret: string) => v1.get("/acl/token/self", secret);
  const status = async (secret: string) => (await self(secret)).status;

  test("a token is given a new secret and stays what it is; without an overlap the old one is unknown at once, to both families", async () => {
    const { accessor, secret } = await v1.token({ Description: "kept", Policies: [{ Name: "global-management" }] });
    const before = (await self(secret)).body;
    const answer = await rotate(accessor);
    const { SecretID, ModifyIndex, ...rest } = answer.body;
    const { SecretID: _old, ModifyIndex: index, ...kept } = before;
    expect(rest).toEqual(kept);
    expect(SecretID).toMatch(/^[0-9a-f-]{36}$/);
    expect(SecretID).not.toBe(secret);
    expect(ModifyIndex).toBeGreaterThan(index);
    expect((await self(SecretID)).body).toEqual(answer.body);
    expect((await v1.get(`/acl/token/${accessor}`)).body).toEqual(answer.body);
    expect(await self(secret)).toMatchObject({ status: 403, text: "ACL not found" });
    expect((await v1.api("GET", "/account/details", undefined, secret)).status).toBe(401);
    // Nobody is given it again.
    expect((await v1.put("/acl/token", { SecretID: secret })).status).toBe(200);
  });

  test("incident 29: an old secret counts until its last millisecond, and the new one goes on", async () => {
    const { accessor, secret } = await v1.token({ Policies: [{ Name: "global-management" }] });
    const answer = await rotate(accessor, { Overlap: "1h" });
    expect(answer.body.OldSecretExpirationTime).toBe(new Date(NOW + HOUR).toISOString());
    for (const offset of [0, HOUR - 1]) {
      v1.setNow(NOW + offset);
      expect(await status(secret)).toBe(200);
      expect((await v1.get("/acl/tokens", secret)).status).toBe(200);
      expect((await v1.api("GET", "/account/details", undefined, secret)).status).toBe(200);
    }
    for (const offset of [HOUR, HOUR + 1]) {
      v1.setNow(NOW + offset);
      expect(await self(secret)).toMatchObject({ status: 403, text: "ACL not found" });
      expect((await v1.api("GET", "/account/details", undefined, secret)).status).toBe(401);
      expect(await status(answer.body.SecretID)).toBe(200);
    }
  });

  test("who has only the old secret is not shown the new one", async () => {
    const { accessor, secret } = await v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] });
    const next = await rotated(accessor, { Overlap: "1h" });
    for (const path of ["/acl/token/self", "/acl/token/self?pretty", `/acl/token/${accessor}`, "/acl/tokens"]) {
      expect((await v1.get(path, secret)).text).not.toContain(next);
    }
    expect((await self(secret)).body).toMatchObject({ AccessorID: accessor, SecretID: secret });
    expect((await self(next)).body).toMatchObject({ AccessorID: accessor, SecretID: next });
  });

  test("both secrets end with the token: by its deletion, and by its own end", async () => {
    const deleted = await v1.token();
    const next = await rotated(deleted.accessor, { Overlap: "1h" });
    expect([await status(deleted.secret), await status(next)]).toEqual([200, 200]);
    expect((await v1.delete(`/acl/token/${deleted.accessor}`)).status).toBe(200);
    expect([await status(deleted.secret), await status(next)]).toEqual([403, 403]);
    // Also where another token gets its AccessorID.
    await v1.token({ AccessorID: deleted.accessor });
    expect(await status(deleted.secret)).toBe(403);

    const ending = await v1.token({ ExpirationTTL: "1m" });
    const later = await rotated(ending.accessor, { Overlap: "1h" });
    v1.setNow(NOW + 59_999);
    expect([await status(ending.secret), await status(later)]).toEqual([200, 200]);
    v1.setNow(NOW + 60_000);
    expect([await status(ending.secret), await status(later)]).toEqual([403, 403]);
  });

  test("a later rotation lets no older secret live longer than it says, and without an overlap only the new one counts", async () => {
    const { accessor, secret: first } = await v1.token();
    const second = await rotated(accessor, { Overlap: "24h" });
    const third = await rotated(accessor, { Overlap: "1h" });
    v1.setNow(NOW + HOUR - 1);
    expect(await Promise.all([first, second, third].map(status))).toEqual([200, 200, 200]);
    v1.setNow(NOW + HOUR);
    expect(await Promise.all([first, second, third].map(status))).toEqual([403, 403, 200]);
    const fourth = await rotated(accessor, { Overlap: "24h" });
    const fifth = await rotated(accessor);
    expect(await Promise.all([third, fourth, fifth].map(status))).toEqual([403, 403, 200]);
  });

  test("a rotation with a longer overlap gives an older secret no more time than it was promised, and ends none before that", async () => {
    const { accessor, secret: first } = await v1.token();
    const second = await rotated(accessor, { Overlap: "1h" });
    v1.setNow(NOW + HOUR / 2);
    const answer = await rotate(accessor, { Overlap: "24h" });
    expect(answer.body.OldSecretExpirationTime).toBe(new Date(NOW + 24.5 * HOUR).toISOString());
    const third = String(answer.body.SecretID);
    const all = () => Promise.all([first, second, third].map(status));
    v1.setNow(NOW + HOUR - 1);
    expect(await all()).toEqual([200, 200, 200]);
    v1.setNow(NOW + HOUR);
    expect(await all()).toEqual([403, 200, 200]);
    v1.setNow(NOW + 24.5 * HOUR - 1);
    expect(await all()).toEqual([403, 200, 200]);
    v1.setNow(NOW + 24.5 * HOUR);
    expect(await all()).toEqual([403, 403, 200]);
  });

  test("of two rotations at once each gives a secret that counts, and what it was given for does so for the overlap", async () => {
    const { accessor, secret } = await v1.token();
    const rotation = () => rotated(accessor, { Overlap: "1h" });
    const all = [secret, ...(await inOneTurn(v1.db, DEFAULT_PARTITION, [rotation, rotation]))];
    expect(await Promise.all(all.map(status))).toEqual([200, 200, 200]);
    v1.setNow(NOW + HOUR);
    expect((await Promise.all(all.map(status))).filter((each) => each === 200)).toHaveLength(1);
  });

  test("a token has four old secrets at most, and can always be rotated without an overlap", async () => {
    const { accessor } = await v1.token();
    for (let count = 0; count < 4; count++) await rotated(accessor, { Overlap: "1h" });
    expect((await rotate(accessor, { Overlap: "1h" })).status).toBe(409);
    await rotated(accessor);
    await rotated(accessor, { Overlap: "1h" });
  });

  test("an old secret is taken for as long as it counts, as a SecretID and as an AccessorID", async () => {
    const { accessor, secret } = await v1.token();
    await rotated(accessor, { Overlap: "1h" });
    const taken = { status: 400, text: "Invalid Token: SecretID is already in use" };
    for (const SecretID of [secret, secret.toUpperCase()])
      expect(await v1.put("/acl/token", { SecretID })).toMatchObject(taken);
    expect((await v1.put("/acl/token", { AccessorID: secret })).status).toBe(400);
  });

  test("an update of a token that was rotated keeps its secret", async () => {
    const { accessor } = await v1.token();
    const next = await rotated(accessor);
    const changed = await v1.put(`/acl/token/${accessor}`, { Description: "new", SecretID: next });
    expect(changed).toMatchObject({ status: 200, body: { SecretID: next, Description: "new" } });
    expect(await status(next)).toBe(200);
  });

  describe("it is refused", () => {
    test.each([
      ["an overlap below 0", { Overlap: "-1s" }],
      ["an overlap of more than seven days", { Overlap: "168h1s" }],
      ["an overlap that is none", { Overlap: "soon" }],
      ["an unknown member", { overlaps: "1h" }],
    ])("with 400 for %s", async (_what, body) => {
      const { accessor, secret } = await v1.token();
      expect((await rotate(accessor, body)).status).toBe(400);
      expect(await status(secret)).toBe(200);
    });

    test("with 400 for the anonymous token, 404 for one that is not there, and 403 before that without acl:write", async () => {
      expect((await rotate(`${RESERVED}02`)).status).toBe(400);
      for (const missing of [NOBODY, "nothing"]) expect((await rotate(missing)).status).toBe(404);
      const reader = await v1.tokenWith('acl = "read"');
      const { accessor } = await v1.token();
      for (const id of [accessor, NOBODY])
        expect((await v1.post(`/acl/token/${id}/rotate`, {}, reader)).status).toBe(403);
    });

    test("with 409 when the token is not as it was seen", async () => {
      const { accessor, secret } = await v1.token();
      const { ModifyIndex } = (await self(secret)).body;
      expect((await rotate(accessor, {}, `?cas=${Number(ModifyIndex) - 1}`)).status).toBe(409);
      expect(await status(secret)).toBe(200);
      expect((await rotate(accessor, {}, `?cas=${ModifyIndex}`)).status).toBe(200);
    });
  });

  test("of two at once each gives a secret, and one is the token's", async () => {
    const { accessor } = await v1.token();
    const [one, two] = await Promise.all([rotated(accessor), rotated(accessor)]);
    expect(new Set(await Promise.all([one, two].map(status)))).toEqual(new Set([200, 403]));
  });

  test("of two at once with an overlap the secrets of before and of both count", async () => {
    const { accessor, secret } = await v1.token();
    const both = await Promise.all([1, 2].map(() => rotated(accessor, { Overlap: "1h" })));
    expect(await Promise.all([secret, ...both].map(status))).toEqual([200, 200, 200]);
  });

  test("who waits for the token is told", async () => {
    const { accessor } = await v1.token();
    const { headers } = await v1.get(`/acl/token/${accessor}`);
    const waiting = v1.get(`/acl/token/${accessor}?index=${String(headers["x-service-index"])}&wait=30s`);
    const next = await rotated(accessor, { Overlap: "1h" });
    expect((await waiting).body.SecretID).toBe(next);
  });

  test("its record names no secret", async () => {
    const { accessor, secret } = await v1.token();
    const next = await rotated(accessor, { Overlap: "1h" });
    const rows = await recordsOfObject(v1.db, accessor);
    expect(rows.map(({ action }) => action)).toEqual(["create", "rotate"]);
    expect(JSON.parse(rows[1]?.detail ?? "")).toMatchObject({ oldSecretsUntil: new Date(NOW + HOUR).toISOString() });
    const { secret_lookup: lookup } = await v1.db.sql
      .selectFrom("tokens")
      .select("secret_lookup")
      .where("accessor_id", "=", accessor)
      .executeTakeFirstOrThrow();
    for (const hidden of [secret, next, lookup, v1.db.keyring.lookup(secret)]) {
      expect(JSON.stringify(rows)).not.toContain(hidden);
    }
  });

  test("secrets whose end has come are removed, and no others", async () => {
    const [short, long] = [await v1.token(), await v1.token()];
    await rotated(short.accessor, { Overlap: "1m" });
    await rotated(long.accessor, { Overlap: "1h" });
    v1.setNow(NOW + 60_000);
    const removal = startRemoval(v1.db, endedSecrets(v1.db, v1.now), (error) => expect.fail(String(error)));
    const left = async () => {
      const ids = [short.accessor, long.accessor];
      const rows = await v1.db.sql
        .selectFrom("token_secrets")
        .select("accessor_id")
        .where("accessor_id", "in", ids)
        .execute();
      return rows.map((row) => row.accessor_id);
    };
    await expect.poll(left).toEqual([long.accessor]);
    await removal.stop();
    expect(await status(long.secret)).toBe(200);
  });

  test("of suspected secrets those that live are named by their place, old ones among them", async () => {
    const [plain, old, gone, ended] = [
      await v1.token(),
      await v1.token(),
      await v1.token(),
      await v1.token({ ExpirationTTL: "1m" }),
    ];
    const next = await rotated(old.accessor, { Overlap: "1h" });
    await v1.delete(`/acl/token/${gone.accessor}`);
    v1.setNow(NOW + 60_000);
    const Secrets = [NOBODY, plain.secret, old.secret, gone.secret, ended.secret, next, plain.secret, "", "<hidden>"];
    const answer = await v1.post("/acl/tokens/leaked", { Secrets });
    expect(answer.status, answer.text).toBe(200);
    const found = (answer.body.Live as { Position: number; AccessorID: string; Old: boolean }[]).map(
      ({ Position, AccessorID, Old }) => [Position, AccessorID, Old],
    );
    expect(found).toEqual([
      [1, plain.accessor, false],
      [2, old.accessor, true],
      [5, old.accessor, false],
      [6, plain.accessor, false],
    ]);
    for (const secret of [plain.secret, old.secret, next]) {
      expect(answer.text).not.toContain(secret);
      expect(v1.log.join("")).not.toContain(secret);
    }
    v1.setNow(NOW + HOUR);
    const later = await v1.post("/acl/tokens/leaked", { Secrets: [old.secret] });
    expect(later.body).toEqual({ Live: [] });
  });

  test("it costs storage as much whether they live or not, and takes 1,000 at most", async () => {
    const made = await Promise.all(Array.from({ length: 60 }, () => v1.token()));
    const ask = (Secrets: string[]) => v1.post("/acl/tokens/leaked", { Secrets });
    await v1.expectSameStatements(
      () => ask(made.map(({ secret }) => secret)),
      () => ask(made.map((_, index) => `nobody ${index}`)),
    );
    const many = Array.from({ length: 1001 }, (_, index) => `nobody ${index}`);
    expect((await ask(many.slice(1))).body).toEqual({ Live: [] });
    expect((await ask(many)).status).toBe(400);
    expect((await ask(["x".repeat(2000)])).status).toBe(400);
    expect((await v1.post("/acl/tokens/leaked", {})).body).toEqual({ Live: [] });
  });

  test("it is for those who manage the server: neither acl:write nor operator:write alone is enough", async () => {
    for (const rules of ['acl = "write"', 'operator = "write"', 'acl = "read" operator = "read"']) {
      const token = await v1.tokenWith(rules);
      expect((await v1.post("/acl/tokens/leaked", { Secrets: [MANAGEMENT] }, token)).status).toBe(403);
    }
    const manager = await v1.tokenWith('acl = "write" operator = "write"');
    expect((await v1.post("/acl/tokens/leaked", { Secrets: [MANAGEMENT] }, manager)).body.Live).toHaveLength(1);
  });
});
