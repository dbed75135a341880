import { beforeAll, describe, expect, test } from "vitest";
import { writeChanges } from "../../../test/support/changes.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useStreams } from "../../../test/support/event-stream.ts";
import { writePast } from "../../../test/support/proofs.ts";
import { makeOrganization, openForTest } from "../../../test/support/storage.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { startTarget } from "../../../test/support/webhook-target.ts";
import type { Database } from "../../storage/database.ts";
import type { AppliedTable } from "../../storage/migrations/applied.ts";
import { listedChanges } from "../../storage/migrations/0017-listed-changes.ts";
import { asLists, entriesOf, LEAST_LISTED, MOST_LISTED, MOST_LISTED_BYTES } from "./listed.ts";
import { CHANGES_PER_INDEX } from "./position.ts";
import { recordChanges, type RecordedChange } from "./record.ts";
import { listChanges, type StoredChange } from "./store.ts";

const AUTHOR = { actor: { accessorId: "one" }, requestId: "req-1", now: Date.now };
const DETAILS = { tags: { added: [{ id: "tag-1", name: 'a"b' }] } };

function changes(count: number, more: Partial<RecordedChange> = {}): RecordedChange[] {
  return Array.from({ length: count }, (_, at) => ({
    organizationId: "org",
    kind: "workspace",
    objectId: `ws-${at}`,
    name: `w${at}`,
    action: "tags-changed",
    details: DETAILS,
    ...more,
  }));
}

function stored(count: number, more: Partial<StoredChange> = {}): StoredChange[] {
  return changes(count).map((change, at) => ({
    ...change,
    position: CHANGES_PER_INDEX + at,
    at: "2026-01-02T03:04:05.678Z",
    accessorId: "one",
    requestId: "req-1",
    jobId: "",
    details: JSON.stringify(change.details),
    ...more,
  }));
}

async function write(db: Database, some: readonly RecordedChange[], organization = "org"): Promise<void> {
  await writePast(db, { kind: "organization", id: organization }, (tx) => recordChanges(tx, AUTHOR, some));
}

const rowsOf = (db: Database) => db.sql.selectFrom("changes").selectAll().orderBy("position").execute();

describe("lists", () => {
  test.each([1, LEAST_LISTED - 1, LEAST_LISTED, 500, MOST_LISTED, MOST_LISTED + 1, 2 * MOST_LISTED + 300])(
    "%d records give the same records again, in rows of bounded length",
    (count) => {
      const records = stored(count);
      const rows = asLists(records);
      expect(rows.flatMap(entriesOf)).toEqual(records);
      const rest = count % MOST_LISTED;
      expect(rows).toHaveLength(Math.floor(count / MOST_LISTED) + (rest < LEAST_LISTED ? rest : Math.sign(rest)));
    },
  );

  test("long names and long details end a list earlier, and it is counted in bytes", () => {
    for (const records of [
      stored(900, { name: "ü".repeat(400) }),
      stored(900, { details: `"${"x".repeat(250_000)}"` }),
    ]) {
      const rows = asLists(records);
      expect(rows.length).toBeGreaterThan(1);
      expect(rows.flatMap(entriesOf)).toEqual(records);
      for (const { details } of rows) expect(Buffer.byteLength(details)).toBeLessThanOrEqual(MOST_LISTED_BYTES);
    }
    const tooLong = stored(20, { details: `"${"x".repeat(MOST_LISTED_BYTES)}"` });
    expect(asLists(tooLong)).toEqual(tooLong);
  });

  test("only records that differ in the object alone share a row, and none of a job does", () => {
    const [one, other] = [stored(20), stored(20, { details: "{}" })];
    expect(asLists([...one, ...other]).map(({ name }) => name)).toEqual(["20", "20"]);
    for (const more of [{ jobId: "job-1" }, { action: "created" }, { kind: "project" }]) {
      const mixed = one.map((record, at) => (at % 2 === 0 ? record : { ...record, ...more }));
      expect(asLists(mixed)).toEqual(mixed);
    }
    const ofJob = stored(20, { jobId: "job-1" });
    expect(asLists(ofJob)).toEqual(ofJob);
  });
});

forEachEngine((_engine, makeUrl) => {
  test("a reader goes on behind any record of a list, and pages end within one", async () => {
    const db = await openForTest(await makeUrl());
    await makeOrganization(db, "org");
    await write(db, [...changes(3, { kind: "tag" }), ...changes(450), ...changes(1, { name: "last", details: {} })]);
    expect((await rowsOf(db)).map(({ name }) => name)).toEqual(["w0", "w1", "w2", "450", "last"]);
    const all: StoredChange[] = [];
    for (let isLast = false; !isLast;) {
      const page = await listChanges(db, { organization: "org", after: all.at(-1)?.position ?? 0 });
      expect(page.changes.length).toBeLessThanOrEqual(200);
      all.push(...page.changes);
      ({ isLast } = page);
    }
    const first = all[0]?.position ?? 0;
    expect(all.map(({ position }) => position)).toEqual(Array.from({ length: 454 }, (_, at) => first + at));
    expect(all.map(({ name }) => name)).toEqual([
      "w0",
      "w1",
      "w2",
      ...Array.from({ length: 450 }, (_, at) => `w${at}`),
      "last",
    ]);
    for (const place of [0, 2, 3, 100, 451, 452]) {
      const { changes: rest } = await listChanges(db, { organization: "org", after: first + place });
      expect(rest).toEqual(all.slice(place + 1, place + 1 + rest.length));
      expect(rest.length).toBe(Math.min(200, 453 - place));
    }
  });

  test("long details of a list end a page as those of single records do", async () => {
    const db = await openForTest(await makeUrl());
    await makeOrganization(db, "org");
    await write(db, changes(40, { details: { text: "x".repeat(10_000) } }));
    const { changes: page, isLast } = await listChanges(db, { organization: "org", after: 0 });
    expect([page.length, isLast]).toEqual([6, false]);
  });

  test("until the upgrade is finished each record has a row of its own", async () => {
    const db = await openForTest(await makeUrl());
    await makeOrganization(db, "org");
    await writePast(db, { kind: "root" }, async (tx) =>
      tx.write(
        tx.sql.$extendTables<AppliedTable>().deleteFrom("schema_migrations").where("name", "=", listedChanges.name),
      ),
    );
    await write(db, changes(30));
    expect((await rowsOf(db)).map(({ object_id }) => object_id)).toEqual(changes(30).map(({ objectId }) => objectId));
  });

  const v1 = useV1(makeUrl, {});
  let url: string;
  const open = useStreams(() => url, "/api/v2/organizations/");
  beforeAll(async () => {
    url = await v1.listen();
  });

  test("one tag to many workspaces is one row, of which a client sees the workspaces that it may read, in their places", async () => {
    const name = v1.unique("org");
    const organization = { type: "organizations", attributes: { name, email: "o@example.com" } };
    const made = await v1.api("POST", "/organizations", { data: organization });
    const id = made.body.data.attributes["external-id"] as string;
    const ids: string[] = [];
    for (let at = 0; at < 12; at++) {
      const data = { type: "workspaces", attributes: { name: at % 4 === 0 ? `hidden-${at}` : `shown-${at}` } };
      ids.push((await v1.api("POST", `/organizations/${name}/workspaces`, { data })).body.data.id as string);
    }
    const pool = await v1.api("POST", `/organizations/${name}/tags`, {
      data: [{ type: "tags", attributes: { name: "t" } }],
    });
    const token = await v1.tokenWith(
      `organization "${name}" { policy = "read" } workspace_prefix "${name}/hidden-" { policy = "deny" }`,
    );
    const [whole, narrow] = [await open(`${name}/events`), await open(`${name}/events`, { token })];
    const target = await startTarget();
    const webhook = { name: "hook", url: target.url, enabled: false };
    const hook = await v1.api("POST", `/organizations/${name}/tag-webhooks`, {
      data: { type: "tag-webhooks", attributes: webhook },
    });
    const answer = await v1.api("POST", `/tags/${pool.body.data[0].id}/relationships/workspaces`, {
      data: ids.map((workspace) => ({ type: "workspaces", id: workspace })),
    });
    expect(answer.status, answer.text).toBe(204);
    const row = v1.db.sql.selectFrom("changes").selectAll().where("organization_id", "=", id);
    expect((await row.where("action", "=", "tags-changed").execute()).map((each) => each.name)).toEqual(["12"]);
    const told = ({ events }: typeof whole) => events.filter(({ event }) => event === "workspace.tags-changed");
    await expect.poll(() => told(whole).length).toBe(12);
    await expect.poll(() => told(narrow).length).toBe(9);
    const namesOf = (stream: typeof whole) =>
      told(stream).map(({ data = {} }) => (data["attributes"] as { name: string }).name);
    expect(namesOf(narrow)).toEqual(namesOf(whole).filter((each) => each.startsWith("shown-")));
    expect(new Set(namesOf(whole)).size).toBe(12);
    const places = new Map(told(whole).map((event) => [JSON.stringify(event.data), event.id]));
    for (const event of told(narrow)) expect(places.get(JSON.stringify(event.data))).toBe(event.id);
    const behind = async () => {
      const read = await v1.api("GET", `/tag-webhooks/${hook.body.data.id}`);
      return read.body.data.attributes.delivery.behind as number;
    };
    expect(await behind()).toBe(12);
    await v1.write((db) =>
      db
        .updateTable("tag_webhooks")
        .set({ position: Number(told(whole)[4]?.id) })
        .where("id", "=", hook.body.data.id),
    );
    expect(await behind()).toBe(7);
    await writeChanges(v1.db, id, [{ name: "one" }]);
    expect(await behind()).toBe(8);
  });
});
