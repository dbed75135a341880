/** Each verb of every kind of `/v1` needs a right. Rights come first: a caller without them learns nothing. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { DESCRIBED_KINDS, makeKind, prepareKinds, SCOPED_KINDS } from "../../../test/support/kinds.ts";
import { at, idOf, makeIn, makeMethodIn, makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";

/** Rights in every namespace and partition, which are none on them. */
const INSIDE =
  'acl = "write" namespace_prefix "" { policy = "write" acl = "write" } partition_prefix "" { policy = "write" acl = "write" }';
/** Accesses by namespace, for a caller who may write `acl` in names that begin with `team`, and read it in `tea`. */
const PREFIXED = { te: [], tea: ["read"], team: ["read", "write"], "team-1": ["read", "write"], tean: [], default: [] };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(() => prepareKinds(v1));

  describe.each(DESCRIBED_KINDS)("one $kind", (of) => {
    const { right } = of;
    let there = "";
    const callers: { secret: string; who: string }[] = [];
    const callerWith = async (rules: string) => {
      const { accessor: who, secret } = await v1.token({ Policies: [{ ID: await v1.policy(rules) }] });
      return { who, secret };
    };
    const lacks = (who: string, access: string) =>
      who === ""
        ? `Permission denied: anonymous token lacks permission '${right}:${access}'. The anonymous token is used implicitly when a request does not specify a token.`
        : `Permission denied: token with AccessorID '${who}' lacks permission '${right}:${access}'`;
    beforeAll(async () => {
      there = idOf((await makeKind(v1, of)).body);
      for (const rules of [`${right} = "read"`, right === "acl" ? 'operator = "write"' : 'acl = "write"']) {
        callers.push(await callerWith(rules));
      }
      callers.push({ secret: "", who: "" });
    });
    const ids = () => [there, NOBODY, "x", ...(right === "operator" ? ["default"] : [])];

    test("needs write to be written, whether it is there or not, and whatever is wrong with the request", async () => {
      const before = (await v1.get(of.list)).text;
      const wide = right === "operator" ? [await callerWith(INSIDE)] : [];
      for (const { secret, who } of [...callers, ...wide]) {
        const refused = { status: 403, text: lacks(who, "write") };
        for (const id of ids()) {
          const path = `${of.path}/${id}`;
          for (const body of [{}, ...of.wrong]) {
            for (const query of ["", "?cas=1"]) {
              expect(await v1.put(path + query, body, secret)).toMatchObject(refused);
              expect(await v1.patch(path + query, body, secret)).toMatchObject(refused);
              expect(await v1.put(of.path + query, of.contentOf({ Name: id, ...body }), secret)).toMatchObject(refused);
            }
          }
          expect(await v1.delete(path, secret)).toMatchObject(refused);
          expect(await v1.delete(`${path}?cas=1`, secret)).toMatchObject(refused);
        }
      }
      expect((await v1.get(of.list)).text).toBe(before);
    });

    test("needs read to be read, and without it costs and tells the same whether it is there or not", async () => {
      const [reader, ...others] = callers;
      for (const id of ids()) {
        const isThere = id === there || id === "default";
        expect((await v1.get(`${of.path}/${id}`, reader?.secret)).status).toBe(isThere ? 200 : 404);
        // Everybody sees the partition and the namespace that the own token lies in.
        for (const { secret, who } of id === "default" ? [] : others) {
          expect(await v1.get(`${of.path}/${id}`, secret)).toMatchObject({ status: 403, text: lacks(who, "read") });
        }
      }
      const [stranger = expect.fail()] = others;
      const read = (id: string) => () => v1.get(`${of.path}/${id}`, stranger.secret);
      await v1.expectSameStatements(read(there), read(NOBODY));
    });

    test("is made, replaced, changed and deleted by who may write it", async () => {
      const writer = await v1.tokenWith(`${right} = "write"`);
      const content = of.contentOf({ Name: v1.unique("mine") });
      const made = await v1.put(of.path, content, writer);
      const path = `${of.path}/${idOf(made.body)}`;
      const answers = [made, await v1.put(path, content, writer), await v1.patch(path, {}, writer)];
      answers.push(await v1.delete(path, writer));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    });

    test("is listed to who may read it", async () => {
      const [reader, ...others] = callers;
      expect((await v1.get(of.list, reader?.secret)).text).toContain(there);
      for (const { secret, who } of others) {
        for (const query of ["", "?page-size=1", "?search=x"]) {
          const answer = await v1.get(of.list + query, secret);
          // Lists of namespaces and partitions say that something is left out.
          if (right === "operator") expect(answer.headers["x-service-results-filtered-by-acls"]).toBe("true");
          else expect(answer).toMatchObject({ status: 403, text: lacks(who, "read") });
          expect(answer.text).not.toContain(there);
        }
      }
    });
  });

  test.each(["policy", "role"] as const)("a %s by its name needs read as well, and costs the same", async (kind) => {
    const [reader, nobody] = [await v1.tokenWith(`acl = "read"`), await v1.tokenWith(`operator = "write"`)];
    await makeIn(v1, {}, kind, { Name: "Named" });
    const text = expect.stringMatching(/lacks permission 'acl:read'$/);
    for (const name of ["named", "nobody"]) {
      const byName = () => v1.get(`/acl/${kind}/name/${name}`, nobody);
      expect(await byName()).toMatchObject({ status: 403, text });
      await v1.expectSameStatements(byName, () => v1.get("/acl/policies", nobody));
      expect((await v1.get(`/acl/${kind}/name/${name}`, reader)).status).toBe(name === "named" ? 200 : 404);
    }
    expect(await v1.get(`/acl/roles?policy=${NOBODY}`, nobody)).toMatchObject({ status: 403, text });
    expect((await v1.get(`/acl/roles?policy=${NOBODY}`, reader)).status).toBe(200);
  });

  describe.each(SCOPED_KINDS)("one $kind", ({ kind, path: root, list, contentOf }) => {
    test("incident 20: may be read and written as far as a prefix goes, and no further", async () => {
      const rules = `namespace_prefix "team" { acl = "write" } namespace "tea" { acl = "read" }`;
      const secret = await secretIn(v1, {}, rules);
      for (const [namespace, may] of Object.entries(PREFIXED)) {
        if (namespace !== "default") await makeNamespace(v1, { namespace });
        await makeMethodIn(v1, { namespace });
        const id = idOf(await makeIn(v1, { namespace }, kind, { Name: "there" }));
        const path = at(`${root}/${id}`, { namespace });
        const statuses = {
          read: [(await v1.get(path, secret)).status, (await v1.get(at(list, { namespace }), secret)).status],
          write: [
            (await v1.put(at(root, { namespace }), contentOf({ Name: v1.unique("x") }), secret)).status,
            (await v1.put(path, contentOf({ Name: "there" }), secret)).status,
            (await v1.patch(path, {}, secret)).status,
            (await v1.delete(path, secret)).status,
          ],
        };
        const expected = (access: string) => ((may as string[]).includes(access) ? 200 : 403);
        expect({ namespace, ...statuses }).toEqual({
          namespace,
          read: statuses.read.map(() => expected("read")),
          write: statuses.write.map(() => expected("write")),
        });
      }
    });
  });
});
