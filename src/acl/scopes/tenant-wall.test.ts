import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import {
  allRows,
  at,
  idOf,
  loginIn,
  makeIn,
  makeNamespace,
  makePartition,
  secretIn,
  type Kind,
  type Place,
} from "../../../test/support/scopes.ts";
import { FOREIGN, HOME, LINKS, OPERATIONS, type Operation } from "../../../test/support/tenant-operations.ts";
import { MANAGEMENT, NOBODY, RESERVED, told, useV1 } from "../../../test/support/v1.ts";

/** Ways to name a place in a request; writes know the body too. */
const NAMED_BY = ["query", "header", "Consul's parameters", "body"] as const;
type NamedBy = (typeof NAMED_BY)[number];
/** Undefined for a request that names none. */
type Ways = readonly ({ by: NamedBy; place: Place } | undefined)[];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let tenant = "";
  const own: Record<string, string> = {};
  const foreign = new Map<Place, Record<string, string>>();
  const unknown: Record<string, string> = Object.fromEntries([
    ...["policy", "role", "token", "rule", "login"].map((word) => [word, NOBODY]),
    ["name", "nobody"],
  ]);

  beforeAll(async () => {
    await makePartition(v1, "p");
    for (const place of [HOME, { namespace: "b" }, { namespace: "a", partition: "p" }]) await makeNamespace(v1, place);
    for (const [, place] of FOREIGN) {
      const Policies = [{ ID: await makePrey("policy", place, { Rules: `acl = "write"` }) }];
      const role = await makePrey("role", place, { Policies });
      const token = await makePrey("token", place, { Policies, Roles: [{ ID: role }] });
      await makePrey("auth-method", place, {});
      const rule = await makePrey("binding-rule", place, { AuthMethod: "foreign" });
      const bound = idOf(await loginIn(v1, place, {}, "foreign"));
      foreign.set(place, { policy: Policies[0]?.ID ?? "", role, token, rule, login: bound, name: "foreign" });
    }
    own["own role"] = idOf(await makeIn(v1, HOME, "role", { Name: "own" }));
    own["own token"] = idOf(await makeIn(v1, HOME, "token", {}));
    const Policies = [{ Name: "namespace-management" }];
    tenant = (await makeIn(v1, HOME, "token", { Policies })).SecretID;
  });

  async function makePrey(kind: Kind, place: Place, content: object): Promise<string> {
    return idOf(await makeIn(v1, place, kind, { Name: "foreign", Description: "foreign", ...content }));
  }

  function fill(text: string, words: Record<string, string>): string {
    return text.replaceAll(/\{([A-Z]+|[a-z ]+)\}/g, (all, word: string) => {
      const value = { ...own, ...words }[word.toLowerCase()] ?? all;
      return /[A-Z]/.test(word) ? value.toUpperCase() : value;
    });
  }

  /** Asks for an operation on what the words say, in the place that the request names. */
  function ask(
    [, method, path, body]: Operation,
    words: Record<string, string>,
    secret: string,
    named?: Ways[number],
  ): Promise<Answer> {
    const { namespace = "default", partition = "default" } = named?.place ?? {};
    const by = named?.by;
    const url = fill(`/v1/acl/${path}`, words);
    const sign = url.includes("?") ? "&" : "?";
    const parameters: Partial<Record<NamedBy, string>> = {
      query: `${sign}ns=${namespace}&partition=${partition}`,
      "Consul's parameters": `${sign}namespace=${namespace}&ap=${partition}`,
    };
    const scope = { "x-service-namespace": namespace, "x-consul-partition": partition };
    const headers = { "x-service-token": secret, ...(by === "header" ? scope : {}) };
    const content = { ...body, ...(by === "body" ? { Namespace: namespace, Partition: partition } : {}) };
    const payload = body === undefined ? {} : { payload: fill(JSON.stringify(content), words) };
    return v1.send({ method, url: url + ((by && parameters[by]) ?? ""), headers, ...payload });
  }

  /** Content of an answer, with placeholders for the words of the request. */
  function plain(answer: Answer, words: Record<string, string>) {
    const { status, text, headers } = told(answer);
    // Names differ in length, IDs do not.
    const { "content-length": _length, ...rest } = headers;
    const put = ([word, value]: [string, string]) => [word, value, value.toUpperCase()] as const;
    const said = Object.entries(words)
      .map(put)
      .reduce((all, [word, value]) => all.replaceAll(new RegExp(`"?\\b${value}\\b"?`, "gi"), `{${word}}`), text);
    return { status, text: said.replaceAll(/\{(policy|role|token|rule|login)\}/g, "{id}"), headers: rest };
  }

  /** Expects the same answer for what lies elsewhere as for what is nowhere, and nothing done. */
  async function expectMissing(operation: Operation, place: Place, secret: string, ways: Ways, status: number) {
    const before = await allRows(v1);
    const words = foreign.get(place) ?? {};
    for (const named of ways) {
      const missing = await ask(operation, unknown, secret, named);
      const answer = await ask(operation, words, secret, named);
      expect(answer.status, answer.text).toBe(status);
      expect(plain(answer, words)).toEqual(plain(missing, unknown));
    }
    expect(await allRows(v1)).toEqual(before);
  }

  const waysOf = ([, , , body]: Operation, place: Place): Ways =>
    NAMED_BY.filter((by) => by !== "body" || body !== undefined).map((by) => ({ by, place }));
  /** A list is never missing; it is empty. */
  const statusOf = ([, , path]: Operation) => (path.includes("s?") ? 200 : 404);
  const titled = (list: readonly Operation[]) => list.map((operation) => [operation[0], operation] as const);

  describe.each(FOREIGN)("incidents 11, 12, 30: what lies in %s", (_what, place, where) => {
    test.each(titled(OPERATIONS))("is to a tenant as if it were not there: %s", async (_title, operation) => {
      const ways = [undefined, ...waysOf(operation, HOME)];
      await expectMissing(operation, place, tenant, ways, statusOf(operation));
    });

    test.each(titled(OPERATIONS))("is so to a management token elsewhere: %s", async (_title, operation) => {
      await expectMissing(operation, place, MANAGEMENT, waysOf(operation, HOME), statusOf(operation));
    });

    test.each(titled([...OPERATIONS, ...LINKS]))(
      "is refused to a tenant that names the place, whether it exists or not: %s",
      async (_title, operation) => {
        const before = await allRows(v1);
        for (const named of waysOf(operation, place)) {
          const missing = await ask(operation, unknown, tenant, named);
          const answer = await ask(operation, foreign.get(place) ?? {}, tenant, named);
          expect(answer.status).toBe(403);
          expect(answer.text).toMatch(
            new RegExp(`^Permission denied: .* lacks permission 'acl:(read|write)'${where}$`),
          );
          expect(told(answer)).toEqual(told(missing));
        }
        expect(await allRows(v1)).toEqual(before);
      },
    );

    test.each(titled(LINKS))("incident 34: is linked to as little as what is not there: %s", async (_t, operation) => {
      const ways = waysOf(operation, HOME);
      await expectMissing(operation, place, tenant, [undefined, ...ways], 400);
      await expectMissing(operation, place, MANAGEMENT, ways, 400);
      const { text } = await ask(operation, foreign.get(place) ?? {}, tenant);
      expect(text).toMatch(
        /^(No such ACL (policy|role) with|Failed to apply role upsert request: No such|cannot find auth method)/,
      );
    });
  });

  test("an object is found where it lies, by whoever may: the cases above are not missing for another reason", async () => {
    for (const [, place] of FOREIGN) {
      for (const operation of OPERATIONS.filter(([, method]) => method === "GET")) {
        const answer = await ask(operation, foreign.get(place) ?? {}, MANAGEMENT, { by: "query", place });
        expect([operation[0], answer.status]).toEqual([operation[0], 200]);
        expect(answer.text).toContain("foreign");
      }
      const writer = await secretIn(v1, place, `acl = "write"`);
      for (const operation of OPERATIONS.filter(([, method]) => method === "PATCH")) {
        const words = foreign.get(place) ?? {};
        const [what, method, path] = operation;
        expect((await ask([what, method, path, {}], words, writer)).status, what).toBe(200);
      }
    }
  });

  test("incident 34: defaults of a namespace are linked from the default namespace of its own partition alone", async () => {
    const refused: readonly [place: Place, from: Place][] = [
      [HOME, HOME],
      [HOME, { namespace: "b" }],
      [HOME, { partition: "p" }],
      [HOME, { namespace: "a", partition: "p" }],
      [{ namespace: "a", partition: "p" }, {}],
      [{ namespace: "a", partition: "p" }, { namespace: "a" }],
      [
        { namespace: "a", partition: "p" },
        { namespace: "a", partition: "p" },
      ],
    ];
    for (const [place, from] of refused) {
      const name = v1.unique("only-there");
      const policy = idOf(await makeIn(v1, from, "policy", { Name: name }));
      const role = idOf(await makeIn(v1, from, "role", { Name: name }));
      const path = at(`/namespace/${place.namespace}`, { partition: place.partition ?? "default" });
      const before = await allRows(v1);
      for (const [list, id, what] of [
        ["PolicyDefaults", policy, "policy"],
        ["RoleDefaults", role, "role"],
      ] as const) {
        for (const write of ["put", "patch"] as const) {
          expect(await v1[write](path, { ACLs: { [list]: [{ ID: id }] } })).toMatchObject({
            status: 400,
            text: `No such ACL ${what} with ID "${id}"`,
          });
          expect(await v1[write](path, { ACLs: { [list]: [{ Name: name }] } })).toMatchObject({
            status: 400,
            text: `No such ACL ${what} with name "${name}"`,
          });
        }
      }
      expect(await allRows(v1)).toEqual(before);
    }
  });

  test("what every server has in its namespace default is missing in others too", async () => {
    const before = await allRows(v1);
    const anonymous = `${RESERVED}02`;
    for (const secret of [tenant, MANAGEMENT]) {
      for (const path of [
        `policy/${RESERVED}01`,
        `policy/${RESERVED}02`,
        "policy/name/global-management",
        "policy/name/builtin%2Fglobal-read-only",
        `token/${anonymous}`,
      ]) {
        expect([path, (await v1.get(`/acl/${path}?ns=a`, secret)).status]).toEqual([path, 404]);
      }
      for (const path of [`policy/${RESERVED}01`, `policy/${RESERVED}02`, `token/${anonymous}`]) {
        expect([path, (await v1.patch(`/acl/${path}?ns=a`, {}, secret)).status]).toEqual([path, 404]);
      }
      for (const path of [`policy/${RESERVED}01`, `policy/${RESERVED}02`]) {
        expect([path, (await v1.delete(`/acl/${path}?ns=a`, secret)).status]).toEqual([path, 404]);
      }
      for (const link of [{ Name: "global-management" }, { ID: `${RESERVED}01` }]) {
        expect((await v1.put("/acl/token?ns=a", { Policies: [link] }, secret)).text).toMatch(/^No such ACL policy/);
      }
    }
    expect(await allRows(v1)).toEqual(before);
  });

  test("a token that may not be deleted where it lies is missing in other namespaces", async () => {
    const before = await allRows(v1);
    const { AccessorID } = (await v1.get("/acl/token/self")).body;
    for (const accessor of [`${RESERVED}02`, AccessorID]) {
      const answer = await v1.delete(`/acl/token/${accessor}?ns=a`);
      expect(answer).toMatchObject({ status: 404, text: "Cannot find token to delete" });
    }
    expect(await allRows(v1)).toEqual(before);
  });
});
