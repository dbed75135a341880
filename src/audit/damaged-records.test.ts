import { expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("incident 66: a record whose content was changed in the database is shown as damaged, without it", async () => {
    const names = ["one", "two", "three"].map((name) => v1.unique(name));
    for (const name of names) await v1.policy("", name);
    await v1.past({ kind: "partition", name: "default" }, (tx) => {
      const [, name = ""] = names;
      tx.write(tx.sql.updateTable("audit_records").set({ name: "nobody" }).where("name", "=", name));
      return Promise.resolve();
    });
    const { body } = await v1.get("/audit?kind=policy&action=create&page-size=3");
    expect(body.map(({ Name, Damaged }: Record<string, unknown>) => [Name, Damaged])).toEqual([
      [names[2], undefined],
      ["", true],
      [names[0], undefined],
    ]);
    expect(body[1]).toMatchObject({ ID: "", Action: "", Chain: "partition/default", Actor: { AccessorID: "" } });
    expect(v1.db.damagedRows()).toMatchObject({ audit_records: expect.any(Number) });
    expect(JSON.stringify(body)).not.toContain("nobody");
    const lines = await v1.send({
      method: "GET",
      url: "/v1/audit?kind=policy&action=create",
      headers: { "x-service-token": MANAGEMENT, accept: "application/x-ndjson" },
    });
    expect(lines.text).not.toContain("nobody");
    const line = lines.text.split("\n").find((each) => each.includes('"type":"damaged"')) ?? "{}";
    expect(JSON.parse(line)).toEqual({ type: "damaged", chain: body[1].Chain, seq: body[1].Seq, hash: body[1].Hash });
  });

  test("incident 66: in an organization too, and one that was taken out leaves the next one without proof", async () => {
    const attributes = { name: v1.unique("acme"), email: "a@b.example" };
    await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    const path = `/organizations/${attributes.name}`;
    for (const name of ["a", "b", "c"]) {
      await v1.api("POST", `${path}/workspaces`, { data: { type: "workspaces", attributes: { name } } });
    }
    const { data } = (await v1.api("GET", `${path}/audit?filter[kind]=workspace`)).body;
    const [, taken] = data as { attributes: { chain: string; seq: number } }[];
    await v1.past({ kind: "root" }, (tx) => {
      const { chain = "", seq = 0 } = taken?.attributes ?? {};
      tx.write(tx.sql.deleteFrom("audit_records").where("chain", "=", chain).where("seq", "=", seq));
      return Promise.resolve();
    });
    const left = (await v1.api("GET", `${path}/audit`)).body.data as { attributes: Record<string, unknown> }[];
    expect(left.slice(0, 2).map(({ attributes: { name, damaged } }) => [name, damaged ?? false])).toEqual([
      ["", true],
      ["a", false],
    ]);
  });

  test("incident 66: the name of a deleted organization, by which rights go, is believed only when its record is right", async () => {
    const [name, other] = [v1.unique("gone"), v1.unique("other")];
    const data = { type: "organizations", attributes: { name, email: "a@b.example" } };
    const made = await v1.api("POST", "/organizations", { data });
    const id = String((made.body.data as { attributes: Record<string, unknown> }).attributes["external-id"]);
    await v1.api("DELETE", `/organizations/${name}`);
    const path = `/organizations/${id}/audit`;
    const token = await v1.tokenWith(`organization "${other}" { policy = "read" }`);
    expect([(await v1.api("GET", path)).status, (await v1.api("GET", path, undefined, token)).status]).toEqual([
      200, 404,
    ]);
    await v1.past({ kind: "root" }, (tx) => {
      const records = tx.sql.updateTable("audit_records").set({ name: other });
      tx.write(records.where("object_id", "=", id).where("action", "=", "delete"));
      return Promise.resolve();
    });
    expect([(await v1.api("GET", path)).status, (await v1.api("GET", path, undefined, token)).status]).toEqual([
      404, 404,
    ]);
  });

  test("incident 66: a record whose detail is no JSON any more fails no list of who sees a part of the workspaces", async () => {
    const attributes = { name: v1.unique("acme"), email: "a@b.example" };
    await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    const path = `/organizations/${attributes.name}`;
    for (const name of ["a", "b"]) {
      await v1.api("POST", `${path}/workspaces`, { data: { type: "workspaces", attributes: { name } } });
    }
    await v1.past({ kind: "root" }, (tx) => {
      tx.write(tx.sql.updateTable("audit_records").set({ detail: '{"changes":{"name":[' }).where("name", "=", "b"));
      return Promise.resolve();
    });
    const rules = `organization "${attributes.name}" { policy = "read" }\nworkspace "${attributes.name}/a" { policy = "deny" }`;
    const token = await v1.tokenWith(rules);
    const { status, body } = await v1.api("GET", `${path}/audit?filter[kind]=workspace`, undefined, token);
    expect([status, body.data?.map((record: { attributes: object }) => record.attributes)]).toEqual([
      200,
      [expect.objectContaining({ name: "", damaged: true })],
    ]);
  });
});
