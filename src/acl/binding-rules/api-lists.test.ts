import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod, makeRule } from "../../../test/support/login.ts";
import { makeNamespace, makePartition, secretIn } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");

interface Rule {
  ID: string;
  AuthMethod: string;
  Description: string;
  Namespace: string;
  Partition: string;
}

/** Methods by their places; the same name in several. */
const METHODS: readonly [name: string, query: string][] = [
  ["Ci", ""],
  ["ci-2", ""],
  ["empty", ""],
  ["Ci", "?ns=a"],
  ["ci-2", "?ns=a"],
  ["Ci", "?ns=b"],
  ["Ci", "?partition=p"],
  ["Ci", "?ns=a&partition=p"],
];
const NAMESPACES = ["a", "b", "default"];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  beforeAll(async () => {
    await makePartition(v1, "p");
    for (const place of [{ namespace: "a" }, { namespace: "b" }, { namespace: "a", partition: "p" }]) {
      await makeNamespace(v1, place);
    }
    for (const [Name, query] of METHODS) {
      await makeMethod(v1, key, { Name }, query);
      if (Name === "empty") continue;
      for (const Description of ["Needle Ü", "haystack", "x%_y"]) {
        await makeRule(v1, { AuthMethod: Name.toUpperCase(), Description: `${Description} ${Name}` }, query);
      }
    }
    await makeRule(
      v1,
      { AuthMethod: "ci", BindName: "bound-needle", Selector: 'value.team == "Hidden-Needle"' },
      "?ns=b",
    );
  });

  const list = async (query = "") => {
    const answer = await v1.get(`/acl/binding-rules${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Rule[];
  };
  const ids = (rules: readonly Rule[]) => rules.map(({ ID }) => ID);
  const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => (a < b ? -1 : 1));

  describe("the rules of one method", () => {
    test.each(["ci-2", "CI-2", "Ci-2"])("are found in any case of its name: %s", async (name) => {
      const rules = await list(`?authmethod=${name}`);
      expect(rules).toEqual((await list()).filter(({ AuthMethod }) => AuthMethod.toLowerCase() === "ci-2"));
      expect(rules).toHaveLength(3);
    });

    test.each(["nobody", "empty", "ci-", "%", "ci_2", "'", "c\u{456}", "CI-2 ", "a/ci"])(
      "are none of what has none: %s",
      async (name) => {
        expect((await v1.get(`/acl/binding-rules?authmethod=${encodeURIComponent(name)}`)).text).toBe("[]");
        expect((await v1.get(`/acl/binding-rules?ns=*&authmethod=${encodeURIComponent(name)}`)).text).toBe("[]");
      },
    );

    test("are those of the namespace alone, and of every namespace where that is asked for", async () => {
      for (const ns of ["a", "b", "default"]) {
        const rules = await list(`?authmethod=ci&ns=${ns}`);
        expect(new Set(rules.map(({ Namespace }) => Namespace))).toEqual(new Set([ns]));
        expect(rules).toEqual((await list(`?ns=${ns}`)).filter(({ AuthMethod }) => AuthMethod.toLowerCase() === "ci"));
      }
      const every = await list("?authmethod=ci&ns=*");
      expect(every).toEqual((await list("?ns=*")).filter(({ AuthMethod }) => AuthMethod.toLowerCase() === "ci"));
      expect(new Set(every.map(({ Namespace }) => Namespace))).toEqual(new Set(NAMESPACES));
      expect(every).toHaveLength(10);
      expect(await list("?authmethod=ci-2&ns=b")).toEqual([]);
    });

    test("are all where the name is empty", async () => {
      expect(await list("?authmethod=")).toEqual(await list());
    });

    test("are not those of a method that had the name before", async () => {
      await makeMethod(v1, key, { Name: "former" });
      await makeRule(v1, { AuthMethod: "former" });
      await v1.delete("/acl/auth-method/former");
      await makeMethod(v1, key, { Name: "FORMER" });
      expect(await list("?authmethod=former")).toEqual([]);
      const id = await makeRule(v1, { AuthMethod: "former" });
      expect(ids(await list("?authmethod=former"))).toEqual([id]);
      await v1.delete("/acl/auth-method/former");
    });
  });

  test("rules that are gone with their method are hidden from nobody", async () => {
    await makePartition(v1, "q");
    for (const namespace of ["seen", "unseen"]) await makeNamespace(v1, { namespace, partition: "q" });
    const secret = await secretIn(v1, { partition: "q" }, `namespace "seen" { acl = "read" }`);
    const isFiltered = async () => {
      const { text, headers } = await v1.get("/acl/binding-rules?ns=*&partition=q", secret);
      return [text, headers["x-consul-results-filtered-by-acls"]];
    };
    await makeMethod(v1, key, { Name: "gone" }, "?ns=unseen&partition=q");
    expect(await isFiltered()).toEqual(["[]", undefined]);
    await makeRule(v1, { AuthMethod: "gone" }, "?ns=unseen&partition=q");
    expect(await isFiltered()).toEqual(["[]", "true"]);
    await v1.delete("/acl/auth-method/gone?ns=unseen&partition=q");
    expect(await isFiltered()).toEqual(["[]", undefined]);
  });

  describe("a search", () => {
    test("finds descriptions, names, selectors and IDs in any case, and nothing by signs", async () => {
      const rules = await list("?ns=b");
      const bound = rules.filter(({ Description }) => Description === "");
      const needles = rules.filter(({ Description }) => Description.startsWith("Needle"));
      const found = (text: string) => list(`?ns=b&search=${encodeURIComponent(text)}`);
      expect(ids(await found("NEEDLE"))).toEqual(sorted([...ids(bound), ...ids(needles)]));
      expect(await found("bound-N")).toEqual(bound);
      expect(await found("hidden-n")).toEqual(bound);
      expect(await found(bound[0]?.ID.slice(0, 30).toUpperCase() ?? "")).toEqual(bound);
      expect(ids(await found("x%_Y"))).toHaveLength(1);
      for (const text of ["n_edle", "nee%", "\\", "*", "nobody"]) expect(await found(text)).toEqual([]);
    });

    test("folds only the letters of ASCII, on every engine", async () => {
      const found = async (text: string) => (await list(`?search=${encodeURIComponent(text)}`)).length;
      expect([await found("needle Ü"), await found("needle ü")]).toEqual([2, 0]);
    });
  });

  test("20,000 rules come whole, in order, each once, and in pages of a thousand at most", async () => {
    const { db } = v1;
    await makeMethod(v1, key, { Name: "large" });
    await makeRule(v1, { AuthMethod: "large", Selector: "value.team == a" });
    const row = await db.sql
      .selectFrom("binding_rules")
      .selectAll()
      .where("auth_method", "=", "large")
      .executeTakeFirstOrThrow();
    await v1.insert(
      "binding_rules",
      Array.from({ length: 20_000 }, () => ({ ...row, id: crypto.randomUUID() })),
    );
    for (const query of ["?authmethod=LARGE", "?authmethod=large&ns=*"]) {
      const answer = await v1.get(`/acl/binding-rules${query}`);
      // Its length was not known when it began.
      expect(answer.headers).not.toHaveProperty("content-length");
      const all = ids(answer.body);
      expect(all).toHaveLength(20_001);
      expect(all).toEqual(sorted([...new Set(all)]));
    }
    expect(await list("?page-size=100000&authmethod=large")).toHaveLength(1000);
    await v1.delete("/acl/auth-method/large");
    expect(await list("?authmethod=large")).toEqual([]);
    expect(await list("?ns=*")).toHaveLength(16);
  });
});
