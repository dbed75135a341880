/** The trash is bounded, in number and in time, and shows a caller only what the caller may write. */
import { beforeEach, expect, test, vi } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";
import { createTrustedClock } from "../../storage/clock/trusted.ts";
import type { Lease } from "../../storage/feed/lease.ts";
import { MOST_KEPT } from "../kit/trash.ts";
import { endedTrash } from "./ended.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const DAY = 24 * 3_600_000;
/** The removal takes none: the counter of the partition guards it. */
const NO_LEASE = undefined as unknown as Lease;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { maxPoliciesPerNamespace: 30 } });
  beforeEach(() => v1.setNow(NOW));

  type Entry = { ID: string; Name: string; ExpirationTime: string };
  const list = async (query = "", token?: string) => (await v1.get(`/acl/trash${query}`, token)).body as Entry[];
  const restore = (id: string, query = "", token?: string) =>
    v1.post(`/acl/trash/${id}/restore${query}`, undefined, token);
  const discard = async (query = "") => {
    const Name = v1.unique("p");
    const { body } = await v1.put(`/acl/policy${query}`, { Name });
    expect((await v1.delete(`/acl/policy/${body.ID}${query}`)).text).toBe("true");
    return (await list(query)).find((each) => each.Name === Name) ?? expect.fail(`${Name} is not in the trash`);
  };
  const count = async (namespace: string) => {
    const rows = await v1.db.sql.selectFrom("trash").select("name").where("namespace", "=", namespace).execute();
    return rows.length;
  };
  /** Removes all that is over by a clock. */
  const removeEnded = async (now: () => number) => {
    for (const job of await endedTrash(v1.db, now).jobs()) {
      while (!(await job.remove(NO_LEASE, 25)).isLast);
    }
  };

  test("a namespace keeps 1,000 objects, of which the oldest goes by the order of deletions and not by the clock", async () => {
    const namespace = v1.unique("full");
    await makeNamespace(v1, { namespace });
    const scope = { partition: "default", namespace };
    const rows = Array.from({ length: MOST_KEPT }, (_, index) => ({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      ...scope,
      kind: "policy" as const,
      object_id: `10000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      name: `n${index}`,
      content: "{}",
      config_sealed: "",
      deleted_at: new Date(NOW).toISOString(),
      deleted_by: NOBODY,
      // The first has the latest end: a clock was set back since.
      ends_at: NOW + 7 * DAY + MOST_KEPT - index,
      create_index: index - MOST_KEPT,
      modify_index: index - MOST_KEPT,
    }));
    for (let at = 0; at < rows.length; at += 100) await v1.insert("trash", rows.slice(at, at + 100));
    const other = await count("default");
    const entry = await discard(`?ns=${namespace}`);
    const listed = await list(`?ns=${namespace}`);
    expect(listed.length).toBe(MOST_KEPT);
    expect(listed[0]).toEqual(entry);
    const names = listed.map(({ Name }) => Name);
    expect([names.includes("n0"), names.includes("n1")]).toEqual([false, true]);
    expect(await count("default")).toBe(other);
  });

  test("a list stops nobody: it is read off the event loop, since what the entries hold is long", async () => {
    const reads = vi.spyOn(v1.db.long, "run");
    try {
      const entry = await discard();
      expect(reads).toHaveBeenCalled();
      reads.mockClear();
      expect(await list()).toContainEqual(entry);
      expect(reads).toHaveBeenCalledOnce();
    } finally {
      reads.mockRestore();
    }
  });

  test("seven days after the deletion the object is gone for every caller, and then its row", async () => {
    const entry = await discard();
    expect(entry.ExpirationTime).toBe(new Date(NOW + 7 * DAY).toISOString());
    v1.setNow(NOW + 7 * DAY - 1);
    expect((await list()).some(({ ID }) => ID === entry.ID)).toBe(true);
    await removeEnded(v1.now);
    const before = await count("default");
    v1.setNow(NOW + 7 * DAY);
    expect((await list()).some(({ ID }) => ID === entry.ID)).toBe(false);
    expect((await restore(entry.ID)).status).toBe(404);
    expect(await count("default")).toBe(before);
    await removeEnded(v1.now);
    const left = await v1.db.sql.selectFrom("trash").select("id").where("id", "=", entry.ID).execute();
    expect(left).toEqual([]);
  });

  test("a clock that jumps ahead takes nothing away until it is trusted", async () => {
    const entry = await discard();
    let [wall, monotonic] = [NOW, 0];
    const doubts: number[] = [];
    const clock = createTrustedClock({
      wall: () => wall,
      monotonic: () => monotonic,
      lastTrusted: NOW,
      isAccepted: false,
      catchUp: undefined,
      onDoubt: (ahead) => doubts.push(ahead),
      onBelieved: () => undefined,
    });
    [wall, monotonic] = [NOW + 30 * DAY, 1000];
    await removeEnded(() => clock.now());
    expect(doubts.length).toBe(1);
    expect((await list()).some(({ ID }) => ID === entry.ID)).toBe(true);
  });

  test("a caller with permission to read sees nothing of it, and a write elsewhere is none here", async () => {
    const namespace = v1.unique("team");
    await makeNamespace(v1, { namespace });
    const here = await discard();
    const there = await discard(`?ns=${namespace}`);
    const reader = await v1.tokenWith('acl = "read" operator = "read"');
    const manager = await secretIn(v1, { namespace }, 'acl = "write"');
    for (const id of [here.ID, NOBODY]) {
      for (const token of [reader, manager, ""]) {
        expect((await v1.get(`/acl/trash?ns=default&id=${id}`, token)).status).toBe(403);
        expect((await restore(id, "?ns=default", token)).status).toBe(403);
      }
    }
    for (const token of [reader, manager, ""]) expect((await v1.get("/acl/trash?ns=default", token)).status).toBe(403);
    expect((await list(`?ns=${namespace}`, manager)).map(({ ID }) => ID)).toEqual([there.ID]);
    // An entry of another namespace is one that there is not.
    const [hidden, missing] = [here.ID, NOBODY].map((id) => () => restore(id, `?ns=${namespace}`, manager));
    if (hidden === undefined || missing === undefined) throw new Error("both are there");
    expect((await hidden()).text.replace(here.ID, NOBODY)).toBe((await missing()).text);
    await v1.expectSameStatements(hidden, missing);
    expect((await restore(there.ID, `?ns=${namespace}`, manager)).status).toBe(200);
  });

  test("a restore counts like a creation: at the limit it is refused, and the entry stays", async () => {
    const namespace = v1.unique("limited");
    await makeNamespace(v1, { namespace });
    const entry = await discard(`?ns=${namespace}`);
    // The namespace has its built-in policy.
    for (let made = 1; made < 30; made++) {
      expect((await v1.put(`/acl/policy?ns=${namespace}`, { Name: v1.unique("p") })).status).toBe(200);
    }
    const refused = await restore(entry.ID, `?ns=${namespace}`);
    expect(refused.text).toContain("Limit reached");
    expect((await list(`?ns=${namespace}`)).map(({ ID }) => ID)).toEqual([entry.ID]);
    const [first] = (await v1.get(`/acl/policies?ns=${namespace}`)).body as { ID: string; Name: string }[];
    await v1.delete(`/acl/policy/${first?.ID}?ns=${namespace}`);
    expect((await restore(entry.ID, `?ns=${namespace}`)).status).toBe(200);
  });

  test("a row that is not what was written restores nothing", async () => {
    const entry = await discard();
    const row = { content: '{"name":"x","rules":"acl = \\"write\\""}' };
    await v1.past({ kind: "partition", name: "default" }, (tx) =>
      Promise.resolve(tx.write(tx.sql.updateTable("trash").set(row).where("id", "=", entry.ID))),
    );
    expect((await restore(entry.ID)).status).toBe(503);
  });
});
