import { expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { createWaits } from "../../../test/support/waits.ts";

const READ = { Action: "read", Kind: "key", Segment: "records/${id}", Access: "read" };
const subject = (more: object = {}) => ({ SubjectTypes: [{ Type: "s", As: "role", Template: "${id}", ...more }] });
const action = (more: object = {}) => ({ ResourceTypes: [{ Type: "r", Actions: [{ ...READ, ...more }] }] });
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

/** Content that no mapping may have, with a part of the refusal. */
const WRONG: readonly [object, string][] = [
  [subject({ Type: "" }), "SubjectTypes[0].Type: expected 1 to 256 characters"],
  [subject({ Type: "token" }), "SubjectTypes[0].Type: token is a built-in type"],
  [subject({ As: "user" }), "SubjectTypes[0].As: expected one of token, role, identity"],
  [subject({ Template: "" }), "SubjectTypes[0].Template is empty"],
  [subject({ Template: "${name}" }), "SubjectTypes[0].Template: unknown variable name"],
  [subject({ Template: "x".repeat(1025) }), "SubjectTypes[0].Template is longer than 1024 bytes"],
  [{ ResourceTypes: [{ Type: "workspace" }] }, "ResourceTypes[0].Type: workspace is a built-in type"],
  [{ ResourceTypes: [{ Type: "r" }, { Type: "r" }] }, 'ResourceTypes[1].Type: "r" is defined twice'],
  [{ SubjectTypes: times(65, () => ({})) }, "SubjectTypes has 65 entries; at most 64 are allowed"],
  [
    { ResourceTypes: [{ Type: "r", Actions: times(65, () => READ) }] },
    "ResourceTypes[0].Actions has 65 entries; at most 64 are allowed",
  ],
  [action({ Action: "" }), "ResourceTypes[0].Actions[0].Action: expected 1 to 256 characters"],
  [action({ Kind: "record" }), 'ResourceTypes[0].Actions[0].Kind: unknown resource "record"'],
  [action({ Kind: "acl" }), "ResourceTypes[0].Actions[0].Kind: rules of acl have no names"],
  [
    action({ Kind: "service", Access: "list" }),
    'ResourceTypes[0].Actions[0].Access: unknown access "list" of service; expected read, write',
  ],
  [action({ Segment: "${id}${properties.a}" }), "ResourceTypes[0].Actions[0].Segment: expected text between"],
  [action({ Properties: { a: null } }), "ResourceTypes[0].Actions[0].Properties.a: expected a string, a number"],
  [action({ ActionProperties: { a: {} } }), "ResourceTypes[0].Actions[0].ActionProperties.a: expected a string"],
  [action({ Properties: { a: "x".repeat(1025) } }), "Properties.a is longer than 1024 bytes"],
  [
    action({ Properties: Object.fromEntries(times(17, (n) => [`p${n}`, n])) }),
    "ResourceTypes[0].Actions[0].Properties has 17 entries; at most 16 are allowed",
  ],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const path = (name: string) => `/acl/decision-mapping/${name}`;

  test("what is written is read back, in any case of the name, and replaced as a whole", async () => {
    const sent = {
      Name: "Gateway",
      Description: "ü",
      SubjectTypes: [{ Type: "user", As: "role", Template: "user-${id}" }],
      ResourceTypes: [{ Type: "todo", Actions: [{ ...READ, ActionProperties: { soft: false, n: 1, t: "x" } }, READ] }],
    };
    const { body } = await v1.put("/acl/decision-mapping", sent);
    expect(body).toMatchObject({ ...sent, Namespace: "default", Partition: "default" });
    expect((await v1.get(path("GATEWAY"))).body).toEqual(body);
    expect((await v1.get("/acl/decision-mappings")).body).toEqual([body]);
    const patched = await v1.patch(path("gateway"), { Description: "other" });
    expect(patched.body).toMatchObject({ ...sent, Description: "other" });
    expect((await v1.put(`${path("gateway")}?cas=1`, {})).status).toBe(409);
    const emptied = await v1.put(path("gateway"), {});
    expect(emptied.body).toMatchObject({ Name: "Gateway", SubjectTypes: [], ResourceTypes: [] });
    expect((await v1.delete(path("gateway"))).body).toBe(true);
    expect((await v1.get(path("gateway"))).status).toBe(404);
  });

  test.each(WRONG)("%j is rejected with the path of the member", async (content, text) => {
    const answer = await v1.put(path("wrong"), content);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Invalid DecisionMapping: ");
    expect(answer.text).toContain(text);
    expect((await v1.get(path("wrong"))).status).toBe(404);
  });

  test("a type is defined by one mapping of the partition, and by another after that one is deleted", async () => {
    const content = { ...subject({ Type: "taken" }), ResourceTypes: [{ Type: "taken-too" }] };
    expect((await v1.put(path("first"), content)).status).toBe(200);
    for (const second of [subject({ Type: "taken" }), { ResourceTypes: [{ Type: "taken-too" }] }]) {
      const answer = await v1.put(path("second"), second);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('decision mapping "first" defines')]);
    }
    // Its own types are no obstacle, and subjects and resources may have one name.
    expect((await v1.put(path("first"), content)).status).toBe(200);
    expect((await v1.put(path("second"), { ResourceTypes: [{ Type: "taken" }] })).status).toBe(200);
    const partition = v1.unique("p");
    await v1.put("/partition", { Name: partition });
    expect((await v1.put(`${path("first")}?partition=${partition}`, content)).status).toBe(200);
    await v1.delete(path("first"));
    expect((await v1.put(path("third"), content)).status).toBe(200);
    for (const name of ["second", "third"]) await v1.delete(path(name));
  });

  test("two clients that define one type at the same time do not both succeed", async () => {
    const statuses = await Promise.all(
      ["one", "two"].map(async (name) => (await v1.put(path(name), subject({ Type: "raced" }))).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400]);
    for (const name of ["one", "two"]) await v1.delete(path(name));
  });

  test("they exist in the namespace default alone, at most 64 in a partition", async () => {
    const namespace = v1.unique("ns");
    await v1.put("/namespace", { Name: namespace });
    const elsewhere = await v1.put(`${path("a")}?ns=${namespace}`, {});
    expect([elsewhere.status, elsewhere.text]).toEqual([400, expect.stringContaining("only in the namespace default")]);
    const partition = v1.unique("p");
    await v1.put("/partition", { Name: partition });
    for (const n of times(64, (each) => each)) {
      expect((await v1.put(`${path(`m${n}`)}?partition=${partition}`, {})).status).toBe(200);
    }
    const more = await v1.put(`${path("more")}?partition=${partition}`, {});
    expect([more.status, more.text]).toEqual([400, expect.stringContaining("maximum 64")]);
    expect((await v1.put(`${path("m1")}?partition=${partition}`, { Description: "x" })).status).toBe(200);
  });

  test("they are deleted with their partition", async () => {
    const partition = v1.unique("p");
    await v1.put("/partition", { Name: partition });
    expect((await v1.put(`${path("of-partition")}?partition=${partition}`, {})).status).toBe(200);
    await v1.delete(`/partition/${partition}`);
    await finishDeletion(v1.db);
    const left = v1.db.sql.selectFrom("decision_mappings").select("name").where("partition", "=", partition);
    expect(await left.execute()).toEqual([]);
  });

  test("a change is waited for, and a topic of events", async () => {
    const { wait } = createWaits(v1);
    await v1.put(path("Waited"), {});
    const held = await wait(`/acl/decision-mapping/waited`);
    await v1.patch(path("waited"), { Description: "told" });
    expect((await held.answer).body).toMatchObject({ Description: "told" });
    expect((await v1.get("/events?topics=none")).text).toContain("decision-mappings");
    await v1.delete(path("waited"));
  });

  test("reading takes acl:read and writing acl:write", async () => {
    await v1.put(path("guarded"), {});
    const reader = await v1.tokenWith('acl = "read"');
    const nobody = await v1.tokenWith('key "x" { policy = "read" }');
    expect((await v1.get(path("guarded"), reader)).status).toBe(200);
    expect((await v1.put(path("guarded"), {}, reader)).status).toBe(403);
    expect((await v1.delete(path("guarded"), reader)).status).toBe(403);
    for (const name of ["guarded", "missing"]) expect((await v1.get(path(name), nobody)).status).toBe(403);
    await v1.delete(path("guarded"));
  });
});
