import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod, makeRule } from "../../../test/support/login.ts";
import { makeNamespace, makePartition, secretIn } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

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

/** Rules of tokens in the namespace `default`, and where they may read by them. */
const CALLERS: readonly [what: string, rules: string, readable: string[]][] = [
  ["all", `acl = "read" namespace_prefix "" { acl = "read" }`, NAMESPACES],
  ["nothing", `key_prefix "" { policy = "write" }`, []],
  ["its own", `acl = "write"`, ["default"]],
  ["one", `namespace "b" { acl = "read" }`, ["b"]],
  [
    "incident 19: all but a denied one",
    `namespace_prefix "" { acl = "write" } namespace "a" { acl = "deny" }`,
    ["b", "default"],
  ],
  ["all of another partition", `partition "p" { namespace_prefix "" { acl = "read" } }`, []],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const secrets = new Map<string, string>([["management", MANAGEMENT]]);

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
    for (const [what, rules] of CALLERS) secrets.set(what, await secretIn(v1, {}, rules));
    secrets.set("a tenant", await secretIn(v1, { namespace: "b" }, `acl = "write"`));
  });

  const list = async (query = "", token = MANAGEMENT) => {
    const answer = await v1.get(`/acl/binding-rules${query}`, token);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Rule[];
  };
  const ids = (rules: readonly Rule[]) => rules.map(({ ID }) => ID);
  const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => (a < b ? -1 : 1));

  test("a list is in order of IDs, and shows each rule as it is read alone", async () => {
    const rules = await list();
    expect(rules).toHaveLength(6);
    expect(ids(rules)).toEqual(sorted(ids(rules)));
    for (const rule of rules) expect((await v1.get(`/acl/binding-rule/${rule.ID}`)).body).toEqual(rule);
  });

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

  describe.each(["", "?authmethod=ci", "?search=needle", "?authmethod=ci&search=needle"])(
    "incident 18: the list of every namespace, with %j",
    (query) => {
      test.each(["management", "a tenant", ...CALLERS.map(([what]) => what)])(
        "shows who may read %s what it sees in each, and says when there are others",
        async (who) => {
          const secret = secrets.get(who) ?? "";
          const shown: Rule[] = [];
          let isHidden = false;
          for (const ns of NAMESPACES) {
            const single = await v1.get(`/acl/binding-rules${query || "?"}&ns=${ns}`, secret);
            expect([200, 403]).toContain(single.status);
            expect(single.headers).not.toHaveProperty("x-consul-results-filtered-by-acls");
            if (single.status === 200) shown.push(...(single.body as Rule[]));
            else isHidden = true;
          }
          const path = `/acl/binding-rules${query || "?"}&ns=*`;
          const whole = await v1.get(path, secret);
          expect(whole.body).toEqual(shown);
          const expected = isHidden ? "true" : undefined;
          for (const size of [1, 2, 1000]) {
            const pages: Rule[][] = [];
            for (let after = ""; ;) {
              const page = await v1.get(`${path}&page-size=${size}${after && `&after=${after}`}`, secret);
              expect(page.status, page.text).toBe(200);
              pages.push(page.body);
              for (const { headers } of [whole, page]) {
                expect(headers["x-consul-results-filtered-by-acls"]).toBe(expected);
                expect(headers["x-service-results-filtered-by-acls"]).toBe(expected);
              }
              const next = page.headers["x-service-next"] as string | undefined;
              expect(page.headers["x-consul-next"]).toBe(next);
              if (next === undefined) break;
              after = next;
            }
            expect(pages.flat()).toEqual(shown);
            expect(pages).toHaveLength(Math.max(1, Math.ceil(shown.length / size)));
          }
        },
      );
    },
  );

  test.each(CALLERS)("who may read %s sees the namespaces that its policy says", async (what, _rules, readable) => {
    const seen = (await list("?ns=*", secrets.get(what))).map(({ Namespace }) => Namespace);
    expect([...new Set(seen)]).toEqual(readable);
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

  test("every namespace is of one partition", async () => {
    expect(new Set((await list("?ns=*&partition=p")).map(({ Partition }) => Partition))).toEqual(new Set(["p"]));
    expect(new Set((await list("?ns=*")).map(({ Partition }) => Partition))).toEqual(new Set(["default"]));
    expect(await list("?ns=*&partition=nowhere")).toEqual([]);
  });

  test("no other request is of every namespace", async () => {
    const text = `Namespace "*" is not a name; lists alone can be of all namespaces`;
    const [id = ""] = ids(await list());
    for (const answer of [
      await v1.get(`/acl/binding-rule/${id}?ns=*`),
      await v1.put("/acl/binding-rule?ns=*", { AuthMethod: "ci", BindType: "service", BindName: "web" }),
      await v1.put("/acl/binding-rule", { AuthMethod: "ci", BindType: "service", BindName: "web", Namespace: "*" }),
      await v1.patch(`/acl/binding-rule/${id}?ns=*`, {}),
      await v1.delete(`/acl/binding-rule/${id}?ns=*`),
    ]) {
      expect(answer).toMatchObject({ status: 400, text });
    }
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

  test("incident 25: a cursor that was changed gives 400 or a page of the list", async () => {
    for (const path of ["/acl/binding-rules?page-size=1", "/acl/binding-rules?page-size=1&ns=*"]) {
      const cursor = String((await v1.get(path)).headers["x-service-next"]);
      const encoded = (text: string) => Buffer.from(text).toString("base64url");
      for (const bad of ["x", "%00", `${cursor}=`, `${cursor}.`, encoded("' or 1=1 --"), encoded("A"), encoded("é")]) {
        const answer = await v1.get(`${path}&after=${bad}`);
        expect({ bad, status: answer.status }).toEqual({ bad, status: 400 });
      }
      const all = new Set(ids(await list("?ns=*")));
      for (const at of cursor.split("").keys()) {
        const after = `${cursor.slice(0, at)}A${cursor.slice(at + 1)}`;
        const { status, body } = await v1.get(`${path}&after=${after}`);
        if (status === 200) for (const { ID } of body as Rule[]) expect(all).toContain(ID);
        else expect(status).toBe(400);
      }
    }
    const next = String((await v1.get("/acl/binding-rules?page-size=1&ns=*")).headers["x-service-next"]);
    for (const size of ["0", "-1", "x", "1.5", ""]) {
      expect((await v1.get(`/acl/binding-rules?page-size=${size}`)).status, size).toBe(400);
    }
    expect((await v1.get(`/acl/binding-rules?after=${next}`)).status).toBe(400);
    // A cursor gives no rights, and filters are those of the request.
    const path = `/acl/binding-rules?ns=*&page-size=100&after=${next}`;
    const nobody = await v1.get(path, secrets.get("nothing"));
    expect(nobody).toMatchObject({ status: 200, text: "[]" });
  });

  test("filter expressions are ignored, and pretty is taken", async () => {
    const plain = await v1.get("/acl/binding-rules");
    expect((await v1.get("/acl/binding-rules?filter=nonsense+%28")).text).toBe(plain.text);
    expect((await v1.get("/acl/binding-rules?pretty")).text).toBe(`${JSON.stringify(plain.body, null, 4)}\n`);
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
