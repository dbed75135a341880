/** Every kind of `/v1` refuses the same requests, each in its own words. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { DESCRIBED_KINDS, makeKind, prepareKinds, SCOPED_KINDS } from "../../../test/support/kinds.ts";
import { makeNamespace } from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";

/** Bodies that are none of any kind, with the beginning of what is wrong with them. */
const BODIES: readonly [what: string, body: string, text: string][] = [
  ["nothing", "", "EOF"],
  ["half of one", '{"Description":', "unexpected EOF"],
  ["no JSON", "x", "invalid character 'x' looking for beginning of value"],
  ["a list", "[]", "json: cannot unmarshal array into Go value of type "],
  ["a text", '"x"', "json: cannot unmarshal string into Go value of type "],
  [
    "a number for a text",
    '{"Description": 1}',
    "json: cannot unmarshal number into Go struct field .Description of type",
  ],
  ["a text for an index", '{"ModifyIndex": "x"}', "json: cannot unmarshal string into Go struct field .ModifyIndex of"],
  ["an unknown member", '{"X": null}', 'json: unknown field "X"'],
  ["a member with another spelling of words", '{"create_index": 1}', 'json: unknown field "create_index"'],
  ["a member of every object", '{"__proto__": {"Description": "x"}}', 'json: unknown field "__proto__"'],
  ["NUL in a text", '{"Description": "a\\u0000b"}', ""],
];
/** Kinds that have none: it is a member of policies, roles and tokens only. */
const WITHOUT_HASH = DESCRIBED_KINDS.filter(({ kind }) => !["policy", "role", "token"].includes(kind));

/** IDs that are no UUID, with what is said of them. */
const MALFORMED: readonly [what: string, id: string, text: string][] = [
  ["too short", "x", "UUID must be 36 characters"],
  ["a name of objects", "__proto__", "UUID must be 36 characters"],
  ["five hyphens", "1-1111111-2222-4333-8444-55555555555", 'UUID should have maximum of 4 "-"; got 5'],
  ["odd digits", "111111111-222-4333-84445555555555555", "UUID (without hyphens) must be an even number of characters"],
  ["other letters", "g1111111-2222-4333-8444-555555555555", "invalid UUID: "],
];

const startingWith = (text: string) =>
  expect.stringMatching(new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`, "s"));

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    await prepareKinds(v1);
    await makeNamespace(v1, { namespace: "team" });
  });

  describe.each(DESCRIBED_KINDS)("one $kind", (of) => {
    const { texts } = of;
    let there: { path: string; text: string };
    beforeAll(async () => {
      const { path, answer } = await makeKind(v1, of);
      there = { path, text: answer.text };
    });
    /** Each write of a body: of a new one, by both paths, and of one that is there. */
    const writes = async (body: unknown) => [
      await v1.put(of.path, body),
      await v1.put(`${of.path}/`, body),
      await v1.put(there.path, body),
      await v1.patch(there.path, body),
    ];

    test.each(BODIES)("takes no body that is %s, and nothing is written", async (_what, body, text) => {
      const before = (await v1.get(of.list)).text;
      for (const answer of await writes(body)) {
        expect(answer).toMatchObject({ status: 400, text: startingWith(texts.decoding + text) });
        expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
        expect(answer.text.length).toBeLessThan(1000);
      }
      expect((await v1.get(of.list)).text).toBe(before);
      expect((await v1.get(there.path)).text).toBe(there.text);
    });

    test("takes no body of more than 1 MiB", async () => {
      for (const { status } of await writes({ Description: "x".repeat(1024 * 1024) })) expect(status).toBe(413);
    });

    test("incident 27: takes a body for what it is whatever its Content-Type", async () => {
      const types = ["application/json\t", "application/json ;", " text/plain", "application/json; charset=x", "x"];
      for (const type of types) {
        for (const [method, path] of [
          ["PUT", of.path],
          ["PUT", there.path],
          ["PATCH", there.path],
        ] as const) {
          const headers = { "x-service-token": MANAGEMENT, "content-type": type };
          const answer = await v1.send({ method, url: `/v1${path}`, headers, payload: '{"Description": 1}' });
          expect(answer).toMatchObject({ status: 400, text: startingWith(texts.decoding) });
        }
      }
    });

    test("takes no other ID or name in a body than its path says, whether it is there or not", async () => {
      const other = { [of.kind === "token" ? "AccessorID" : of.isNamed ? "Name" : "ID"]: "0f0f0f0f-2222-4333-8444-0" };
      for (const path of [there.path, `${of.path}/${NOBODY}`]) {
        for (const change of [v1.put, v1.patch]) {
          expect(await change(path, other)).toMatchObject({ status: 400, text: texts.otherId });
        }
      }
      expect((await v1.get(there.path)).text).toBe(there.text);
    });

    test("that is not there is missing to each verb", async () => {
      const path = `${of.path}/${NOBODY}`;
      expect(await v1.get(path)).toMatchObject({ status: 404, text: texts.read });
      expect(await v1.patch(path)).toMatchObject({ status: 404, text: texts.change });
      expect(await v1.delete(path)).toMatchObject({ status: 404, text: texts.delete });
      if (texts.replace === undefined) return;
      expect(await v1.put(path, of.contentOf({ Name: "a" }))).toMatchObject({ status: 404, text: texts.replace });
    });

    test("that no ID names is refused", async () => {
      for (const send of [v1.get, v1.delete]) {
        expect(await send(`${of.path}/`)).toMatchObject({ status: 400, text: texts.noId });
      }
    });

    test("has no other method than it says", async () => {
      for (const [path, allowed] of [
        [of.path, ["OPTIONS", "PUT"]],
        [there.path, ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "PUT"]],
        [of.list, ["GET", "HEAD", "OPTIONS"]],
      ] as const) {
        const answer = await v1.post(path);
        expect(answer).toMatchObject({ status: 405, text: "method POST not allowed" });
        expect(String(answer.headers["allow"]).split(",").toSorted()).toEqual(allowed);
      }
    });

    test("is refused to a token that is unknown before its body is looked at", async () => {
      for (const path of [of.path, there.path]) {
        expect(await v1.put(path, "{", NOBODY)).toMatchObject({ status: 403, text: "ACL not found" });
      }
    });
  });

  test.each(WITHOUT_HASH)("one $kind has no Hash", async ({ path, texts }) => {
    const text = `${texts.decoding}json: unknown field "Hash"`;
    expect(await v1.put(path, { Hash: null })).toMatchObject({ status: 400, text });
  });

  describe.each(SCOPED_KINDS.filter(({ malformed }) => malformed !== undefined))("one $kind", ({ path, malformed }) => {
    test.each(MALFORMED)("is not named by what is no UUID: %s", async (_what, id, text) => {
      const { read, write, delete: removed } = malformed ?? expect.fail();
      expect(await v1.get(`${path}/${id}`)).toMatchObject({ status: 404, text: startingWith(read + text) });
      for (const change of [v1.put, v1.patch]) {
        expect(await change(`${path}/${id}`)).toMatchObject({ status: 404, text: write });
      }
      expect(await v1.delete(`${path}/${id}`)).toMatchObject({
        status: 404,
        text: removed ?? startingWith(read + text),
      });
    });
  });

  test.each(["policy", "role"])(
    "one %s is missing by a name that none has, and refused without a name",
    async (kind) => {
      const text = `Requested ${kind} does not exist: ACL not found`;
      for (const name of ["nobody", "__proto__"]) {
        expect(await v1.get(`/acl/${kind}/name/${name}`)).toMatchObject({ status: 404, text });
      }
      expect(await v1.get(`/acl/${kind}/name/`)).toMatchObject({ status: 400, text: `Missing ${kind} Name` });
    },
  );

  test.each([
    ["policy", "Requested policy not found in namespace team: ACL not found"],
    ["role", "Requested role not found in namespace team: ACL not found"],
    ["token", "token does not exist: ACL not found"],
    ["auth-method", "Requested auth method not found in namespace team: ACL not found"],
    ["binding-rule", "Requested binding rule not found in namespace team: ACL not found"],
  ])("one %s that is not there is missing in the words of its namespace", async (kind, text) => {
    expect(await v1.get(`/acl/${kind}/${NOBODY}?ns=team`)).toMatchObject({ status: 404, text });
  });
});
