import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { at, contentOf, makeMethodIn, makeNamespace, METHOD } from "../../../test/support/scopes.ts";
import { NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";

interface Shown {
  Code: string;
  Message: string;
  Member: string;
  Line?: number;
  Column?: number;
  DidYouMean?: string;
}

const place = ({ Code, Line, Column, DidYouMean }: Shown) => [Code, Line, Column, DidYouMean];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    await makeMethodIn(v1, {});
    await makeNamespace(v1, { namespace: "team" });
  });
  /** A policy that is not about its name has one. */
  const check = async (noun: string, body: object, query = "") => {
    const named = noun === "policy" ? { Name: "looked-through", ...body } : body;
    const answer = await v1.post(`/acl/${noun}/check${query}`, named);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { Errors: Shown[]; Warnings: Shown[] };
  };

  describe("a check of rules", () => {
    test.each([
      ['organisation "acme" { policy = "read" }', ["unknown-kind", 1, 1, "organization"]],
      ['acl = "read"\nsevice "web" {\n policy = "read" }', ["unknown-kind", 2, 1, "service"]],
      ['{"orgnization": {"a": {"policy": "read"}}}', ["unknown-kind", 1, 2, "organization"]],
      ['service "web" {\n  policy = "read"\n  polcy = "write"\n}', ["unknown-field", 3, 3, "policy"]],
      ['key "a" { policy = "read" intentions = "read" }', ["unknown-field", 1, 27, undefined]],
      ['namespace "a" {\n  organization "x" { policy = "read" }\n}', ["misplaced-kind", 2, 3, undefined]],
      ['workspace "acme" { policy = "read" }', ["without-slash", 1, 11, undefined]],
      ['workspace_prefix "acme" { policy = "read" }', ["without-slash", 1, 18, "acme/"]],
      ['workspace "acme/prod-*" { policy = "read" }', ["star-in-label", 1, 11, undefined]],
      ['{"acl": "write",\n"acl": "read"}', ["void-rule", 1, 2, undefined]],
      ['ACL = "write"\nacl = "read"', ["void-rule", 1, 1, undefined]],
      ['{"key": {"a": {"policy": "write", "policy": "read"}}}', ["void-rule", 1, 16, undefined]],
      ['acl = "Write"', ["not-lower-case", 1, 7, "write"]],
      ['operator = "DENY"', ["not-lower-case", 1, 12, "deny"]],
      ['namespace "a" {\n  acl = "Read"\n}', ["not-lower-case", 2, 9, "read"]],
      ['service "web" { policy = "Write" }', ["not-lower-case", 1, 26, "write"]],
      ['service "web" { policy = "write" intentions = "Read" }', ["not-lower-case", 1, 47, "read"]],
      ['key "${TEAM}/queue" { policy = "read" }', ["unrendered-template", 1, 5, undefined]],
      ['key_prefix "{{ .Values.team }}/" { policy = "read" }', ["unrendered-template", 1, 12, undefined]],
      ['namespace "${TEAM}" { acl = "read" }', ["unrendered-template", 1, 11, undefined]],
      ['key "a" { policy = "deny" }\nkey "a" { policy = "write" }', ["void-rule", 2, 5, undefined]],
      [
        'organization "Acme" { policy = "read" }\norganization "acme" { policy = "read" }',
        ["void-rule", 2, 14, undefined],
      ],
    ])("warns of %s", async (Rules, wanted) => {
      const { Errors, Warnings } = await check("policy", { Rules });
      expect(Errors).toEqual([]);
      expect(Warnings.map(place)).toEqual([wanted]);
    });

    test.each([
      ["", 0],
      ['workspace_prefix "" { policy = "read" }', 0],
      ['key "a" { policy = "read" }\nkey_prefix "a" { policy = "write" }', 0],
      ['key "a" { policy = "read" }\nkey "A" { policy = "write" }', 0],
      ['key "$HOME {} }}{{" { policy = "read" }', 0],
      ['namespace "a" { acl = "read" }\nnamespace "b" { acl = "write" }\nacl = "read"', 0],
    ])("finds nothing wrong with %s", async (Rules) => {
      expect(await check("policy", { Rules })).toEqual({ Errors: [], Warnings: [] });
    });

    test("says line, column and what was expected where the text is none of rules", async () => {
      const { Errors } = await check("policy", { Rules: 'acl = "read"\nkey "a" { policy = }' });
      expect(Errors.map(place)).toEqual([["invalid", 2, 20, undefined]]);
      expect(Errors[0]?.Message).toContain("expected a quoted string");
      const wrong = await check("policy", { Rules: 'acl = "raed"' });
      expect(wrong.Errors.map(place)).toEqual([["invalid", 1, 7, "read"]]);
    });

    test("refuses what a policy cannot hold where it lies, each with its place", async () => {
      const Rules = 'operator = "read"\nacl = "read"\nnamespace "b" {}';
      const { Errors } = await check("policy", { Rules }, "?ns=team");
      expect(Errors.map(place)).toEqual([
        ["invalid", 1, 1, undefined],
        ["invalid", 3, 11, undefined],
      ]);
      expect(await check("policy", { Rules })).toEqual({ Errors: [], Warnings: [] });
    });

    test.each([
      ['key "a" { policy = "raed" }', [1, 20, "read"], 'policy "raed"', 'key policy: {Name: "a", Policy: "raed"}'],
      [
        'workspace_prefix "a/" {\n  policy = "wriet"\n}',
        [2, 12, "write"],
        'policy "wriet"',
        "workspace_prefix policy: ",
      ],
      ['\noperator = "all"', [2, 12, undefined], 'operator "all"', 'operator policy: "all"'],
      ['service "a" { policy = "read" intentions = "l" }', [1, 44, undefined], 'intentions "l"', "service intentions"],
      ['{"key": {"a": {"policy": "x"}}}', [1, 26, undefined], 'policy "x"', "key policy: "],
      ['service "a" {}', [1, 9, undefined], "policy is missing", "service policy: "],
    ])(
      "says of %j where the wrong value is and which may stand there; the refusal of the write keeps the words that clients know",
      async (Rules, wanted, words, refusal) => {
        const { Errors } = await check("policy", { Rules });
        expect(Errors.map(place)).toEqual([["invalid", ...wanted]]);
        const expected = Rules.includes("key") ? '"read", "list", "write" or "deny"' : '"read", "write" or "deny"';
        const said = words.endsWith("missing") ? words : `invalid ${words}`;
        expect(Errors[0]?.Message).toBe(`${said}; expected ${expected}`);
        const written = await v1.put("/acl/policy", { Name: v1.unique("wrong"), Rules });
        expect([written.status, written.text]).toEqual([400, expect.stringContaining(`Invalid ${refusal}`)]);
      },
    );

    test("is bounded in what it says, and is refused to who may not read there", async () => {
      const Rules = Array.from({ length: 5000 }, (_, index) => `unknwon${index} = "x"`).join("\n");
      expect((await check("policy", { Rules })).Warnings).toHaveLength(100);
      const stranger = await v1.tokenWith('key "a" { policy = "read" }');
      const noun = ["policy", "binding-rule", "auth-method"];
      for (const each of noun) expect((await v1.post(`/acl/${each}/check`, {}, stranger)).status).toBe(403);
    });
  });

  describe("a check of a binding rule", () => {
    const rule = (more: object) => ({ AuthMethod: METHOD, BindType: "service", BindName: "web", ...more });
    test("warns of claims that the method does not map", async () => {
      const { Errors, Warnings } = await check(
        "binding-rule",
        rule({ Selector: 'value.team == "a" and value.taem == "b"' }),
      );
      expect(Errors).toEqual([]);
      expect(Warnings.map(place)).toEqual([["unmapped-claim", 1, 23, "value.team"]]);
    });

    test("warns of one claim that is compared with the name of another, which is a text", async () => {
      const warned = async (Selector: string) => (await check("binding-rule", rule({ Selector }))).Warnings.map(place);
      expect(await warned("value.team == value.team")).toEqual([["text-like-a-field", 1, 1, undefined]]);
      expect(await warned('value.team == x or value.team != "value.team"')).toEqual([
        ["text-like-a-field", 1, 20, undefined],
      ]);
      // Text that names no claim of this method is an ordinary text.
      expect(await warned("value.team == value.nothing or value.team == team.value")).toEqual([]);
    });

    test("warns of a role or policy that is missing, and of management for everybody", async () => {
      const codes = async (more: object) => (await check("binding-rule", rule(more))).Warnings.map(({ Code }) => Code);
      expect(await codes({ BindType: "role", BindName: "nobody" })).toEqual(["missing-role"]);
      expect(await codes({ BindType: "policy", BindName: "nobody" })).toEqual(["missing-policy"]);
      expect(await codes({ BindType: "policy", BindName: "global-management" })).toEqual(["management-for-all"]);
      const name = v1.unique("rulers");
      await v1.role({ Name: name, Policies: [{ Name: "global-management" }] });
      expect(await codes({ BindType: "role", BindName: name })).toEqual(["management-for-all"]);
      expect(await codes({ BindType: "role", BindName: name, Selector: 'value.team == "a"' })).toEqual([]);
      expect(await codes({ BindType: "role", BindName: "${value.team}" })).toEqual([]);
    });

    test("says all that would be refused, with the place in the selector", async () => {
      const { Errors } = await check("binding-rule", rule({ Selector: "value.team ==", BindName: "UPPER case" }));
      expect(Errors.map(place)).toEqual([
        ["invalid", 1, 14, undefined],
        ["invalid", undefined, undefined, undefined],
      ]);
      expect(Errors.map(({ Member }) => Member)).toEqual(["Selector", "BindName"]);
      const missing = await check("binding-rule", rule({ AuthMethod: "none" }));
      expect(missing.Errors.map(({ Member }) => Member)).toEqual(["AuthMethod"]);
    });
  });

  describe("a check of an auth method", () => {
    test("warns of claims that its rules name and it does not map, and asks nobody", async () => {
      const Name = v1.unique("method");
      const content = contentOf("auth-method", { Name }) as { Config: object };
      expect(await check("auth-method", content)).toEqual({ Errors: [], Warnings: [] });
      const NamespaceRules = [{ Selector: "value.taem is empty", BindNamespace: "team" }];
      const refused = await check("auth-method", { ...content, NamespaceRules });
      expect(refused.Errors).toHaveLength(1);
      const asked = [{ Selector: 'value.taem == "a"', BindNamespace: "team" }];
      const warned = await check("auth-method", { ...content, NamespaceRules: asked });
      expect(warned.Errors).toEqual([]);
      expect(warned.Warnings.map(place)).toEqual([["unmapped-claim", 1, 1, "value.team"]]);
      const unread = await check("auth-method", { Name, Type: "jwt", Config: { Nonsense: 1 } });
      expect(unread.Errors).toHaveLength(1);
      expect((await v1.get(`/acl/auth-method/${Name}`)).status).toBe(404);
    });
  });

  describe("incident 78: a check refuses what the write refuses, and nothing else", () => {
    /** The first error of the check, and the text of the write. */
    const both = async (noun: string, body: object, query = "") => {
      const { Errors } = await check(noun, body, query);
      const written = await v1.put(`/acl/${noun}${query}`, body);
      const first = Errors.map(({ Member, Message }) => [Member, Message])[0] ?? [];
      return { errors: first, text: written.status === 200 ? "" : written.text.trim() };
    };
    const PREFIX = "Invalid Policy: invalid Name. Names cannot be prefixed with '/' or 'builtin/'";
    const NOWHERE = 'Namespace "nowhere" does not exist';

    test.each([
      ["the name of another policy", "policy", { Name: "TAKEN" }, "", "Name", "A Policy with Name"],
      ["no name", "policy", { Name: "" }, "", "Name", "Invalid Policy: no Name is set"],
      ["a reserved name", "policy", { Name: "builtin/a" }, "", "Name", PREFIX],
      ["a namespace that there is not", "policy", { Name: "a" }, "?ns=nowhere", "Namespace", NOWHERE],
      [
        "the same of a method",
        "auth-method",
        contentOf("auth-method", { Name: "a" }),
        "?ns=nowhere",
        "Namespace",
        NOWHERE,
      ],
      ["another type", "auth-method", { Name: METHOD, Type: "kubernetes" }, "", "Type", "the Type field of an"],
    ])("%s", async (_what, noun, body, query, member, words) => {
      if ("Name" in body && body.Name === "TAKEN" && (await v1.get("/acl/policy/name/taken")).status === 404)
        await v1.policy("", "taken");
      const { errors, text } = await both(noun, body, query);
      expect(errors).toEqual([member, text]);
      expect(text).toContain(words);
    });

    test("a node's rule where no token of its method can lie", async () => {
      await makeNamespace(v1, { namespace: "berth" });
      await makeMethodIn(v1, { namespace: "berth" });
      const rule = { AuthMethod: METHOD, BindType: "node", BindName: "rack" };
      const { errors, text } = await both("binding-rule", rule, "?ns=berth");
      expect(errors).toEqual(["BindType", text]);
      expect(text).toContain("Node identities apply only in");
    });

    test("blocks for partitions, and datacenters, are taken by both", async () => {
      for (const more of [
        { Rules: 'partition_prefix "" {\n  mesh = "read"\n}' },
        { Rules: 'partition "harbour" {\n  namespace_prefix "" {\n    acl = "read"\n  }\n}' },
        { Datacenters: ["dc1"] },
      ]) {
        expect(await both("policy", { Name: v1.unique("taken-by-both"), ...more })).toEqual({ errors: [], text: "" });
      }
    });

    test("a body without an ID is a new one, a body with an ID is that one", async () => {
      const ID = await v1.policy("", v1.unique("checked"));
      const { Name } = (await v1.get(`/acl/policy/${ID}`)).body as { Name: string };
      const messages = async (noun: string, body: object) =>
        (await check(noun, body)).Errors.map(({ Member, Message }) => `${Member}: ${Message}`);
      expect(await messages("policy", { ID, Name, Rules: 'acl = "read"' })).toEqual([]);
      expect(await messages("policy", { Name })).toEqual([
        `Name: Invalid Policy: A Policy with Name "${Name}" already exists`,
      ]);
      expect(await messages("policy", { ID: NOBODY, Name: "a" })).toEqual([`ID: cannot find policy ${NOBODY}`]);
      expect(await messages("policy", { ID: `${RESERVED}01`, Name: "global-management" })).toEqual([
        "Rules: Changing the Rules for the builtin global-management policy is not permitted",
      ]);
      const rule = { AuthMethod: METHOD, BindType: "service", BindName: "web" };
      expect(await messages("binding-rule", { ID: NOBODY, ...rule })).toEqual([
        `ID: cannot find binding rule ${NOBODY}`,
      ]);
      const made = (await v1.put("/acl/binding-rule", rule)).body as { ID: string };
      await makeMethodIn(v1, {}, { Name: "another" });
      expect(await messages("binding-rule", { ...rule, ID: made.ID })).toEqual([]);
      expect(await messages("binding-rule", { ...rule, ID: made.ID, AuthMethod: "another" })).toEqual([
        "AuthMethod: the AuthMethod field of an Binding Rule is immutable",
      ]);
    });
  });

  describe("a write that is taken", () => {
    const warningsOf = ({ headers }: { headers: Record<string, unknown> }) => headers["x-service-warnings"];
    test("tells the same warnings as the check, in both spellings of the header, and has none when all is well", async () => {
      const Rules = 'organisation "ä" { policy = "read" }';
      const made = await v1.put("/acl/policy", { Name: v1.unique("warned"), Rules });
      expect(made.status).toBe(200);
      const { Warnings } = await check("policy", { Rules });
      expect(JSON.parse(String(warningsOf(made)))).toEqual(Warnings);
      expect(made.headers["x-consul-warnings"]).toBe(warningsOf(made));
      const url = `/acl/policy/${(made.body as { ID: string }).ID}`;
      expect(warningsOf(await v1.patch(url, { Description: "still" }))).toBe(warningsOf(made));
      const mended = await v1.put(url, { Name: v1.unique("mended"), Rules: 'acl = "read"' });
      expect([mended.status, warningsOf(mended)]).toEqual([200, undefined]);
    });

    test("tells them of binding rules and auth methods too, wherever they lie", async () => {
      await makeMethodIn(v1, { namespace: "team" });
      const Selector = 'value.taem == "a"';
      const rule = { AuthMethod: METHOD, BindType: "role", BindName: "none", Selector };
      const made = await v1.put(at("/acl/binding-rule", { namespace: "team" }), rule);
      expect(made.status, made.text).toBe(200);
      const codes = (answer: typeof made) =>
        (JSON.parse(String(warningsOf(answer))) as Shown[]).map(({ Code }) => Code);
      expect(codes(made)).toEqual(["unmapped-claim", "missing-role"]);
      const method = await v1.patch(at(`/acl/auth-method/${METHOD}`, { namespace: "team" }), { Description: "now" });
      expect(codes(method)).toEqual(["unmapped-claim"]);
    });
  });
});
