import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1, type V1 } from "../../../test/support/v1.ts";

const RESERVED_NAMES = ["operator", "root", "system", "universal"];
const GOOD = ["a", "0", "7-7", "a--b", "x".repeat(63), `a${"-".repeat(61)}b`];
const BAD: readonly [what: string, name: string][] = [
  ["64 letters", "x".repeat(64)],
  ["a hyphen at the beginning", "-a"],
  ["a hyphen at the end", "a-"],
  ["a hyphen alone", "-"],
  ["a dot", "a.b"],
  ["a dot alone", "."],
  ["two dots", ".."],
  ["a dot at the end", "default."],
  ["a space", "a b"],
  ["a space before", " a"],
  ["a space behind", "a "],
  ["a tab", "a\t"],
  ["a slash", "a/b"],
  ["an underscore", "a_b"],
  ["a star", "*"],
  ["a percent sign", "%61"],
  ["letters with accents", "ünï"],
  ["wide letters", "ａｂ"],
  ["a Kelvin sign", "\u212aey"],
  ["a dotted I", "\u0130d"],
  ["another script", "имя"],
  ["an emoji", "😀"],
  ["a zero-width space", "a\u200bb"],
];
/** Spellings that a lenient comparison would take for a reserved name. */
const DISGUISES: readonly [what: string, disguised: (name: string) => string][] = [
  ["as it is", (name) => name],
  ["in upper case", (name) => name.toUpperCase()],
  ["in mixed case", (name) => name.charAt(0).toUpperCase() + name.slice(1)],
  ["with a space behind", (name) => `${name} `],
  ["with a space before", (name) => ` ${name}`],
  ["with a dot behind", (name) => `${name}.`],
  ["with a slash behind", (name) => `${name}/`],
  ["in wide letters", (name) => name.replaceAll(/[a-z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))],
  ["encoded twice", (name) => `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`],
  ["with a zero-width joiner", (name) => `${name}\u200d`],
  ["with a letter that folds to another", (name) => name.replaceAll("s", "\u017f").replaceAll("o", "\u1d0f")],
];

/** Both are named by the same rules. */
const KINDS = [
  { kind: "namespace", Kind: "Namespace", parameter: "ns" },
  { kind: "partition", Kind: "Partition", parameter: "partition" },
] as const;

/** The three ways to write one. */
function writes(v1: V1, of: string, name: string) {
  const path = `/${of}/${encodeURIComponent(name)}`;
  return {
    create: () => v1.put(`/${of}`, { Name: name }),
    replace: () => v1.put(path, { Description: "x" }),
    "replace with the name in both": () => v1.put(path, { Name: name }),
  };
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  describe.each(KINDS)("a $kind", ({ kind, Kind, parameter }) => {
    const names = async () => ((await v1.get(`/${kind}s`)).body as { Name: string }[]).map(({ Name }) => Name);

    test.each(GOOD)("%s is a name", async (name) => {
      const made = await v1.put(`/${kind}`, { Name: name });
      expect(made.body, made.text).toMatchObject({ Name: name });
      expect((await v1.get(`/${kind}/${name}`)).body).toEqual(made.body);
      expect((await v1.put(`/${kind}/${name}`)).body).toMatchObject({ CreateIndex: made.body.CreateIndex });
    });

    test.each(BAD)("a name with %s is refused in words that say what a name is", async (_what, name) => {
      const before = await names();
      for (const [how, write] of Object.entries(writes(v1, kind, name))) {
        const answer = await write();
        // Dots go out of a path before it is sent.
        const status = name === ".." && how !== "create" ? 404 : 400;
        expect({ how, status: answer.status }, answer.text).toEqual({ how, status });
      }
      expect((await v1.put(`/${kind}`, { Name: name })).text).toMatch(
        new RegExp(`^Invalid ${Kind}: .*valid DNS hostname label`),
      );
      expect(await names()).toEqual(before);
    });

    test("no name is refused", async () => {
      for (const body of [{}, { Name: "" }, { Name: null }]) {
        const answer = await v1.put(`/${kind}`, body);
        expect(answer).toMatchObject({ status: 400, text: `Invalid ${Kind}: no Name is set` });
      }
    });

    test("what cannot be a name is missing where it is read, patched or deleted", async () => {
      for (const name of ["x".repeat(64), "-a", "a.b", "ünï", "a b", "*", "root", "default."]) {
        const path = `/${kind}/${encodeURIComponent(name)}`;
        expect([name, (await v1.get(path)).status]).toEqual([name, 404]);
        expect([name, (await v1.patch(path, { Description: "x" })).status]).toEqual([name, 400]);
        expect([name, (await v1.delete(path)).status]).toEqual([name, 404]);
      }
    });

    test("upper case means lower case, in the path, in the body and in the scope", async () => {
      const made = await v1.put(`/${kind}`, { Name: "Team-A" });
      expect(made.body).toMatchObject({ Name: "team-a" });
      expect((await v1.get(`/${kind}/TEAM-A`)).text).toBe(made.text);
      const again = await v1.put(`/${kind}/tEAM-a`, { Name: "TEam-a", Description: "the same" });
      expect(again.body).toMatchObject({ Name: "team-a", CreateIndex: made.body.CreateIndex });
      expect((await names()).filter((name) => name.toLowerCase() === "team-a")).toEqual(["team-a"]);
      const policy = await v1.put(`/acl/policy?${parameter}=TEAM-A`, { Name: "p" });
      expect(policy.body).toMatchObject({ [Kind]: "team-a" });
      expect((await v1.get(`/acl/policy/${policy.body.ID}?${parameter}=Team-a`)).body).toEqual(policy.body);
      expect((await v1.patch(`/${kind}/TEAM-a`, { Description: null })).body).toMatchObject({ Name: "team-a" });
      expect((await v1.delete(`/${kind}/TEAM-A`)).status).toBe(200);
      expect((await v1.get(`/${kind}/team-a`)).body).toHaveProperty("DeletedAt");
    });

    test("a name in the body that is not the one in the path is refused and writes neither", async () => {
      await v1.put(`/${kind}`, { Name: "this", Description: "as it was" });
      for (const body of [{ Name: "that" }, { Name: "this2" }, { Name: "this " }, { Name: "thiſ" }]) {
        for (const write of [v1.put, v1.patch]) {
          const answer = await write(`/${kind}/this`, { ...body, Description: "changed" });
          expect(answer).toMatchObject({ status: 400, text: `${Kind} name in URL and payload do not match` });
        }
      }
      expect((await v1.get(`/${kind}/this`)).body).toMatchObject({ Description: "as it was" });
      expect((await v1.get(`/${kind}/that`)).status).toBe(404);
      for (const Name of ["", null, "THIS"]) {
        expect((await v1.put(`/${kind}/this`, { Name })).body).toMatchObject({ Name: "this" });
      }
    });

    describe.each(RESERVED_NAMES)("the reserved name %s", (reserved) => {
      test.each(DISGUISES)("incidents 10 and 14: %s names nothing that can be made", async (_what, disguised) => {
        const name = disguised(reserved);
        const before = await names();
        for (const [how, write] of Object.entries(writes(v1, kind, name))) {
          const answer = await write();
          expect({ how, status: answer.status }, answer.text).toEqual({ how, status: 400 });
        }
        const escaped = [...Buffer.from(name)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
        expect((await v1.put(`/${kind}/${escaped}`)).status).toBe(400);
        expect(await names()).toEqual(before);
      });

      test("is refused in the words of clients", async () => {
        const text = `${Kind} "${reserved}" is reserved for future internal use`;
        for (const name of [reserved, reserved.toUpperCase()]) {
          expect(await v1.put(`/${kind}`, { Name: name })).toMatchObject({ status: 400, text });
        }
      });

      test.each(DISGUISES)("incident 10: %s leads nowhere else as a scope", async (what, disguised) => {
        const name = disguised(reserved);
        // In other letters it is the name of one that there is not; else it is no name.
        const isName = ["as it is", "in upper case", "in mixed case"].includes(what);
        const policy = await v1.policy("");
        const scopes = [
          { query: `?${parameter}=${encodeURIComponent(name)}`, body: {} },
          { query: "", body: { [Kind]: name } },
        ];
        const { query } = scopes[0] ?? { query: "" };
        for (const path of [`/acl/policy/${policy}${query}`, `/acl/policy/name/global-management${query}`]) {
          expect((await v1.get(path)).status).toBe(isName ? 404 : 400);
        }
        const list = await v1.get(`/acl/policies${query}`);
        expect(list).toMatchObject(isName ? { status: 200, text: "[]" } : { status: 400 });
        for (const { query: asked, body } of scopes) {
          for (const inside of ["policy", "role", "token"]) {
            const made = await v1.put(`/acl/${inside}${asked}`, {
              ...(inside === "token" ? {} : { Name: "x" }),
              ...body,
            });
            expect(made.status, made.text).toBe(400);
          }
          expect((await v1.patch(`/acl/policy/${policy}${asked}`, { ...body, Name: "y" })).status).toBe(400);
        }
      });
    });

    test.each([
      "default.",
      "default ",
      " default",
      "default/",
      "default%00",
      "ｄefault",
      "default\u200b",
      "de\u017fault",
    ])("incident 14: %j is not the one named default", async (name) => {
      const policy = await v1.policy("");
      const answer = await v1.get(`/acl/policy/${policy}?${parameter}=${encodeURIComponent(name)}`);
      expect(answer.status).toBe(400);
      expect((await v1.put(`/${kind}`, { Name: name })).status).toBe(400);
    });
  });

  describe("Meta of a namespace", () => {
    const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, ""]));
    test.each<[what: string, meta: Record<string, string>]>([
      ["64 pairs", pairs(64)],
      ["a key of 128 bytes", { ["k".repeat(128)]: "" }],
      ["a key of 64 letters that are 128 bytes", { ["é".repeat(64)]: "" }],
      ["a value of 512 bytes", { a: "v".repeat(512) }],
      ["a value of 256 letters that are 512 bytes", { a: "é".repeat(256) }],
    ])("may have %s", async (_what, meta) => {
      const Name = v1.unique("meta");
      expect((await v1.put("/namespace", { Name, Meta: meta })).body).toMatchObject({ Meta: meta });
      expect((await v1.get(`/namespace/${Name}`)).body.Meta).toEqual(meta);
    });

    test.each<[what: string, meta: Record<string, string>, text: RegExp]>([
      ["65 pairs", pairs(65), /65 pairs.*at most 64/],
      ["a key of 129 bytes", { ["k".repeat(129)]: "" }, /129 bytes.*at most 128/],
      ["a key of 65 letters that are 130 bytes", { ["é".repeat(65)]: "" }, /130 bytes.*at most 128/],
      ["a key of a megabyte", { ["😀".repeat(200_000)]: "" }, /at most 128/],
      ["an empty key", { "": "v" }, /a key of Meta is empty/],
      ["a value of 513 bytes", { a: "v".repeat(513) }, /513 bytes.*at most 512/],
      ["a value of 257 letters that are 514 bytes", { a: "é".repeat(257) }, /514 bytes.*at most 512/],
    ])("with %s is refused with the limit, and nothing is written", async (_what, meta, text) => {
      const Name = v1.unique("meta");
      const answer = await v1.put("/namespace", { Name, Meta: meta });
      expect(answer).toMatchObject({ status: 400, text: expect.stringMatching(text) });
      expect(answer.text.length).toBeLessThan(400);
      expect((await v1.get(`/namespace/${Name}`)).status).toBe(404);
      await v1.put("/namespace", { Name, Meta: { old: "1" } });
      expect((await v1.patch(`/namespace/${Name}`, { Meta: { ...meta, old: null } })).status).toBe(400);
      expect((await v1.get(`/namespace/${Name}`)).body).toMatchObject({ Meta: { old: "1" } });
    });

    test("may not grow beyond its limits by patches either", async () => {
      const Name = v1.unique("meta");
      await v1.put("/namespace", { Name, Meta: pairs(64) });
      expect((await v1.patch(`/namespace/${Name}`, { Meta: { more: "" } })).status).toBe(400);
      expect((await v1.patch(`/namespace/${Name}`, { Meta: { more: "", k0: null } })).status).toBe(200);
      expect((await v1.patch(`/namespace/${Name}`, { Meta: { k1: "x" } })).body.Meta).toMatchObject({ k1: "x" });
    });
  });
});
