import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import {
  allRows,
  at,
  contentOf,
  idOf,
  KINDS,
  loginIn,
  makeIn,
  makeMethodIn,
  makeNamespace,
  makePartition,
  type Place,
} from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

const PLACES: readonly Place[] = [
  {},
  { namespace: "a" },
  { namespace: "b" },
  { partition: "p" },
  { namespace: "a", partition: "p" },
  { namespace: "a", partition: "q" },
];
const SOMEWHERE: Place = { namespace: "a" };
const ELSEWHERE: readonly [what: string, place: Place][] = [
  ["the same namespace", SOMEWHERE],
  ["another namespace", { namespace: "b" }],
  ["the namespace default", {}],
  ["another partition", { partition: "p" }],
  ["a namespace of the same name in another partition", { namespace: "a", partition: "p" }],
];
const NAMED = [
  { kind: "policy", Kind: "Policy" },
  { kind: "role", Kind: "Role" },
] as const;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    for (const partition of ["p", "q"]) await makePartition(v1, partition);
    for (const place of PLACES) if (place.namespace !== undefined) await makeNamespace(v1, place);
    for (const place of PLACES) await makeMethodIn(v1, place);
  });
  const full = ({ namespace = "default", partition = "default" }: Place) => ({
    Namespace: namespace,
    Partition: partition,
  });

  describe.each(NAMED)("the name of a $kind", ({ kind, Kind }) => {
    test("is free in every namespace of every partition, and each has its own object", async () => {
      const Name = v1.unique("Same");
      const ids = new Map<Place, string>();
      for (const place of PLACES) ids.set(place, idOf(await makeIn(v1, place, kind, { Name })));
      expect(new Set(ids.values()).size).toBe(PLACES.length);
      for (const [place, ID] of ids) {
        const { body } = await v1.get(at(`/acl/${kind}/name/${Name.toUpperCase()}`, place));
        expect(body).toMatchObject({ ID, Name, ...full(place) });
      }
    });

    test("incident 14: is taken in its own, in any case of its letters", async () => {
      for (const place of PLACES) {
        const Name = v1.unique("Taken");
        await makeIn(v1, place, kind, { Name });
        const other = idOf(await makeIn(v1, place, kind, { Name: v1.unique("other") }));
        const before = await allRows(v1);
        for (const again of [Name, Name.toLowerCase(), Name.toUpperCase()]) {
          expect(await v1.put(at(`/acl/${kind}`, place), { Name: again })).toMatchObject({
            status: 400,
            text: `Invalid ${Kind}: A ${Kind} with Name "${again}" already exists`,
          });
          for (const change of ["put", "patch"] as const) {
            expect(await v1[change](at(`/acl/${kind}/${other}`, place), { Name: again })).toMatchObject({
              status: 400,
              text: `Invalid ${Kind}: A ${kind} with name "${again}" already exists`,
            });
          }
        }
        expect(await allRows(v1)).toEqual(before);
      }
    });

    test("that is taken elsewhere can be given to an object here, and is free again when that is gone", async () => {
      const Name = v1.unique("name");
      await makeIn(v1, { namespace: "b" }, kind, { Name });
      await makeIn(v1, { namespace: "a", partition: "p" }, kind, { Name });
      const id = idOf(await makeIn(v1, SOMEWHERE, kind, { Name: v1.unique("before") }));
      expect((await v1.patch(at(`/acl/${kind}/${id}`, SOMEWHERE), { Name })).status).toBe(200);
      expect((await v1.put(at(`/acl/${kind}`, SOMEWHERE), { Name })).status).toBe(400);
      await v1.delete(at(`/acl/${kind}/${id}`, SOMEWHERE));
      expect((await v1.put(at(`/acl/${kind}`, SOMEWHERE), { Name })).status).toBe(200);
    });

    test("is given once per namespace, to whichever of many clients at once", async () => {
      const Name = v1.unique("race");
      const asked = PLACES.flatMap((place) => [place, place, place]);
      const answers = await Promise.all(asked.map((place) => v1.put(at(`/acl/${kind}`, place), { Name })));
      const won = answers.flatMap(({ status, body }) =>
        status === 200 ? [`${body.Namespace} ${body.Partition}`] : [],
      );
      expect(won.toSorted()).toEqual(PLACES.map((place) => Object.values(full(place)).join(" ")).toSorted());
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(2 * PLACES.length);
    });
  });

  describe("the name of an auth method", () => {
    const pathOf = (name: string, place: Place) => at(`/acl/auth-method/${name}`, place);

    test("is free in every namespace of every partition; there, in any case, it leads to the one method", async () => {
      const Name = v1.unique("Same");
      for (const place of PLACES) await makeIn(v1, place, "auth-method", { Name, Description: JSON.stringify(place) });
      const count = (await v1.db.sql.selectFrom("auth_methods").selectAll().execute()).length;
      for (const place of PLACES) {
        const { body } = await v1.get(pathOf(Name.toUpperCase(), place));
        expect(body).toMatchObject({ Name, Description: JSON.stringify(place), ...full(place) });
        for (const spelled of [Name.toUpperCase(), Name.toLowerCase()]) {
          const again = await makeIn(v1, place, "auth-method", { Name: spelled, Description: "written again" });
          expect(again).toMatchObject({ Name, CreateIndex: body.CreateIndex, ...full(place) });
        }
      }
      expect(await v1.db.sql.selectFrom("auth_methods").selectAll().execute()).toHaveLength(count);
    });

    test("is given once per namespace to many clients at once, and each of them has written the one method", async () => {
      const Name = v1.unique("race");
      const content = contentOf("auth-method", { Name });
      const asked = PLACES.flatMap((place) => [place, place, place]);
      const answers = await Promise.all(asked.map((place) => v1.put(at("/acl/auth-method", place), content)));
      for (const [n, place] of PLACES.entries()) {
        const three = answers.slice(3 * n, 3 * n + 3);
        expect(three.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(new Set(three.map(({ body }) => body.CreateIndex)).size).toBe(1);
        expect(new Set(three.map(({ body }) => body.ModifyIndex)).size).toBe(3);
        expect(three[0]?.body).toMatchObject(full(place));
      }
    });

    test("leads rules and logins to the method of the own namespace", async () => {
      const Name = v1.unique("linked");
      for (const place of PLACES) await makeIn(v1, place, "auth-method", { Name });
      for (const [n, place] of PLACES.entries()) {
        await makeIn(v1, place, "binding-rule", { AuthMethod: Name, BindName: `web-${n}` });
      }
      for (const [n, place] of PLACES.entries()) {
        expect(await loginIn(v1, place, {}, Name.toUpperCase())).toMatchObject({
          AuthMethod: Name,
          AuthMethodNamespace: full(place).Namespace,
          ServiceIdentities: [{ ServiceName: `web-${n}` }],
          ...full(place),
        });
      }
      await v1.delete(pathOf(Name, SOMEWHERE));
      for (const place of PLACES) {
        const isLeft = place.namespace !== "a" || place.partition !== undefined;
        const rules = (await v1.get(at(`/acl/binding-rules?authmethod=${Name}`, place))).body;
        expect(rules).toHaveLength(isLeft ? 1 : 0);
      }
    });
  });

  test("links by name lead to the object of the own namespace", async () => {
    const Name = v1.unique("linked");
    for (const place of PLACES) {
      const policy = idOf(await makeIn(v1, place, "policy", { Name }));
      const role = idOf(await makeIn(v1, place, "role", { Name, Policies: [{ Name }] }));
      const token = await makeIn(v1, place, "token", { Policies: [{ Name }], Roles: [{ Name }] });
      expect(token).toMatchObject({ Policies: [{ ID: policy, Name }], Roles: [{ ID: role, Name }], ...full(place) });
    }
  });

  describe.each(ELSEWHERE)("IDs of tokens are used once: one that is taken is refused in %s", (_what, place) => {
    test("as an AccessorID and as a SecretID, in any case, whichever of the two it was", async () => {
      const taken = await makeIn(v1, SOMEWHERE, "token", {
        AccessorID: crypto.randomUUID(),
        SecretID: crypto.randomUUID(),
      });
      const before = await allRows(v1);
      for (const field of ["AccessorID", "SecretID"] as const) {
        for (const id of [taken.AccessorID, taken.SecretID, taken.AccessorID.toUpperCase()]) {
          const answer = await v1.put(at("/acl/token", place), { [field]: id });
          expect(answer).toMatchObject({ status: 400, text: `Invalid Token: ${field} is already in use` });
        }
      }
      expect(await allRows(v1)).toEqual(before);
    });

    test("incident 13: and is free there when the token is gone, with the rights of where it lies now", async () => {
      const SecretID = crypto.randomUUID();
      const Policies = [{ Name: "namespace-management" }];
      const { AccessorID } = await makeIn(v1, SOMEWHERE, "token", { SecretID, Policies });
      expect((await v1.get(at("/acl/tokens", SOMEWHERE), SecretID)).status).toBe(200);
      await v1.delete(at(`/acl/token/${AccessorID}`, SOMEWHERE));
      expect((await v1.get(at("/acl/tokens", SOMEWHERE), SecretID)).status).toBe(403);
      const again = await makeIn(v1, place, "token", { SecretID, AccessorID });
      expect(again).toMatchObject({ AccessorID, SecretID, ...full(place) });
      expect((await v1.get(at("/acl/tokens", SOMEWHERE), SecretID)).status).toBe(403);
      expect((await v1.get("/acl/token/self", SecretID)).body).toMatchObject({ AccessorID, ...full(place) });
    });
  });

  test("an ID of a token that a login made is taken everywhere, too", async () => {
    await makeIn(v1, SOMEWHERE, "binding-rule", {});
    const taken = await loginIn(v1, SOMEWHERE);
    for (const [, place] of ELSEWHERE) {
      for (const field of ["AccessorID", "SecretID"] as const) {
        for (const id of [taken.AccessorID, taken.SecretID]) {
          const answer = await v1.put(at("/acl/token", place), { [field]: id });
          expect(answer).toMatchObject({ status: 400, text: `Invalid Token: ${field} is already in use` });
        }
      }
    }
  });

  test.each(["AccessorID", "SecretID"] as const)(
    "of many clients in all namespaces and partitions that ask for one %s at once one is given it",
    async (field) => {
      for (let round = 0; round < 5; round++) {
        const id = crypto.randomUUID();
        const asked = [...PLACES, ...PLACES].map((place) => v1.put(at("/acl/token", place), { [field]: id }));
        const answers = await Promise.all(asked);
        const refused = answers.filter(({ status }) => status !== 200);
        expect(answers.length - refused.length).toBe(1);
        for (const answer of refused) {
          expect(answer).toMatchObject({ status: 400, text: `Invalid Token: ${field} is already in use` });
        }
      }
    },
  );

  test("of two clients that ask for one ID at once, as an AccessorID and as a SecretID, one is given it", async () => {
    for (const place of ELSEWHERE.map(([, each]) => each)) {
      for (let round = 0; round < 5; round++) {
        const id = crypto.randomUUID();
        const answers = await Promise.all([
          v1.put(at("/acl/token", SOMEWHERE), { AccessorID: id }),
          v1.put(at("/acl/token", place), { SecretID: id }),
        ]);
        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      }
    }
  });

  // A method is found by its name alone, so that in another namespace it is another one.
  describe.each(KINDS.filter((kind) => kind !== "auth-method"))("where a %s lies is never changed", (kind) => {
    const content = contentOf(kind, { Name: "stays" });

    test.each(ELSEWHERE.slice(1))("to %s", async (_what, place) => {
      const named = contentOf(kind, { Name: v1.unique("stays") });
      const id = idOf(await makeIn(v1, SOMEWHERE, kind, named));
      const path = `/acl/${kind}/${id}`;
      const before = await allRows(v1);
      // The body says where to look, so the object is missing there, with every weaker source naming where it is.
      for (const change of ["put", "patch"] as const) {
        for (const target of [path, at(path, SOMEWHERE)]) {
          const answer = await v1[change](target, { ...content, ...full(place) });
          expect(answer.status, answer.text).toBe(404);
        }
      }
      expect(await allRows(v1)).toEqual(before);
      // A write that says the truth, in any spelling, is accepted.
      const truth = { ...named, Description: "kept", Namespace: "A", partition: "DEFAULT" };
      for (const change of ["put", "patch"] as const) {
        expect((await v1[change](at(path, place), truth)).body).toMatchObject({
          Description: "kept",
          ...full(SOMEWHERE),
        });
      }
    });
  });

  describe.each(KINDS)("where a %s lies is never changed", (kind) => {
    test("by an object that is read and sent back whole", async () => {
      for (const place of PLACES) {
        const id = idOf(await makeIn(v1, place, kind, { Name: v1.unique("whole") }));
        const { body } = await v1.get(at(`/acl/${kind}/${id}`, place));
        // Nothing but the body names the place.
        const answer = await v1.put(`/acl/${kind}/${id}`, body, MANAGEMENT);
        expect(answer.status, answer.text).toBe(200);
        expect(answer.body).toEqual({ ...body, ModifyIndex: answer.body.ModifyIndex });
      }
    });
  });

  test("a clone lies where its original does, whatever the body asks for besides", async () => {
    const { AccessorID } = await makeIn(v1, SOMEWHERE, "token", {});
    for (const place of ELSEWHERE.slice(1).map(([, each]) => each)) {
      const before = await allRows(v1);
      const answer = await v1.put(at(`/acl/token/${AccessorID}/clone`, SOMEWHERE), full(place));
      expect(answer.status).toBe(404);
      expect(await allRows(v1)).toEqual(before);
    }
    expect((await v1.put(at(`/acl/token/${AccessorID}/clone`, SOMEWHERE))).body).toMatchObject(full(SOMEWHERE));
  });
});
