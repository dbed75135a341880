import { beforeAll, describe, expect, test } from "vitest";
import { finishDeletion } from "../../test/support/deletion.ts";
import { forEachEngine } from "../../test/support/engines.ts";
import { DESCRIBED_KINDS, makeKind, prepareKinds, type DescribedKind } from "../../test/support/kinds.ts";
import { idOf } from "../../test/support/scopes.ts";
import { useV1 } from "../../test/support/v1.ts";

interface Entry {
  ID?: string;
  AccessorID: string;
  Name: string;
  Description: string;
}

const NAMES = ["b", "A", "a-1", "C_", "aa", "Z9", "_x", "-y", "B2", "needle-1", "NEEDLE-2", "hay"];
/** Names of namespaces and partitions are of fewer letters, and lower case. */
const LABELS = ["b", "a", "a-1", "c0", "aa", "z9", "x", "b2", "needle-1", "needle-2", "hay"];
const namesOf = ({ right }: DescribedKind) => (right === "acl" ? NAMES : LABELS);
/** Key by which a list is ordered. */
const keyOf = (each: Entry) => (each.Name ?? idOf(each)).toLowerCase();

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    await prepareKinds(v1);
    for (const of of DESCRIBED_KINDS) {
      for (const Name of namesOf(of)) await makeKind(v1, of, { Name, Description: Name });
    }
  });
  const whole = async (list: string) => (await v1.get(list)).body as Entry[];

  describe.each(DESCRIBED_KINDS)("the list of each $kind", (of) => {
    const { list, path, contentOf } = of;
    const names = namesOf(of);

    test("is in order of bytes of its lower-case key", async () => {
      const keys = (await whole(list)).map(keyOf);
      expect(keys.length).toBeGreaterThan(names.length - 1);
      expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
    });

    test.each([1, 2, 5, 1000])("comes whole in pages of %i, each entry once", async (size) => {
      const pages: Entry[][] = [];
      let after = "";
      for (;;) {
        const answer = await v1.get(`${list}?page-size=${size}${after && `&after=${after}`}`);
        expect(answer.status).toBe(200);
        pages.push(answer.body);
        const next = answer.headers["x-service-next"] as string | undefined;
        expect(answer.headers["x-consul-next"]).toBe(next);
        if (next === undefined) break;
        after = encodeURIComponent(next);
      }
      const all = await whole(list);
      expect(pages.flat()).toEqual(all);
      expect(pages.length).toBe(Math.ceil(all.length / size));
    });

    test("goes on where it was when entries before and behind a cursor come and go", async () => {
      // The keys are near the beginning of the list, but for that of a rule, which is nobody's to choose.
      const chosen =
        of.kind === "token"
          ? { AccessorID: "00000000-0000-4000-8000-000000000001" }
          : { Name: of.right === "acl" ? "--gone" : "00-gone" };
      // At least one of three is followed by two others.
      const made: string[] = [];
      for (let count = of.kind === "binding-rule" ? 3 : 1; count > 0; count--) {
        made.push(idOf((await v1.put(path, contentOf(chosen))).body));
      }
      const all = await whole(list);
      const size = all.findIndex((each) => made.includes(idOf(each))) + 1;
      const gone = all[size - 1] ?? expect.fail();
      const first = await v1.get(`${list}?page-size=${size}`);
      await v1.delete(`${path}/${idOf(gone)}`);
      if (of.deleted === "") await finishDeletion(v1.db);
      const rest = await v1.get(`${list}?page-size=1000&after=${String(first.headers["x-service-next"])}`);
      expect(rest.body).toEqual(all.slice(size));
      expect(rest.body.length).toBeGreaterThan(1);
    });

    test("is searched in any case, and what means something to a pattern is text", async () => {
      const found = async (search: string) =>
        ((await v1.get(`${list}?search=${encodeURIComponent(search)}`)).body as Entry[]).map(
          (each) => each.Name ?? each.Description,
        );
      const needles = names.filter((name) => /^needle/i.test(name));
      expect((await found("Needle")).toSorted()).toEqual(needles.toSorted());
      for (const search of ["%", "n_edle", "nee%", "\\", "'", `"`, "*", "nobody"])
        expect(await found(search)).toEqual([]);
      expect(await found("c_")).toEqual(names.filter((name) => name === "C_"));
      expect(await found("Z9")).toEqual(names.filter((name) => /z9/i.test(name)));
    });

    test("pages what it finds", async () => {
      const first = await v1.get(`${list}?search=needle&page-size=1`);
      const next = String(first.headers["x-service-next"]);
      const second = await v1.get(`${list}?search=needle&page-size=1&after=${next}`);
      expect([first.body.length, second.body.length]).toEqual([1, 1]);
      expect(second.headers).not.toHaveProperty("x-service-next");
      expect(second.body).not.toEqual(first.body);
    });

    test("incident 25: a cursor that was changed is refused", async () => {
      const { headers } = await v1.get(`${list}?page-size=1`);
      const cursor = String(headers["x-service-next"]);
      const encoded = (text: string) => Buffer.from(text).toString("base64url");
      for (const bad of [
        "x",
        "%00",
        `${cursor}=`,
        `${cursor}A`,
        `${cursor}.`,
        encodeURIComponent(` ${cursor}`),
        encoded("' or 1=1 --"),
        encoded("A"),
        encoded("\0"),
        encoded("é"),
        encoded("a".repeat(321)),
        encoded(`{"after":"a"}`),
        "a".repeat(100_000),
      ]) {
        const answer = await v1.get(`${list}?page-size=1&after=${bad}`);
        expect({ bad, status: answer.status }).toEqual({ bad, status: 400 });
        expect(answer.text.length).toBeLessThan(200);
      }
      for (const size of ["0", "-1", "x", "1.5", "", "1e3", "9999999999"]) {
        expect((await v1.get(`${list}?page-size=${size}`)).status, size).toBe(400);
      }
      expect((await v1.get(`${list}?after=${cursor}`)).status).toBe(400);
    });

    test("incident 25: a cursor with another letter anywhere gives 400 or a page of the list", async () => {
      const cursor = String((await v1.get(`${list}?page-size=1`)).headers["x-service-next"]);
      const all = (await whole(list)).map((each) => JSON.stringify(each));
      const shown = new Set<string>();
      for (const at of cursor.split("").keys()) {
        for (const letter of ["A", "_", "9"]) {
          const after = cursor.slice(0, at) + letter + cursor.slice(at + 1);
          const { status, body } = await v1.get(`${list}?page-size=1000&after=${after}`);
          if (status === 200) for (const entry of body) shown.add(JSON.stringify(entry));
          else expect(status).toBe(400);
        }
      }
      expect([...shown].filter((entry) => !all.includes(entry))).toEqual([]);
    });

    test("asks for rights anew on every page: a cursor gives none", async () => {
      const { secret } = await v1.token();
      const reader = await v1.tokenWith(`${of.right} = "read"`);
      const first = `${list}?search=needle&page-size=1`;
      const next = `${first}&after=${String((await v1.get(first)).headers["x-service-next"])}`;
      for (const caller of [secret, ""]) {
        const { status, text } = await v1.get(next, caller);
        // Lists of namespaces and partitions leave out what may not be read.
        expect([status, of.right === "acl" || text]).toEqual(of.right === "acl" ? [403, true] : [200, "[]"]);
      }
      const page = await v1.get(next, reader);
      expect(page.body).toHaveLength(1);
      if (of.kind === "token") expect(page.body[0].SecretID).toBe("<hidden>");
    });

    test("refuses filter expressions, takes pretty, and carries the headers of reads", async () => {
      const plain = await v1.get(list);
      for (const filter of ["nonsense+%28", "Name+%3D%3D+web"]) {
        const refused = await v1.get(`${list}?filter=${filter}`);
        expect(refused.status).toBe(400);
        expect(refused.text).toMatch(/^Filter expressions are not supported; this route supports .*search/);
      }
      expect((await v1.get(`${list}?filter=`)).text).toBe(plain.text);
      expect(JSON.parse((await v1.get(`${list}?pretty`)).text)).toEqual(plain.body);
      expect((await v1.get(`${list}?pretty`)).text).toBe(`${JSON.stringify(plain.body, null, 4)}\n`);
      expect(plain.headers).toMatchObject({
        "content-type": "application/json",
        "x-consul-knownleader": "true",
        "x-consul-lastcontact": "0",
      });
      // The list of partitions does not wait.
      expect(Number(plain.headers["x-consul-index"])).toBeGreaterThan(of.kind === "partition" ? 0 : 1);
      expect(plain.headers).not.toHaveProperty("x-consul-results-filtered-by-acls");
    });
  });

  test("a list longer than a slice comes whole, in order, each entry once", async () => {
    const { db } = v1;
    const [row] = await db.sql.selectFrom("roles").selectAll().limit(1).execute();
    if (row === undefined) throw new Error("there is a role");
    for (let batch = 0; batch < 10; batch++) {
      const rows = Array.from({ length: 250 }, (_, i) => {
        const name = `bulk-${String(batch * 250 + i).padStart(5, "0")}`;
        return { ...row, id: crypto.randomUUID(), name, name_key: name };
      });
      await v1.write((sql) => sql.insertInto("roles").values(rows));
    }
    const names = (await whole("/acl/roles")).map((role) => role.Name.toLowerCase());
    expect(names.filter((name) => name.startsWith("bulk-")).length).toBe(2500);
    expect(names).toEqual([...new Set(names)].toSorted());
    expect((await v1.get("/acl/roles?page-size=100000")).body).toHaveLength(1000);
  });
});
