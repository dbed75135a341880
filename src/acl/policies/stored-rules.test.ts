/** Incident 77: what was written when the grammar knew more tolerance decides as before until it is written again. */
import { expect, test } from "vitest";
import { writeEarlierPolicy } from "../../../test/support/earlier-policy.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { findRewritten, tellRewritten } from "./rewritten.ts";

const TWICE = 'acl = "write"\nacl = "read"';
const CAPITAL = 'acl = "Write"\nservice "web" { policy = "Write" }';

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const may = async (secret: string, Resource: string, Segment: string, Access: string) => {
    const { body } = await v1.post("/acl/authorize", [{ Resource, Segment, Access }], secret);
    return (body as { Allow: boolean }[])[0]?.Allow;
  };
  const holderOf = (ID: string) => v1.token({ Policies: [{ ID }] });
  const differences = async () => {
    const { body } = await v1.get("/acl/overview", await v1.tokenWith('acl = "read"'));
    const first = body.PoliciesReadAsBefore.First as { Name: string; Differences: string[] }[];
    return Object.fromEntries(first.map(({ Name, Differences }) => [Name, Differences]));
  };
  const codes = async (body: object) => {
    const { body: found } = await v1.post("/acl/policy/check", body);
    return (found as { Warnings: { Code: string }[] }).Warnings.map(({ Code }) => Code);
  };

  test("what decides otherwise is found also where labels are alike for as long as they are shown", async () => {
    const [one, other] = ["1", "2"].map((end) => "x".repeat(300) + end);
    const Rules = `key "${one}" { policy = "Write" }\nkey "${one}" { policy = "read" }\nkey "${other}" { policy = "write" }`;
    await writeEarlierPolicy(v1.db, "alike", Rules);
    expect((await differences())["alike"]).toEqual([expect.stringMatching(/^key "x+…": write becomes read$/)]);
  });

  test("a stored policy keeps its meaning, also when something else of it changes, and loses it when its rules are written", async () => {
    const id = await writeEarlierPolicy(v1.db, "capital", CAPITAL);
    const { secret } = await holderOf(id);
    const rights = async () => [
      await may(secret, "acl", "", "write"),
      await may(secret, "service", "web", "write"),
      await may(secret, "intention", "web", "read"),
    ];
    expect(await rights()).toEqual([true, true, true]);
    const patched = await v1.patch(`/acl/policy/${id}`, { Description: "still as before" });
    expect(patched.status).toBe(200);
    const told = JSON.parse(String(patched.headers["x-service-warnings"])) as { Code: string; Message: string }[];
    expect(told.map(({ Message }) => Message.split(": ")[1])).toEqual([
      "acl",
      `service "web"`,
      `intentions of service "web"`,
    ]);
    expect(new Set(told.map(({ Code }) => Code))).toEqual(new Set(["read-as-before"]));
    expect(await rights()).toEqual([true, true, true]);
    expect((await v1.put(`/acl/policy/${id}`, { Name: "capital", Rules: CAPITAL })).status).toBe(200);
    expect(await rights()).toEqual([false, true, false]);
    expect(await differences()).not.toHaveProperty("capital");
  });

  test("one whose text is refused now goes on, and what a change would do is told by what it is now", async () => {
    const id = await writeEarlierPolicy(v1.db, "twice", TWICE);
    const { accessor, secret } = await holderOf(id);
    expect(await may(secret, "acl", "", "write")).toBe(true);
    const again = await v1.put(`/acl/policy/${id}`, { Name: "twice", Rules: TWICE });
    expect([again.status, again.text]).toEqual([
      400,
      'Failed to parse ACL rules: The argument "acl" at 2:1 was already set. Each argument can only be defined once',
    ]);
    expect(await may(secret, "acl", "", "write")).toBe(true);
    const { body } = await v1.post("/acl/effect", { Policies: [{ ID: id, Name: "twice", Rules: 'acl = "Write"' }] });
    expect(JSON.stringify(body)).toContain(accessor);
    const who = await v1.get("/acl/access?resource=acl&access=write&kind=token&page-size=1000");
    expect(who.text).toContain(accessor);
  });

  test("the overview, a check and an operator are told of each that would decide otherwise, and of no other", async () => {
    await makeNamespace(v1, { namespace: "team" });
    const team = { partition: "default", namespace: "team" };
    await writeEarlierPolicy(v1.db, "sound", 'acl = "read"\nkey "a" { policy = "write" }');
    await writeEarlierPolicy(v1.db, "loose", 'key "a" { policy = "WRITE" }', team);
    await writeEarlierPolicy(v1.db, "refused", TWICE, team);
    await writeEarlierPolicy(v1.db, "scalar", 'operator = "Read"');
    const found = await differences();
    expect(found).toMatchObject({ scalar: ["operator: read becomes nothing"] });
    expect(Object.keys(found)).not.toContain("sound");
    // The answer contains nothing about a namespace that the caller may not read.
    expect(found).not.toHaveProperty("loose");
    expect(await codes({ Name: "scalar", Rules: 'operator = "Read"' })).toEqual(["not-lower-case", "read-as-before"]);
    expect(await codes({ Name: "sound", Rules: 'acl = "read"\nkey "a" { policy = "write" }' })).toEqual([]);
    const line = await tellRewritten(findRewritten(v1.db.long, "enterprise"));
    expect(line).toContain('default/team/loose (key "a": other rules in lower case override write)');
    expect(line).toContain("default/team/refused (it would be rejected: Failed to parse");
    expect(line).toContain("default/default/scalar (operator: read becomes nothing)");
    expect(line).not.toContain("/sound");
  });
});
