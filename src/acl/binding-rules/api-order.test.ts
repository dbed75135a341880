import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod, makeRule } from "../../../test/support/login.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";
import { sealConfig } from "../auth-methods/config.ts";

const key = createSigningKey("k1");

/** A request to write a rule, of which parts can be made wrong. */
interface Asked {
  query: string;
  by: "writer" | "reader";
  rule: "new" | "stored" | "of a broken method" | "x" | typeof NOBODY;
  body: Record<string, unknown>;
}

/** One of the checks, in the order in which they are made: what makes it fail, and what is answered then. */
interface Check {
  what: string;
  on: readonly ("create" | "update")[];
  breaks(asked: Asked): Asked;
  status: number;
  text: RegExp;
}

const both = ["create", "update"] as const;
const body = (asked: Asked, members: object): Asked => ({ ...asked, body: { ...asked.body, ...members } });

const CHECKS: readonly Check[] = [
  {
    what: "parameters",
    on: both,
    breaks: (asked) => ({ ...asked, query: `${asked.query}&dc=nowhere` }),
    status: 400,
    text: /^No path to datacenter$/,
  },
  {
    what: "the body decodes",
    on: both,
    breaks: (asked) => body(asked, { bind_name: "x" }),
    status: 400,
    text: /^BindingRule decoding failed: json: unknown field "bind_name"$/,
  },
  {
    what: "IDs agree",
    on: both,
    breaks: (asked) => body(asked, { ID: "0f0f0f0f-2222-4333-8444-555555555555" }),
    status: 400,
    text: /^BindingRule ID in URL and payload do not match$/,
  },
  {
    what: "rights",
    on: both,
    breaks: (asked) => ({ ...asked, by: "reader" }),
    status: 403,
    text: /^Permission denied: token with AccessorID '.{36}' lacks permission 'acl:write'( in namespace "nowhere")?$/,
  },
  {
    what: "the ID is a UUID",
    on: ["update"],
    breaks: (asked) => ({ ...asked, rule: "x" }),
    status: 404,
    text: /^Binding Rule ID invalid UUID$/,
  },
  {
    what: "the rule exists",
    on: ["update"],
    breaks: (asked) => ({ ...asked, rule: NOBODY }),
    status: 404,
    text: /^cannot find binding rule 11111111-2222-4333-8444-555555555555$/,
  },
  {
    what: "the method is its own",
    on: ["update"],
    breaks: (asked) => body(asked, { AuthMethod: "other" }),
    status: 400,
    text: /^the AuthMethod field of an Binding Rule is immutable$/,
  },
  {
    what: "a method is named",
    on: ["create"],
    breaks: (asked) => body(asked, { AuthMethod: "" }),
    status: 400,
    text: /^Invalid Binding Rule: no AuthMethod is set$/,
  },
  {
    what: "the method exists",
    on: ["create"],
    breaks: (asked) => body(asked, { AuthMethod: "nobody" }),
    status: 400,
    text: /^cannot find auth method with name "nobody"$/,
  },
  {
    what: "the method can be used",
    on: both,
    breaks: (asked) => ({
      ...body(asked, { AuthMethod: "broken" }),
      rule: asked.rule === "new" ? "new" : "of a broken method",
    }),
    status: 400,
    text: /^auth method validator for "broken" could not be initialized: ./,
  },
  {
    what: "the selector",
    on: both,
    breaks: (asked) => body(asked, { Selector: "value" }),
    status: 400,
    text: /^invalid Binding Rule: Selector is invalid: ./,
  },
  {
    what: "a type",
    on: both,
    breaks: (asked) => body(asked, { BindType: "" }),
    status: 400,
    text: /^Invalid Binding Rule: no BindType is set$/,
  },
  {
    what: "a name",
    on: both,
    breaks: (asked) => body(asked, { BindName: "" }),
    status: 400,
    text: /^Invalid Binding Rule: no BindName is set$/,
  },
  {
    what: "variables",
    on: both,
    breaks: (asked) => body(asked, { BindVars: {} }),
    status: 400,
    text: /^invalid Binding Rule: BindVars cannot be set when bind type is not templated-policy\.$/,
  },
  {
    what: "the type and the template",
    on: both,
    breaks: (asked) => body(asked, { BindType: "foobar", BindName: "${nope}" }),
    status: 400,
    text: /^Invalid Binding Rule: invalid BindName or BindVars: invalid Binding Rule: unknown BindType "foobar"$/,
  },
];

/** Comes right behind rights, for who may write everywhere. */
const NAMESPACE: Check = {
  what: "the namespace exists",
  on: both,
  breaks: (asked) => ({ ...asked, query: `${asked.query}&ns=nowhere` }),
  status: 400,
  text: /^Namespace "nowhere" does not exist$/,
};

const afterRights = CHECKS.findIndex(({ what }) => what === "rights") + 1;
const ORDER = CHECKS.toSpliced(afterRights, 0, NAMESPACE);
const CASES = both.flatMap((kind) => {
  const checks = ORDER.filter(({ on }) => on.includes(kind));
  return checks.map((check, i) => ({ kind, check, what: check.what, later: checks.slice(i + 1) }));
});

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const ids = new Map<string, string>();
  const secrets = new Map<string, string>();

  beforeAll(async () => {
    for (const Name of ["good", "other", "broken"]) await makeMethod(v1, key, { Name });
    ids.set("stored", await makeRule(v1, { AuthMethod: "good" }));
    ids.set("of a broken method", await makeRule(v1, { AuthMethod: "broken" }));
    const method = await v1.db.sql
      .selectFrom("auth_methods")
      .selectAll()
      .where("name", "=", "broken")
      .executeTakeFirstOrThrow();
    // As another version may have stored it.
    const sealed = await sealConfig(v1.db, method.id, { JWTValidationPubKeys: ["no key"] });
    await v1.write((sql) =>
      sql
        .updateTable("auth_methods")
        .set({ config_sealed: sealed, modify_index: method.modify_index + 1 })
        .where("id", "=", method.id),
    );
    secrets.set("writer", await v1.tokenWith(`acl = "write" namespace_prefix "" { acl = "write" }`));
    secrets.set("reader", await v1.tokenWith(`acl = "read" namespace_prefix "" { acl = "read" }`));
  });

  function send({ query, by, rule, body: content }: Asked) {
    const path = rule === "new" ? "" : `/${ids.get(rule) ?? rule}`;
    return v1.put(`/acl/binding-rule${path}?${query}`, content, secrets.get(by));
  }

  function goodOne(kind: "create" | "update"): Asked {
    const content = { AuthMethod: "good", Selector: "value.team == a", BindType: "service", BindName: "web" };
    return { query: "near=y", by: "writer", rule: kind === "create" ? "new" : "stored", body: content };
  }

  test.each(both)("a good %s goes through", async (kind) => {
    expect(await send(goodOne(kind))).toMatchObject({ status: 200 });
  });

  describe("what is wrong in several ways is refused for the first of them", () => {
    test.each(CASES)("$kind: $what", async ({ kind, check, later }) => {
      const count = async () => (await v1.get("/acl/binding-rules")).body.length as number;
      const before = await count();
      const expected = { status: check.status, text: expect.stringMatching(check.text) };
      expect(await send(check.breaks(goodOne(kind)))).toMatchObject(expected);
      for (const other of later) {
        const answer = await send(check.breaks(other.breaks(goodOne(kind))));
        expect({ and: other.what, ...answer }).toMatchObject({ and: other.what, ...expected });
      }
      const all = later.reduceRight((asked, other) => other.breaks(asked), goodOne(kind));
      expect(await send(check.breaks(all))).toMatchObject(expected);
      expect(await count()).toBe(before);
    });
  });
});
