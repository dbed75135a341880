/** Incident 66: what damage changed in a record, a filter compares; so damaged records stand in filtered lists too. */
import { expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";
import { withDamaged } from "../records/damaged-between.ts";
import type { AuditRecord } from "../records/record.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  type Shown = { Name: string; Damaged?: true; Kind: string; Time: string };
  const list = async (query: string, token?: string) =>
    (await v1.get(`/audit?${query}`, token)).body.map(({ Name, Damaged }: Shown) => (Damaged ? "damaged" : Name));

  /** Three policies, each of another millisecond, of which the second one's record is about a role now. */
  async function damagedKind() {
    const names = ["one", "two", "three"].map((name) => v1.unique(name));
    const times: string[] = [];
    for (const name of names) {
      await v1.policy("", name);
      const [{ Time }] = (await v1.get("/audit?kind=policy&page-size=1")).body as [Shown];
      times.push(Time);
      await expect.poll(() => new Date().toISOString(), { interval: 1 }).not.toBe(Time);
    }
    const [first = "", , third = ""] = times;
    await v1.past({ kind: "partition", name: "default" }, (tx) => {
      tx.write(
        tx.sql
          .updateTable("audit_records")
          .set({ kind: "role" })
          .where("name", "=", names[1] ?? ""),
      );
      return Promise.resolve();
    });
    const to = new Date(Date.parse(third) + 1).toISOString();
    return { names, range: `from=${first}&to=${to}`, late: `from=${third}&to=${to}` };
  }

  test("incident 66: a record whose kind was changed stands as damaged in its place, whatever the filter is", async () => {
    const { names, range } = await damagedKind();
    const [one, , three] = names;
    expect(await list(`kind=policy&${range}`)).toEqual([three, "damaged", one]);
    expect(await list(`kind=role&${range}`)).toEqual(["damaged"]);
    expect(await list(`actor=nobody&${range}`)).toEqual(["damaged"]);
    expect(await list(`kind=policy&search=three&${range}`)).toEqual([three, "damaged"]);
    const lines = await v1.send({
      method: "GET",
      url: `/v1/audit?kind=policy&${range}`,
      headers: { "x-service-token": MANAGEMENT, accept: "application/x-ndjson" },
    });
    const types = lines.text.trim().split("\n");
    expect(types.map((line) => (JSON.parse(line) as { type?: string }).type)).toEqual(["record", "damaged", "record"]);
    expect(lines.text).not.toContain('"role"');
  });

  test("incident 66: each has its place on one page, and only where times and namespace cover it", async () => {
    const { names, range, late } = await damagedKind();
    const pages: string[] = [];
    let after = "";
    do {
      const answer = await v1.get(`/audit?kind=policy&${range}&page-size=1${after}`);
      pages.push(...answer.body.map(({ Name, Damaged }: Shown) => (Damaged ? "damaged" : Name)));
      const next = answer.headers["x-service-next"] as string | undefined;
      after = next === undefined ? "" : `&after=${next}`;
    } while (after !== "");
    expect(pages).toEqual([names[2], "damaged", names[0]]);
    expect(await list(`kind=policy&${late}`)).toEqual([names[2]]);
    const team = v1.unique("team");
    expect((await v1.put("/namespace", { Name: team })).status).toBe(200);
    expect(await list(`kind=policy&ns=${team}&${range}`)).toEqual([]);
    const outsider = await v1.tokenWith(`namespace "${team}" { acl = "read" }`);
    expect(await list(`kind=policy&ns=*&${range}`, outsider)).toEqual([]);
  });

  test("incident 66: in an organization too, and not to who may not read the workspace that it is of", async () => {
    const attributes = { name: v1.unique("acme"), email: "a@b.example" };
    await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    const path = `/organizations/${attributes.name}`;
    for (const name of ["a", "b"]) {
      await v1.api("POST", `${path}/workspaces`, { data: { type: "workspaces", attributes: { name } } });
    }
    await v1.past({ kind: "root" }, (tx) => {
      const records = tx.sql.updateTable("audit_records").set({ action: "delete" });
      tx.write(records.where("name", "=", "a").where("kind", "=", "workspace").where("action", "=", "create"));
      return Promise.resolve();
    });
    const rules = `organization "${attributes.name}" { policy = "read" }\nworkspace "${attributes.name}/a" { policy = "deny" }`;
    const asked = `${path}/audit?filter[kind]=workspace&filter[action]=create`;
    const shown = async (token?: string) => {
      const { data } = (await v1.api("GET", asked, undefined, token)).body;
      return (data as { attributes: { name: string; damaged?: true } }[]).map(({ attributes: { name, damaged } }) =>
        damaged ? "damaged" : name,
      );
    };
    expect(await shown()).toEqual(["b", "damaged"]);
    expect(await shown(await v1.tokenWith(rules))).toEqual(["b"]);
  });
});

test("a page looks at 1,000 records at most, and not behind its last one", async () => {
  const of = (seq: number): AuditRecord =>
    ({ at: "2026-01-01T00:00:00.000Z", chain: "root", seq, detail: "{}", isDamaged: true }) as AuditRecord;
  const looked: number[] = [];
  const readRange = async ({ after, size }: { after: { seq: number } | undefined; size: number }) => {
    looked.push(size);
    const records = Array.from({ length: size }, (_, index) => of((after?.seq ?? 9000) - 1 - index));
    return Promise.resolve({ records, isLast: false });
  };
  const whole = await withDamaged({ after: undefined, size: 5000 }, { records: [], isLast: true }, readRange);
  expect([whole.records.length, looked]).toEqual([1000, [200, 200, 200, 200, 200]]);
  const found = { records: [of(8997)], isLast: false };
  const page = await withDamaged({ after: undefined, size: 5000 }, found, readRange);
  expect(page.records.map(({ seq }) => seq)).toEqual([8999, 8998, 8997]);
  const short = await withDamaged({ after: undefined, size: 2 }, { ...found, isLast: true }, readRange);
  expect([short.records.map(({ seq }) => seq), short.isLast]).toEqual([[8999, 8998], false]);
});
