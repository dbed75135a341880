import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { DESCRIBED_KINDS, makeKind, prepareKinds, SCOPED_KINDS } from "../../test/support/kinds.ts";
import { RESERVED, useV1 } from "../../test/support/v1.ts";

interface Link {
  ID: string;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(() => prepareKinds(v1));
  const statuses = (answers: readonly { status: number }[]) =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b);

  describe.each(DESCRIBED_KINDS)("one $kind", (of) => {
    test("of several clients that change it with the same cas exactly one wins", async () => {
      const { path, body: made } = await makeKind(v1, of);
      for (const change of ["put", "patch"] as const) {
        for (let round = 0; round < 3; round++) {
          const { body } = await v1.get(path);
          const answers = await Promise.all(
            ["one", "two", "three"].map((Description) =>
              v1[change](`${path}?cas=${body.ModifyIndex}`, of.contentOf({ Name: made.Name, Description })),
            ),
          );
          expect(statuses(answers)).toEqual([200, 409, 409]);
          const winner = answers.find((answer) => answer.status === 200);
          expect((await v1.get(path)).body).toEqual(winner?.body);
        }
      }
    });
  });

  test.each([
    ["namespace", "/namespace", {}],
    ["partition", "/partition", {}],
    ["declaration", "/acl/declaration", { Objects: ["one"] }],
  ])("of several clients that change a %s with the same cas exactly one wins", async (kind, path, content) => {
    const made = await v1.put(path, { Name: v1.unique(kind), ...content });
    const url = kind === "declaration" ? `${path}/${made.body.ID}` : `${path}/${made.body.Name}`;
    for (let round = 0; round < 3; round++) {
      const cas = (await v1.get(url)).body.ModifyIndex;
      const answers = await Promise.all(
        ["one", "two", "three"].map((Description) => v1.patch(`${url}?cas=${cas}`, { Description })),
      );
      expect(statuses(answers)).toEqual([200, 409, 409]);
    }
  });

  describe.each(SCOPED_KINDS)("one $kind", (of) => {
    test("is deleted or changed with the same cas, and the other client is told what became of it", async () => {
      for (let round = 0; round < 5; round++) {
        const { path, body } = await makeKind(v1, of);
        const url = `${path}?cas=${body.ModifyIndex}`;
        const both = round % 2 === 0 ? [v1.delete(url), v1.patch(url, {})] : [v1.patch(url, {}), v1.delete(url)];
        const answers = (await Promise.all(both)).map(({ status }) => status);
        const [deleted, patched] = round % 2 === 0 ? answers : answers.toReversed();
        expect([deleted, patched]).toEqual(deleted === 200 ? [200, 404] : [409, 200]);
      }
    });

    test("that 20 clients delete is deleted by one", async () => {
      const { path } = await makeKind(v1, of);
      const answers = await Promise.all(Array.from({ length: 20 }, () => v1.delete(path)));
      expect(statuses(answers)).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
    });
  });

  test("64 clients patch one token while a role is taken from it: it stays taken, and no patch is lost", async () => {
    const [kept, taken] = [await v1.role(), await v1.role()];
    const { accessor } = await v1.token({ Roles: [{ ID: kept }, { ID: taken }] });
    const path = `/acl/token/${accessor}`;
    const patchOf = (i: number) => {
      if (i === 20) return { Roles: [{ ID: kept }] };
      return i % 2 === 0 ? { Description: `d${i}` } : { ServiceIdentities: [{ ServiceName: `s${i}` }] };
    };
    const patches = Array.from({ length: 65 }, (_, i) => v1.patch(path, patchOf(i)));
    const answers = await Promise.all(patches);
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const { body } = await v1.get(path);
    expect((body.Roles as Link[]).map((role) => role.ID)).toEqual([kept]);
    expect(new Set(answers.map((answer) => answer.body.ModifyIndex)).size).toBe(65);
    // The last one of each kind is what stands.
    const last = answers.toSorted((a, b) => a.body.ModifyIndex - b.body.ModifyIndex);
    expect(body).toEqual(last.at(-1)?.body);
    expect(body.Description).toMatch(/^d\d+$/);
    expect(body.ServiceIdentities).toMatchObject([{ ServiceName: expect.stringMatching(/^s\d+$/) }]);
  });

  test("a role or policy that is deleted while 64 clients patch a token with it does not come back", async () => {
    const [role, policy] = [await v1.role(), await v1.policy("")];
    const { accessor } = await v1.token({ Roles: [{ ID: role }], Policies: [{ ID: policy }] });
    const path = `/acl/token/${accessor}`;
    const patch = (i: number) => v1.patch(path, { Description: `d${i}` });
    const first = Array.from({ length: 10 }, (_, i) => patch(i));
    const deletes = [v1.delete(`/acl/role/${role}`), v1.delete(`/acl/policy/${policy}`)];
    const patches = [...first, ...deletes, ...Array.from({ length: 54 }, (_, i) => patch(10 + i))];
    expect(new Set(statuses(await Promise.all(patches)))).toEqual(new Set([200]));
    const { body } = await v1.get(path);
    expect(body).not.toHaveProperty("Roles");
    expect(body).not.toHaveProperty("Policies");
  });

  test("a role that is deleted while tokens with it are made is never shown: they are made without it or refused", async () => {
    for (let round = 0; round < 5; round++) {
      const role = await v1.role();
      const create = () => v1.put("/acl/token", { Roles: [{ ID: role }] });
      const eight = () => Array.from({ length: 8 }, create);
      const made = [...eight(), v1.delete(`/acl/role/${role}`), ...eight()];
      const [deleted, ...answers] = (await Promise.all(made)).toSorted(
        (a, b) => Number(b.text === "true") - Number(a.text === "true"),
      );
      expect(deleted).toMatchObject({ status: 200, text: "true" });
      for (const answer of answers) {
        if (answer.status === 400) expect(answer.text).toBe(`No such ACL role with ID "${role}"`);
        else expect((await v1.get(`/acl/token/${answer.body.AccessorID}`)).body).not.toHaveProperty("Roles");
      }
    }
  });

  test("of 20 clients that make a policy or role of one name, or a token of one ID, exactly one wins", async () => {
    const AccessorID = "ace0ace0-0000-4000-8000-000000000001";
    for (const [path, body] of [
      ["/acl/policy", { Name: "same" }],
      ["/acl/role", { Name: "same" }],
      ["/acl/token", { AccessorID }],
      ["/acl/token", { SecretID: AccessorID.replace("1", "2") }],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => v1.put(path, "Name" in body && i % 2 ? { Name: "SAME" } : body)),
      );
      expect(statuses(answers)).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
    }
  });

  test("indexes grow with every write, and that of a table is its last write's", async () => {
    const answers = await Promise.all(Array.from({ length: 32 }, () => v1.put("/acl/token", {})));
    const indexes = answers.map((answer) => Number(answer.body.ModifyIndex));
    expect(new Set(indexes).size).toBe(32);
    const { headers } = await v1.get(`/acl/token/${RESERVED}02`);
    expect(headers["x-service-index"]).toBe(String(Math.max(...indexes)));
    expect(headers["x-consul-index"]).toBe(headers["x-service-index"]);
  });
});
