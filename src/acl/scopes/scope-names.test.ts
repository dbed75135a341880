import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import {
  allRows,
  at,
  contentOf,
  idOf,
  KINDS,
  LISTS,
  makeIn,
  makeMethodIn,
  makeNamespace,
  makePartition,
} from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";

interface Case {
  query?: string;
  headers?: Record<string, string>;
  /** Body, for operations that read one. */
  body?: object;
}

/** Ways to specify `one` or `two`, with their result. Default: `default`. */
const NAMESPACES: readonly [what: string, said: Case, meant: string][] = [
  ["the parameter ns", { query: "ns=one" }, "one"],
  ["the parameter namespace", { query: "namespace=one" }, "one"],
  ["the service's header", { headers: { "X-Service-Namespace": "one" } }, "one"],
  ["Consul's header", { headers: { "X-Consul-Namespace": "one" } }, "one"],
  ["both headers", { headers: { "X-Consul-Namespace": "one", "X-Service-Namespace": "two" } }, "two"],
  ["both headers, one empty", { headers: { "X-Consul-Namespace": "one", "X-Service-Namespace": "" } }, "one"],
  ["the other parameter and a header", { query: "namespace=two", headers: { "X-Service-Namespace": "one" } }, "two"],
  ["a parameter in upper case", { query: "ns=TWO" }, "two"],
  ["a header in mixed case", { headers: { "X-Consul-Namespace": "tWo" } }, "two"],
  ["incident 10: escapes", { query: "ns=%54%77o" }, "two"],
  ["a parameter twice", { query: "ns=two&ns=one" }, "two"],
  ["an empty parameter", { query: "ns=", headers: { "X-Consul-Namespace": "one" } }, "one"],
  ["a parameter without a value", { query: "ns&namespace=one" }, "one"],
  ["an empty header", { headers: { "X-Consul-Namespace": "" } }, "default"],
  ["the name default in upper case", { query: "ns=DEFAULT", headers: { "X-Consul-Namespace": "one" } }, "default"],
];
const PARTITIONS: typeof NAMESPACES = [
  ["the parameter partition", { query: "partition=one" }, "one"],
  ["the parameter ap", { query: "ap=one" }, "one"],
  ["the service's header", { headers: { "X-Service-Partition": "one" } }, "one"],
  ["Consul's header", { headers: { "X-Consul-Partition": "one" } }, "one"],
  ["both headers", { headers: { "X-Consul-Partition": "one", "X-Service-Partition": "two" } }, "two"],
  ["both headers, one empty", { headers: { "X-Consul-Partition": "one", "X-Service-Partition": "" } }, "one"],
  ["the other parameter and a header", { query: "ap=two", headers: { "X-Consul-Partition": "one" } }, "two"],
  ["upper case", { query: "partition=TWO" }, "two"],
  ["a header in mixed case", { headers: { "X-Consul-Partition": "tWo" } }, "two"],
  ["a parameter twice", { query: "partition=two&partition=one" }, "two"],
  ["an empty parameter", { query: "partition=", headers: { "X-Consul-Partition": "one" } }, "one"],
  ["an empty header", { headers: { "X-Service-Partition": "" } }, "default"],
];
/** The same for bodies, which are asked with the query naming `two`. */
const bodies = (member: string): readonly [what: string, body: object, meant: string][] => [
  ["a body", { [member]: "one" }, "one"],
  ["a body in upper case", { [member]: "ONE" }, "one"],
  ["a body that spells the member in lower case", { [member.toLowerCase()]: "one" }, "one"],
  ["a body that spells the member in upper case", { [member.toUpperCase()]: "one" }, "one"],
  ["an empty member of a body", { [member]: "" }, "two"],
  ["a member of a body that is null", { [member]: null }, "two"],
  ["a body that names default", { [member]: "Default" }, "default"],
];

/** Texts that can be no name, in no place where they can stand. */
const NO_NAMES: readonly [what: string, text: string][] = [
  ["a leading hyphen", "-one"],
  ["a trailing hyphen", "one-"],
  ["64 characters", "a".repeat(64)],
  ["incident 10: a dot", "one.two"],
  ["incident 10: a slash", "default/one"],
  ["incident 10: an escaped slash", "default%2Fone"],
  ["an underscore", "o_ne"],
  ["a space behind", "one "],
  ["a space before", " one"],
  ["incident 14: a letter outside ASCII", "öne"],
  ["incident 14: a sign that folds to k", "\u212a"],
  ["incident 14: a wide letter", "\uff4fne"],
  ["a hyphen alone", "-"],
  ["a star beside letters", "one*"],
  ["two stars", "**"],
  ["a dollar sign", "$one"],
];
const SPECIAL: readonly [what: string, text: string][] = [["a star", "*"]];

const AXES = [
  { what: "Namespace", parameter: "ns", cases: NAMESPACES },
  { what: "Partition", parameter: "partition", cases: PARTITIONS },
] as const;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const send = (method: "GET" | "PUT" | "PATCH" | "DELETE", path: string, { query = "", headers, body }: Case) =>
    v1.send({
      method,
      url: `/v1${path}${query && `${path.includes("?") ? "&" : "?"}${query}`}`,
      headers: { "x-service-token": MANAGEMENT, ...headers },
      ...(method === "GET" || method === "DELETE" ? {} : { payload: JSON.stringify(body ?? {}) }),
    });

  beforeAll(async () => {
    for (const name of ["one", "two"]) {
      await makePartition(v1, name);
      await makeNamespace(v1, { namespace: name });
    }
  });

  describe.each(AXES)("the $what", ({ what, parameter, cases }) => {
    const inPlace = (place: string) => ({ [what.toLowerCase()]: place });
    const ids: Record<string, string> = {};
    beforeAll(async () => {
      for (const place of ["one", "two", "default"]) {
        await makeMethodIn(v1, inPlace(place));
        ids[place] = idOf(await makeIn(v1, inPlace(place), "role", { Name: `role-of-${what}` }));
      }
    });

    test.each(cases)("is named by %s", async (_how, said, meant) => {
      for (const kind of KINDS) {
        const body = contentOf(kind, { Name: v1.unique("n") });
        const answer = await send("PUT", `/acl/${kind}`, { ...said, body });
        expect(answer.status, answer.text).toBe(200);
        expect(answer.body[what]).toBe(meant);
        const path = `/acl/${kind}/${idOf(answer.body)}`;
        expect((await send("GET", path, said)).body).toMatchObject({ [what]: meant });
        const list = (await send("GET", `/acl/${LISTS[kind]}`, said)).body as Record<string, string>[];
        expect(new Set(list.map((entry) => entry[what]))).toEqual(new Set([meant]));
        expect((await send("DELETE", path, said)).text).toBe("true");
      }
      expect((await send("GET", `/acl/role/name/role-of-${what}`, said)).body.ID).toBe(ids[meant]);
    });

    test.each(bodies(what))("is named by %s, whatever the query says", async (_how, body, meant) => {
      const query = `${parameter}=two`;
      const made = await send("PUT", "/acl/role", { query, body: { Name: v1.unique("n"), ...body } });
      expect(made.body).toMatchObject({ [what]: meant });
      for (const method of ["PUT", "PATCH"] as const) {
        const Name = v1.unique("n");
        const answer = await send(method, `/acl/role/${made.body.ID}`, { query, body: { Name, ...body } });
        expect(answer.body).toMatchObject({ ID: made.body.ID, Name, [what]: meant });
      }
    });

    const noNames = [...NO_NAMES, ...(what === "Partition" ? SPECIAL : [])];
    test.each(noNames)("is refused and never ignored when it is: %s", async (_how, text) => {
      const before = await allRows(v1);
      const query = `${parameter}=${encodeURIComponent(text)}`;
      const header = `x-consul-${what.toLowerCase()}`;
      // A client trims headers, and cannot send other letters in them.
      const asHeader = /^[!-~]+$/.test(text) ? [{ headers: { [header]: text } }] : [];
      for (const said of [{ query }, ...asHeader]) {
        for (const kind of KINDS) {
          const paths = [`/acl/${kind}/${NOBODY}`, `/acl/${LISTS[kind]}`, `/acl/${LISTS[kind]}?page-size=1`];
          const refused = await Promise.all([
            ...paths.map((path) => send("GET", path, said)),
            send("DELETE", `/acl/${kind}/${NOBODY}`, said),
            send("PUT", `/acl/${kind}`, said),
          ]);
          for (const answer of refused) expect(answer).toMatchObject({ status: 400, text: refusalOf(text) });
        }
      }
      for (const kind of KINDS) {
        const body = contentOf(kind, { Name: "never", [what]: text });
        for (const answer of [
          await send("PUT", `/acl/${kind}`, { body }),
          await send("PUT", `/acl/${kind}`, { body, query: `${parameter}=one` }),
          await send("PATCH", `/acl/${kind}/${NOBODY}`, { body: { [what]: text } }),
        ]) {
          expect(answer).toMatchObject({ status: 400, text: refusalOf(text) });
        }
      }
      expect(await allRows(v1)).toEqual(before);
    });
    const refusalOf = (text: string) => {
      const hint = text === "*" ? "; only lists accept * for all namespaces" : "";
      // Letters outside ASCII are shown escaped.
      return /^[ -~]*$/.test(text)
        ? `${what} "${text.toLowerCase()}" is not a name${hint}`
        : expect.stringMatching(`^${what} ".*" is not a name$`);
    };

    test.each([7, true, ["one"], { one: 1 }])("of a body is refused when it is no text: %j", async (value) => {
      for (const kind of KINDS) {
        const answer = await send("PUT", `/acl/${kind}`, { body: { [what]: value } });
        expect(answer.status).toBe(400);
        expect(answer.text).toMatch(/decoding failed: json: cannot unmarshal/);
      }
    });

    test.each(["nowhere", "root", "system", "operator", "universal"])(
      "incident 10: that does not exist holds nothing and takes nothing: %s",
      async (place) => {
        const before = await allRows(v1);
        for (const kind of KINDS) {
          const query = `${parameter}=${place}`;
          expect((await send("GET", `/acl/${LISTS[kind]}`, { query })).text).toBe("[]");
          for (const id of [NOBODY, ids["default"] ?? "", "ruled"].slice(0, kind === "auth-method" ? 3 : 2)) {
            expect((await send("GET", `/acl/${kind}/${id}`, { query })).status).toBe(404);
          }
          for (const answer of [
            await send("PUT", `/acl/${kind}`, { query, body: contentOf(kind, { Name: "new" }) }),
            await send("PATCH", `/acl/role/${ids["default"]}`, { query, body: { Name: "new" } }),
            await send("DELETE", `/acl/role/${ids["default"]}`, { query }),
            await send("PATCH", `/acl/auth-method/ruled`, { query, body: { Description: "new" } }),
            await send("DELETE", `/acl/auth-method/ruled`, { query }),
          ]) {
            expect(answer).toMatchObject({ status: 400, text: `${what} "${place}" does not exist` });
          }
        }
        expect(await allRows(v1)).toEqual(before);
      },
    );
  });

  test("a name of 63 characters is one", async () => {
    const namespace = `${"a".repeat(62)}9`;
    await makeNamespace(v1, { namespace });
    const { ID } = await makeIn(v1, { namespace }, "role", { Name: "here" });
    expect((await v1.get(`/acl/role/${ID}?ns=${namespace.toUpperCase()}`)).body).toMatchObject({
      Namespace: namespace,
    });
  });

  describe("a token of a namespace in a partition", () => {
    const home = { namespace: "team", partition: "one" };
    let secret = "";
    beforeAll(async () => {
      await makeNamespace(v1, home);
      await makeNamespace(v1, { namespace: "team" });
      const { ID } = await makeIn(v1, { partition: "one" }, "policy", {
        Name: "all-of-one",
        Rules: `namespace_prefix "" { acl = "write" }`,
      });
      await makeNamespace(v1, home, { ACLs: { PolicyDefaults: [{ ID }] } });
      secret = String((await makeIn(v1, home, "token", {})).SecretID);
    });

    test.each([
      ["", "team"],
      ["?partition=one", "team"],
      ["?partition=ONE", "team"],
      ["?ns=default", "default"],
      ["?ns=team&partition=one", "team"],
      ["?ns=default&partition=one", "default"],
    ])("works in its own namespace, in its own partition: %s", async (query, namespace) => {
      const { body } = await v1.put(`/acl/role${query}`, { Name: v1.unique("role") }, secret);
      expect(body).toMatchObject({ Namespace: namespace, Partition: "one" });
    });

    test.each([
      ["?partition=default", ""],
      ["?partition=two", ` in partition "two"`],
      ["?partition=default&ns=team", ` in namespace "team"`],
      ["?partition=two&ns=team", ` in namespace "team" in partition "two"`],
    ])("works in no namespace of its own in another partition, which it may not write: %s", async (query, where) => {
      const before = await allRows(v1);
      const { status, text } = await v1.put(`/acl/role${query}`, { Name: v1.unique("role") }, secret);
      expect([status, text]).toEqual([403, expect.stringMatching(`lacks permission 'acl:write'${where}$`)]);
      expect(await allRows(v1)).toEqual(before);
    });

    test("has by naming another partition the namespace default there, though one of the same name exists", async () => {
      const tenant = await makeIn(v1, { namespace: "team" }, "token", {});
      expect((await v1.get(`/acl/token/${tenant.AccessorID}?partition=default`, MANAGEMENT)).status).toBe(404);
      const inTeam = await v1.get("/acl/tokens?partition=one", tenant.SecretID);
      expect([inTeam.status, inTeam.text]).toEqual([403, expect.stringMatching(`'acl:read' in partition "one"$`)]);
    });

    test("is itself shown by token/self whatever the request names", async () => {
      for (const query of ["", "?ns=default", "?partition=default", "?partition=two&ns=nowhere"]) {
        const { status, body } = await v1.get(`/acl/token/self${query}`, secret);
        expect([status, body.Namespace, body.Partition]).toEqual([200, "team", "one"]);
      }
    });
  });

  test("what a path names is found in upper case too, in the namespace that is named", async () => {
    const { ID } = await makeIn(v1, { namespace: "one" }, "policy", { Name: "Spelled" });
    for (const path of [`/acl/policy/${String(ID).toUpperCase()}`, "/acl/policy/name/SPELLED"]) {
      expect((await v1.get(at(path, { namespace: "one" }))).body.ID).toBe(ID);
      expect((await v1.get(at(path, { namespace: "two" }))).status).toBe(404);
    }
  });
});
