/** Incident 63: while a server does not trust its clock, no request deletes, ends or notes for good what that clock says. */
import { pino } from "pino";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openRevocations } from "../../src/acl/tokens/revocation/engine.ts";
import { createAccessorResolver } from "../../src/acl/tokens/resolve.ts";
import { recordUses, recordUsesOfDays } from "../../src/acl/tokens/uses.ts";
import { dayOf } from "../../src/use/flush.ts";
import type { UseRow } from "../../src/records/uses/row.ts";
import { takeLease, type Lease } from "../../src/storage/feed/lease.ts";
import { readRows } from "../../src/use/store.ts";
import { recordsOf } from "../support/audit.ts";
import { openBrowser } from "../support/console.ts";
import { forEachEngine } from "../support/engines.ts";
import { UNLIMITED_LOGINS } from "../support/login.ts";
import { useV1 } from "../support/v1.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Time by which the clock is ahead. */
const JUMP = 410 * DAY;
const ACCESS = { nodeName: "test", datacenter: "dc1", defaultPolicy: "deny", edition: "enterprise" } as const;
const SCOPE = { partition: "default", namespace: "default" };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });

  beforeEach(() => {
    v1.setNow(NOW);
    onTestFinished(v1.watchClock());
  });

  async function signedIn(secret: string) {
    const browser = openBrowser(v1.send);
    const answer = await browser.signIn(secret);
    expect(answer.status, answer.text).toBe(200);
    const reads = async () => (await browser.send("GET", "/v1/acl/token/self")).status;
    return { reads };
  }

  const rotated = async (accessor: string, Overlap: string) => {
    const answer = await v1.post(`/acl/token/${accessor}/rotate`, { Overlap });
    expect(answer.status, answer.text).toBe(200);
    return String(answer.body.SecretID);
  };
  const reads = async (secret: string) => (await v1.get("/acl/token/self", secret)).status;

  async function ledgerOf(accessorId: string): Promise<UseRow[]> {
    await v1.flushUses();
    const rows: UseRow[] = [];
    for await (const page of readRows(v1.db, SCOPE)) rows.push(...page);
    return rows.filter(({ subject }) => subject.kind === "token" && subject.accessorId === accessorId);
  }

  /** Ends of the audit records of a token's sessions. */
  const endsOf = async (accessor: string) => {
    const records = await recordsOf(v1.db, "partition/default");
    const own = records.filter(({ kind, name }) => kind === "session" && name === accessor);
    return own.map(({ action }) => action).filter((action) => action !== "begin");
  };

  test("incident 63: a sign-in keeps sessions that are over by the clock in doubt alone, and they count again", async () => {
    const { accessor, secret } = await v1.token();
    const earlier = await signedIn(secret);
    v1.setNow(NOW + JUMP);
    expect(await earlier.reads()).toBe(403);
    const inDoubt = await signedIn(secret);
    expect(await inDoubt.reads()).toBe(200);
    v1.setNow(NOW + MINUTE);
    expect(await earlier.reads()).toBe(200);
    expect(await endsOf(accessor)).toEqual([]);
    // It would last for 410 days: no session does.
    expect(await inDoubt.reads()).toBe(403);
    await signedIn(secret);
    expect(await endsOf(accessor)).toEqual(["expire"]);
    expect(await earlier.reads()).toBe(200);
  });

  test("incident 63: a rotation keeps old secrets that have ended by the clock in doubt alone, and four at most", async () => {
    const { accessor, secret } = await v1.token();
    await rotated(accessor, "1h");
    v1.setNow(NOW + JUMP);
    expect(await reads(secret)).toBe(403);
    for (let count = 0; count < 3; count++) await rotated(accessor, "1s");
    const refused = await v1.post(`/acl/token/${accessor}/rotate`, { Overlap: "1s" });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("already has 4 old secrets")]);
    v1.setNow(NOW + MINUTE);
    expect(await reads(secret)).toBe(200);
    await rotated(accessor, "0s");
    expect(await reads(secret)).toBe(403);
  });

  test("incident 63: a use by a clock in doubt erases no days of the use ledger, and gets the day that is trusted", async () => {
    const policyId = await v1.policy(`acl = "read"`);
    const { accessor, secret } = await v1.token({ Policies: [{ ID: policyId }] });
    const use = () => v1.get(`/acl/policy/${policyId}`, secret);
    await use();
    expect(await ledgerOf(accessor)).toMatchObject([{ lastDay: dayOf(NOW), days: 1n }]);
    v1.setNow(NOW + JUMP);
    await use();
    expect(await ledgerOf(accessor)).toMatchObject([{ total: 2, lastDay: dayOf(NOW), days: 1n }]);
    v1.setNow(NOW + DAY / 2);
    await use();
    expect(await ledgerOf(accessor)).toMatchObject([{ total: 3, firstDay: dayOf(NOW), lastDay: dayOf(NOW), days: 1n }]);
  });

  test("incident 63: the last use of a token waits while the clock is in doubt, and is never later than the trusted clock", async () => {
    const [held, stopped] = [await v1.token(), await v1.token()];
    const lastUsed = async ({ accessor }: { accessor: string }) =>
      (await v1.get(`/acl/token/${accessor}`)).body.LastUsed;
    v1.setNow(NOW + JUMP);
    await reads(held.secret);
    await recordUsesOfDays(v1.db, v1.uses);
    v1.setNow(NOW + MINUTE);
    expect(await lastUsed(held)).toBeUndefined();
    await recordUsesOfDays(v1.db, v1.uses);
    // Reads of one second share their answer.
    v1.setNow(NOW + 2 * MINUTE);
    expect(await lastUsed(held)).toMatch(/^2026-01-02T/);
    v1.setNow(NOW + JUMP);
    await reads(stopped.secret);
    // As at the end of a server.
    await recordUses(v1.db, v1.uses);
    v1.setNow(NOW + 3 * MINUTE);
    expect(await lastUsed(stopped)).toMatch(/^2026-01-02T/);
  });

  test("incident 63: tokens are not revoked as unused by a clock in doubt, and other filters go on", async () => {
    const { accessor } = await v1.token({ Description: "left alone" });
    v1.setNow(NOW + JUMP);
    for (const query of ["", "?preview=true"]) {
      const answer = await v1.post(`/acl/tokens/revoke${query}`, { UnusedFor: "90d" });
      expect([answer.status, answer.text]).toEqual([503, expect.stringContaining("does not trust its system clock")]);
    }
    const byText = await v1.post("/acl/tokens/revoke?preview=true", { Description: "left alone" });
    expect([byText.status, byText.body.AccessorIDs]).toEqual([200, [accessor]]);
    v1.setNow(NOW + MINUTE);
    const trusted = await v1.post("/acl/tokens/revoke?preview=true", { UnusedFor: "90d" });
    expect([trusted.status, trusted.body.Total]).toEqual([200, 0]);
  });

  test("incident 63: a revocation deletes also the tokens that have ended by the clock in doubt alone", async () => {
    const { accessor, secret } = await v1.token({ Description: "leaked", ExpirationTTL: "12h" });
    v1.setNow(NOW + JUMP);
    expect(await reads(secret)).toBe(403);
    const { body } = await v1.post("/acl/tokens/revoke", { Description: "leaked" });
    const lease = (await takeLease(v1.db, "token-revocations", "the test")) as Lease;
    const resolve = createAccessorResolver(v1.db, ACCESS, v1.now);
    const actorOf = async (id: string) => resolve(id);
    const { jobs } = openRevocations(v1.db, { actorOf, now: v1.now, log: pino({ level: "silent" }) });
    for (const job of await jobs()) for (let isLast = false; !isLast;) ({ isLast } = await job.remove(lease, 10));
    expect((await v1.get(`/acl/tokens/revoke/${body.ID}`)).body).toMatchObject({ Status: "done", Revoked: 1 });
    v1.setNow(NOW + MINUTE);
    expect((await v1.get(`/acl/token/${accessor}`)).status).toBe(404);
    expect(await reads(secret)).toBe(403);
  });
});
