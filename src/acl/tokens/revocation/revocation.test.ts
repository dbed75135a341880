import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { DEFAULT_PARTITION, inOneTurn } from "../../../../test/support/one-turn.ts";
import { makeNamespace } from "../../../../test/support/scopes.ts";
import { finishDeletion } from "../../../../test/support/deletion.ts";
import { MANAGEMENT, NOBODY, RESERVED, useV1 } from "../../../../test/support/v1.ts";
import { takeLease, type Lease } from "../../../storage/feed/lease.ts";
import { createAccessorResolver } from "../resolve.ts";
import { noteUsesSince } from "../use-store.ts";
import { recordUses } from "../uses.ts";
import { openRevocations } from "./engine.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const DAY = 24 * 3_600_000;
const ACCESS = { nodeName: "test", datacenter: "dc1", defaultPolicy: "deny", edition: "enterprise" } as const;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeEach(() => v1.setNow(NOW));

  let resolver: ReturnType<typeof createAccessorResolver> | undefined;
  const actorOf = async (id: string) => (resolver ??= createAccessorResolver(v1.db, ACCESS, v1.now))(id);

  interface Steps {
    /** Called before each slice, and ends the work by giving false. */
    before?: (slice: number) => Promise<boolean | void> | boolean | void;
    /** Called when what a slice is about has been found, before its transaction. */
    found?: (slice: number) => Promise<unknown> | void;
  }

  /** Does what there is to do, as far as is said. */
  async function work({ before, found }: Steps = {}): Promise<void> {
    const log = pino({ level: "silent" });
    const lease = (await takeLease(v1.db, "token-revocations", "the test")) as Lease;
    let slice = 0;
    const db: typeof v1.db = {
      ...v1.db,
      async inTransaction(...args) {
        await found?.(slice);
        return v1.db.inTransaction(...args);
      },
    };
    for (;;) {
      const jobs = await openRevocations(db, { actorOf, now: v1.now, log }).jobs();
      if (jobs.length === 0) return;
      for (const job of jobs) {
        for (let isLast = false; !isLast; slice++) {
          if ((await before?.(slice)) === false) return;
          ({ isLast } = await job.remove(lease, 2));
        }
      }
    }
  }

  const revoke = (body: object, query = "", token = MANAGEMENT) => v1.post(`/acl/tokens/revoke${query}`, body, token);
  const read = async (id: string, query = "") => (await v1.get(`/acl/tokens/revoke/${id}${query}`)).body;
  async function begun(body: object, query = "", token = MANAGEMENT): Promise<string> {
    const answer = await revoke(body, query, token);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ Status: "queued", Revoked: 0 });
    return String(answer.body.ID);
  }
  const accessors = async (query = "") => {
    v1.setNow(v1.now() + 1000);
    return ((await v1.get(`/acl/tokens${query}`)).body as { AccessorID: string }[]).map(({ AccessorID }) => AccessorID);
  };
  const made = (count: number, content: object) => Promise.all(Array.from({ length: count }, () => v1.token(content)));

  test("tokens whose description holds a text go, slice by slice, and no others", async () => {
    const [gone, stay] = [await made(7, { Description: "CI of web" }), await made(3, { Description: "ci of web" })];
    // From then on it is known who they are.
    for (const { secret } of gone) expect((await v1.get("/acl/token/self", secret)).status).toBe(200);
    const id = await begun({ Description: "CI of" });
    expect(await read(id)).toMatchObject({ ID: id, Status: "queued", Revoked: 0, Namespace: "default" });
    await work({ before: (slice) => slice < 3 });
    expect(await read(id)).toMatchObject({ Status: "running", Total: 7, Revoked: 4 });
    await work();
    expect(await read(id)).toMatchObject({ Status: "done", Total: 7, Revoked: 7, FinishTime: expect.any(String) });
    const left = await accessors();
    for (const { accessor, secret } of gone) {
      expect(left).not.toContain(accessor);
      expect((await v1.get("/acl/token/self", secret)).status).toBe(403);
    }
    for (const { accessor } of stay) expect(left).toContain(accessor);
  });

  test("what is deleted is on record under the job's ID, as done by who asked", async () => {
    const [token] = await made(1, { Description: "on record" });
    const id = await begun({ Description: "on record" });
    await work();
    const rows = await v1.db.sql
      .selectFrom("audit_records")
      .select(["action", "accessor_id", "detail"])
      .where("object_id", "in", [token?.accessor ?? "", id])
      .orderBy("seq")
      .execute();
    expect(rows.map(({ action }) => action)).toEqual(["create", "create", "revoke"]);
    expect(JSON.parse(rows[2]?.detail ?? "")).toMatchObject({ job: id });
    expect(rows[2]?.accessor_id).toBe(rows[1]?.accessor_id);
    expect(rows[1]?.accessor_id).not.toBe("");
  });

  test("tokens of a role, by its ID or name, and those that were not used for long", async () => {
    const [one, other] = [await v1.role({ Name: "Leavers" }), await v1.role()];
    const linked = await made(2, { Roles: [{ ID: one }] });
    const [kept] = await made(1, { Roles: [{ ID: other }] });
    expect((await revoke({ Role: "leavers" }, "?preview=true")).body).toMatchObject({ Total: 2 });
    await begun({ Role: one });
    await work();
    const left = await accessors();
    for (const { accessor } of linked) expect(left).not.toContain(accessor);
    expect(left).toContain(kept?.accessor);

    await noteUsesSince(v1.db, NOW - 400 * DAY);
    v1.setNow(NOW - 100 * DAY);
    const [unused, used] = await made(2, { Description: "old" });
    v1.setNow(NOW);
    await v1.get("/acl/token/self", used?.secret);
    await recordUses(v1.db, v1.uses);
    const preview = await revoke({ UnusedFor: "90d", Description: "old" }, "?preview=true");
    expect(preview.body).toMatchObject({ Status: "preview", Total: 1, AccessorIDs: [unused?.accessor] });
    await begun({ UnusedFor: "90d" });
    await work();
    expect(await accessors()).not.toContain(unused?.accessor);
    expect(await accessors()).toContain(used?.accessor);
  });

  test("what does not fit any more when its turn has come stays", async () => {
    await noteUsesSince(v1.db, NOW - 400 * DAY);
    v1.setNow(NOW - 100 * DAY);
    const tokens = (await made(6, { Description: "meanwhile" })).toSorted((one, two) =>
      one.accessor < two.accessor ? -1 : 1,
    );
    v1.setNow(NOW);
    const id = await begun({ UnusedFor: "90d", Description: "meanwhile" });
    await work({
      async found(slice) {
        if (slice !== 3) return;
        await v1.get("/acl/token/self", tokens[4]?.secret);
        await v1.patch(`/acl/token/${tokens[5]?.accessor}`, { Description: "kept" });
        await recordUses(v1.db, v1.uses);
      },
    });
    expect(await read(id)).toMatchObject({ Status: "done", Total: 6, Revoked: 4 });
    const left = await accessors();
    expect(tokens.map(({ accessor }) => left.includes(accessor))).toEqual([false, false, false, false, true, true]);
  });

  test("the anonymous token and that of who asks stay, whatever fits", async () => {
    const policy = await v1.policy('acl = "write"');
    const { accessor, secret } = await v1.token({ Description: "yours Token", Policies: [{ ID: policy }] });
    const [other] = await made(1, { Description: "theirs Token" });
    const preview = await revoke({ Description: "s Token" }, "?preview", secret);
    expect(preview.body.AccessorIDs).toContain(other?.accessor);
    for (const spared of [accessor, `${RESERVED}02`]) expect(preview.body.AccessorIDs).not.toContain(spared);
    await begun({ Description: "s Token" }, "", secret);
    await work();
    const left = await accessors();
    for (const spared of [accessor, `${RESERVED}02`]) expect(left).toContain(spared);
    expect(left).not.toContain(other?.accessor);
  });

  test("a preview deletes and notes nothing, counts all and names the first 100", async () => {
    await made(103, { Description: "many" });
    const preview = await revoke({ Description: "many" }, "?preview=true");
    expect(preview.body).toMatchObject({ Status: "preview", Total: 103, Revoked: 0 });
    expect(preview.body.AccessorIDs).toHaveLength(100);
    expect(preview.body).not.toHaveProperty("ID");
    await work();
    expect((await revoke({ Description: "many" }, "?preview=true")).body.Total).toBe(103);
  });

  test("it stays in its namespace, where one goes on at a time", async () => {
    await makeNamespace(v1, { namespace: "near" });
    const [here] = await made(1, { Description: "both" });
    const there = (await v1.put("/acl/token?ns=near", { Description: "both" })).body;
    const near = () => revoke({ Description: "both" }, "?ns=near");
    const both = await inOneTurn(v1.db, DEFAULT_PARTITION, [near, near]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const id = String(both.find(({ status }) => status === 200)?.body.ID);
    const again = await revoke({ Description: "x" }, "?ns=near");
    expect(again).toMatchObject({ status: 409, text: expect.stringContaining(id) });
    expect((await v1.get(`/acl/tokens/revoke/${id}`)).status).toBe(404);
    const elsewhere = await begun({ Description: "nothing has this" });
    await work();
    expect(await read(id, "?ns=near")).toMatchObject({ Status: "done", Revoked: 1, Namespace: "near" });
    expect(await read(elsewhere)).toMatchObject({ Status: "done", Total: 0, Revoked: 0 });
    expect(await accessors()).toContain(here?.accessor);
    expect(await accessors("?ns=near")).not.toContain(there.AccessorID);
    await begun({ Description: "x" }, "?ns=near");
    await v1.delete("/namespace/near");
    await finishDeletion(v1.db);
    await work();
  });

  test("it ends when who asked is gone, or may not any more", async () => {
    const policy = await v1.policy('acl = "write"');
    const asker = () => v1.token({ Policies: [{ ID: policy }] });
    const tokens = await made(3, { Description: "ends" });
    for (const end of [
      async (accessor: string) => v1.delete(`/acl/token/${accessor}`),
      async (accessor: string) => v1.put(`/acl/token/${accessor}`, {}),
    ]) {
      const { accessor, secret } = await asker();
      const id = await begun({ Description: "ends" }, "", secret);
      await work({
        async before(slice) {
          if (slice === 1) await end(accessor);
        },
      });
      expect(await read(id)).toMatchObject({
        Status: "failed",
        Revoked: 0,
        Reason: expect.stringContaining("The token that started this job "),
      });
    }
    expect(await accessors()).toEqual(expect.arrayContaining(tokens.map(({ accessor }) => accessor)));
  });

  test("incident 63: while the clock is in doubt, one whose token may have ended waits, and then goes on", async () => {
    await made(3, { Description: "waits" });
    const id = await begun({ Description: "waits" });
    const lease = (await takeLease(v1.db, "token-revocations", "the test")) as Lease;
    const asked = { actorOf: () => Promise.resolve("uncertain" as const), now: v1.now, log: pino({ level: "silent" }) };
    const [job] = await openRevocations(v1.db, asked).jobs();
    expect(await job?.remove(lease, 2)).toEqual({ removed: 0, isLast: true });
    await work();
    expect(await read(id)).toMatchObject({ Status: "done", Revoked: 3 });
  });

  test("another node that takes over goes on where the first was, and counts nothing twice", async () => {
    const tokens = await made(9, { Description: "taken over" });
    const id = await begun({ Description: "taken over" });
    await work({ before: (slice) => slice < 3 });
    await v1.past({ kind: "root" }, (tx) => {
      tx.write(tx.sql.updateTable("leases").set({ expires_at: 0 }).where("name", "=", "token-revocations"));
      return Promise.resolve();
    });
    const stale = (await takeLease(v1.db, "token-revocations", "the test")) as Lease;
    const log = pino({ level: "silent" });
    const [job] = await openRevocations(v1.db, { actorOf, now: v1.now, log }).jobs();
    await expect(job?.remove({ ...stale, fence: stale.fence - 1 }, 2)).rejects.toMatchObject({ code: "conflict" });
    await work();
    expect(await read(id)).toMatchObject({ Status: "done", Total: 9, Revoked: 9 });
    expect(await accessors()).not.toContain(tokens[0]?.accessor);
  });

  test("the last twenty of a namespace are kept", async () => {
    await makeNamespace(v1, { namespace: "busy" });
    const ids: string[] = [];
    for (let count = 0; count < 22; count++) {
      v1.setNow(NOW + count);
      ids.push(await begun({ Description: "x" }, "?ns=busy"));
      await work();
    }
    const statuses = await Promise.all(
      ids.map(async (id) => (await v1.get(`/acl/tokens/revoke/${id}?ns=busy`)).status),
    );
    expect(statuses).toEqual([404, 404, ...Array.from({ length: 20 }, () => 200)]);
  });

  describe("it is refused", () => {
    test.each([
      ["no condition", {}, ""],
      ["empty conditions", { Description: "", Role: "" }, ""],
      ["a duration that is none", { UnusedFor: "90" }, ""],
      ["a duration of nothing", { UnusedFor: "0s" }, ""],
      ["an unknown role", { Role: "nobody" }, ""],
      ["the ID of no role", { Role: NOBODY }, ""],
      ["an unknown member", { UnusedSince: "90d" }, ""],
      ["a text without an end", { Description: "x".repeat(2000) }, ""],
      ["another value of preview", { Description: "x" }, "?preview=yes"],
      ["a misspelt preview", { Description: "x" }, "?previev=true"],
      ["all namespaces at once", { Description: "x" }, "?ns=*"],
      ["a namespace that is not there", { Description: "x" }, "?ns=nowhere"],
    ])("with 400 for %s", async (_what, body, query) => {
      expect((await revoke(body, query)).status).toBe(400);
    });

    test.each(["-1d", "-36h", "0d"])(
      "with 400 for UnusedFor %s, in words that say what is wrong with it",
      async (UnusedFor) => {
        const { status, text } = await revoke({ UnusedFor });
        expect([status, text]).toEqual([400, expect.stringContaining("expected more than 0")]);
      },
    );

    test("with 403 without acl:write, and its progress without acl:read", async () => {
      const reader = await v1.tokenWith('acl = "read"');
      for (const query of ["", "?preview=true"])
        expect((await revoke({ Description: "x" }, query, reader)).status).toBe(403);
      const id = await begun({ Description: "nothing has this" });
      expect((await v1.get(`/acl/tokens/revoke/${id}`, reader)).status).toBe(200);
      const nobody = await v1.tokenWith("");
      for (const each of [id, NOBODY]) expect((await v1.get(`/acl/tokens/revoke/${each}`, nobody)).status).toBe(403);
      await work();
    });
  });
});
