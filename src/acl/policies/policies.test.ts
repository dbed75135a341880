import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";

const INVALID = "Invalid Policy: invalid Name.";
const CHARACTERS = `${INVALID} Only alphanumeric characters, a single '/', '-' and '_' are allowed`;
const PREFIX = `${INVALID} Names cannot be prefixed with '/' or 'builtin/'`;
const LENGTH = `${INVALID} Length must be greater than 0 and less than 128`;

/** Bodies that no policy may have, with the text of the refusal or what it begins with. */
const CONTENT: readonly [what: string, body: object, text: string][] = [
  ["no name", { Name: "" }, "Invalid Policy: no Name is set"],
  ["a name of 129 letters", { Name: "a".repeat(129) }, LENGTH],
  ["a name that begins with a slash", { Name: "/a" }, PREFIX],
  ["a name as built-in ones have", { Name: "builtin/a" }, PREFIX],
  ["incident 14: such a name in other letters", { Name: "Builtin/global-read-only" }, PREFIX],
  ["two slashes in the name", { Name: "a/b/c" }, CHARACTERS],
  ["a space in the name", { Name: "a b" }, CHARACTERS],
  ["incident 14: a space behind the name", { Name: "global-management " }, CHARACTERS],
  ["incident 14: a letter that folds into another", { Name: "global-mana\u{ff47}ement" }, CHARACTERS],
  ["a line break behind the name", { Name: "a\n" }, CHARACTERS],
  ["a dot in the name", { Name: "a.b" }, CHARACTERS],
  ["rules without an end", { Name: "a", Rules: `node "a" {` }, "Failed to parse ACL rules: "],
  ["rules that are no JSON", { Name: "a", Rules: `{"acl": ` }, "Failed to parse ACL rules: "],
  ["10,000 braces", { Name: "a", Rules: `node ${"{".repeat(10_000)}` }, "Failed to parse ACL rules: "],
  ["512 KiB of noise", { Name: "a", Rules: "=x{[".repeat(128 * 1024) }, "Failed to parse ACL rules: "],
  ["more than 512 KiB", { Name: "a", Rules: `#${"x".repeat(512 * 1024)}` }, "Failed to parse ACL rules: "],
  ["an unpaired surrogate in the rules", { Name: "a", Rules: "\ud800" }, "Failed to parse ACL rules: "],
  ["a value that there is not", { Name: "a", Rules: `acl = "all"` }, `Invalid acl policy: "all"`],
  ["a block without a policy", { Name: "a", Rules: `service "web" {}` }, "Invalid service policy: "],
  ["a prefix without a policy", { Name: "a", Rules: `key_prefix "a" {}` }, "Invalid key_prefix policy: "],
  [
    "bad intentions",
    { Name: "a", Rules: `service "w" { policy = "read" intentions = "x" }` },
    "Invalid service intentions policy: ",
  ],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let taken = "";
  beforeAll(async () => (taken = await v1.policy(`acl = "read"`, "Taken")));

  describe("a policy is refused", () => {
    test.each(CONTENT)("with %s, new or changed", async (_what, body, text) => {
      const before = [(await v1.get("/acl/policies")).text, (await v1.get(`/acl/policy/${taken}`)).text];
      for (const answer of [
        await v1.put("/acl/policy", body),
        await v1.put(`/acl/policy/${taken}`, body),
        await v1.patch(`/acl/policy/${taken}`, body),
      ]) {
        expect(answer.text.slice(0, text.length)).toBe(text);
        expect(answer).toMatchObject({ status: 400, headers: { "content-type": "text/plain; charset=utf-8" } });
      }
      expect([(await v1.get("/acl/policies")).text, (await v1.get(`/acl/policy/${taken}`)).text]).toEqual(before);
    });

    test("with an ID of its own", async () => {
      const own = "Cannot specify the ID when creating a new policy";
      expect(await v1.put("/acl/policy", { ID: NOBODY, Name: "a" })).toMatchObject({ status: 400, text: own });
    });

    test("incident 14: with the name of a built-in one, in any case", async () => {
      const other = await v1.policy("");
      for (const Name of ["GLOBAL-MANAGEMENT", "Global-Management"]) {
        const text = (words: string) => `Invalid Policy: ${words} "${Name}" already exists`;
        expect(await v1.put("/acl/policy", { Name })).toMatchObject({ status: 400, text: text("A Policy with Name") });
        for (const change of [v1.put, v1.patch]) {
          const answer = await change(`/acl/policy/${other}`, { Name });
          expect(answer).toMatchObject({ status: 400, text: text("A policy with name") });
        }
      }
    });
  });

  describe("built-in policies", () => {
    const [management, readOnly] = [`${RESERVED}01`, `${RESERVED}02`];

    test("are there from the start, as clients know them", async () => {
      const { body } = await v1.get(`/acl/policy/${management}`);
      expect(body).toMatchObject({
        ID: management,
        Name: "global-management",
        Namespace: "default",
        Partition: "default",
      });
      expect(body.Description).toBe("A built-in policy that grants read and write access to all Consul features");
      expect(await v1.get("/acl/policy/name/builtin/global-read-only")).toMatchObject({
        status: 200,
        body: { Name: "builtin/global-read-only" },
      });
      expect(await v1.get("/acl/policy/name/builtin%2Fglobal-read-only")).toMatchObject({
        body: { ID: readOnly, Description: "A built-in policy that grants read-only access to all Consul features" },
      });
    });

    test("keep their rules, count everywhere and cannot be deleted", async () => {
      const { body } = await v1.get(`/acl/policy/${management}`);
      const path = `/acl/policy/${management}`;
      const rules = "Changing the Rules for the builtin global-management policy is not permitted";
      const places = "Changing the Datacenters of the global-management policy is not permitted";
      for (const change of [v1.put, v1.patch]) {
        expect(await change(path, { ...body, Rules: "" })).toMatchObject({ status: 400, text: rules });
        expect(await change(path, { ...body, Datacenters: ["dc1"] })).toMatchObject({ status: 400, text: places });
      }
      for (const [id, name] of [
        [management, "global-management"],
        [readOnly, "builtin/global-read-only"],
      ] as const) {
        const text = `Delete operation not permitted on the builtin ${name} policy`;
        expect(await v1.delete(`/acl/policy/${id}`)).toMatchObject({ status: 400, text });
      }
      expect((await v1.get(path)).body).toEqual(body);
    });

    test("the one for management takes another description and name; the other one's name allows no change", async () => {
      const { body } = await v1.get(`/acl/policy/${management}`);
      const renamed = await v1.put(`/acl/policy/${management}`, { ...body, Name: "all", Description: "mine" });
      expect(renamed.body).toMatchObject({ ID: management, Name: "all", Description: "mine", Rules: body.Rules });
      expect((await v1.put(`/acl/policy/${management}`, body)).body.Name).toBe("global-management");
      const other = (await v1.get(`/acl/policy/${readOnly}`)).body;
      expect(await v1.put(`/acl/policy/${readOnly}`, other)).toMatchObject({ status: 400, text: PREFIX });
      expect(await v1.patch(`/acl/policy/${readOnly}`, { Description: "" })).toMatchObject({
        status: 400,
        text: PREFIX,
      });
    });
  });

  test("what is written is read back, by ID and by name in any case", async () => {
    const content = {
      Name: "Web/team_1",
      Description: "ü",
      Rules: `# as sent\nacl="READ"`,
      Datacenters: ["dc1", "dc2"],
    };
    const { status, body } = await v1.put("/acl/policy", content);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...content, CreateIndex: body.ModifyIndex, Namespace: "default" });
    expect(body.ID).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    for (const path of [body.ID, body.ID.toUpperCase(), "name/web%2FTEAM_1"]) {
      expect((await v1.get(`/acl/policy/${path}`)).body).toEqual(body);
    }
    expect(Object.keys(body)).toEqual(
      "ID Name Description Rules Datacenters Hash Namespace Partition CreateIndex ModifyIndex".split(" "),
    );
  });

  test("names of 128 letters, with a slash inside or at the end, are taken", async () => {
    for (const Name of ["a".repeat(128), "a/b", "ab/", "-_", "A/-"]) {
      expect((await v1.put("/acl/policy", { Name })).body).toMatchObject({ Name, Rules: "", Description: "" });
    }
  });

  test("a replacement takes the case of its own name, and the rules away", async () => {
    const id = await v1.policy(`acl = "read"`, "replaced");
    const { body } = await v1.put(`/acl/policy/${id}`, { Name: "REPLACED" });
    expect(body).toMatchObject({ ID: id, Name: "REPLACED", Rules: "" });
  });

  test("a list shows no rules, and datacenters always", async () => {
    const all = (await v1.get("/acl/policies")).body as { Name: string; Datacenters: unknown; Rules?: string }[];
    expect(all.find((each) => each.Name === "Taken")?.Datacenters).toBeNull();
    expect(all.filter((each) => "Rules" in each)).toEqual([]);
  });

  test("a renamed policy keeps its links, a deleted one is gone, its name free, and who linked to it loses the link", async () => {
    const id = await v1.policy("", "fleeting");
    const { accessor, secret } = await v1.token({ Policies: [{ ID: id }] });
    const role = await v1.role({ Policies: [{ ID: id }] });
    const shown = async () => {
      const paths = [`token/${accessor}`, `role/${role}`];
      const answers = await Promise.all([
        ...paths.map((path) => v1.get(`/acl/${path}`)),
        v1.get("/acl/token/self", secret),
      ]);
      return answers.map(({ body }) => body.Policies?.[0]?.Name);
    };
    expect(await shown()).toEqual(["fleeting", "fleeting", "fleeting"]);
    await v1.patch(`/acl/policy/${id}`, { Name: "lasting" });
    expect(await shown()).toEqual(["lasting", "lasting", "lasting"]);
    expect(await v1.delete(`/acl/policy/${id}`)).toMatchObject({ status: 200, text: "true" });
    expect((await v1.get(`/acl/policy/${id}`)).status).toBe(404);
    expect(await shown()).toEqual([undefined, undefined, undefined]);
    expect(await v1.policy("", "lasting")).not.toBe(id);
    expect(await shown()).toEqual([undefined, undefined, undefined]);
  });
});
