/** How each kind of `/v1` is made, read, changed and deleted. What is odd about a kind stands in its own folder. */
import { beforeAll, describe, expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { DESCRIBED_KINDS, makeKind, prepareKinds } from "../../../test/support/kinds.ts";
import { idOf } from "../../../test/support/scopes.ts";
import { NOBODY, useV1 } from "../../../test/support/v1.ts";

/** The refusal that speaks of no index, since nobody named one. */
const THERE = "Conflict: the object already exists. Omit cas to update the object";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(() => prepareKinds(v1));

  describe.each(DESCRIBED_KINDS)("one $kind", (of) => {
    const make = (content: object = {}) => makeKind(v1, of, content);

    test("is answered, read in any case of its ID or name, and listed as it was made", async () => {
      const { path, body, answer } = await make({ Description: "é <b>" });
      expect(answer.headers["content-type"]).toBe("application/json");
      expect(body).toMatchObject({ Description: "é <b>", CreateIndex: body.ModifyIndex });
      for (const spelled of [path, `${of.path}/${idOf(body).toUpperCase()}`]) {
        expect((await v1.get(spelled)).text).toBe(answer.text);
      }
      const list = (await v1.get(of.list)).body as object[];
      const entry = list.find((each) => idOf(each) === idOf(body));
      expect(entry).toMatchObject({ Description: "é <b>", ModifyIndex: body.ModifyIndex });
      // A list may show less of each, and never something else; of a policy it shows datacenters that are none.
      expect({ Datacenters: null, ...body }).toMatchObject(entry ?? expect.fail());
    });

    test("is made by a PUT with an empty last segment too", async () => {
      const answer = await v1.put(`${of.path}/`, of.contentOf({ Name: v1.unique("slashed") }));
      expect(answer.status, answer.text).toBe(200);
      expect((await v1.get(`${of.path}/${idOf(answer.body)}`)).body).toEqual(answer.body);
    });

    test("is taken back whole as it was read, whatever indexes it says, and its own rises", async () => {
      const { path, body } = await make({ Description: "d" });
      const hash = body.Hash === undefined ? {} : { Hash: "AAAA" };
      for (const sent of [body, { ...body, ModifyIndex: 1, CreateIndex: 1, ...hash }]) {
        const before = (await v1.get(path)).body;
        const answer = await v1.put(path, sent);
        expect(answer.body, answer.text).toEqual({ ...body, ModifyIndex: answer.body.ModifyIndex });
        expect(answer.body.ModifyIndex).toBeGreaterThan(before.ModifyIndex);
      }
    });

    test("loses by a replacement what that does not name, and keeps its CreateIndex", async () => {
      const { path, body } = await make({ Description: "d" });
      const next = (await v1.put(path, of.contentOf({ Name: body.Name }))).body;
      expect(next.Description ?? "").toBe("");
      expect([idOf(next), next.CreateIndex]).toEqual([idOf(body), body.CreateIndex]);
      expect(next.ModifyIndex).toBeGreaterThan(body.ModifyIndex);
      expect((await v1.get(path)).body).toEqual(next);
    });

    test("keeps by a partial update all that this does not name; null empties", async () => {
      const { path, body } = await make({ Description: "d" });
      let last = body.ModifyIndex;
      for (const [change, Description] of [
        [{}, "d"],
        [{ Description: "e" }, "e"],
        [{ DESCRIPTION: "f", CreateIndex: 1, ModifyIndex: 2 }, "f"],
        [{ description: null }, ""],
      ] as const) {
        const answer = await v1.patch(path, change);
        expect(answer.status, answer.text).toBe(200);
        const { ModifyIndex, Description: shown = "", Hash, ...rest } = answer.body;
        expect(shown).toBe(Description);
        expect({ ...body, ...rest, ModifyIndex: 0, Hash: "" }).toEqual({ ...body, ModifyIndex: 0, Hash: "" });
        expect(Hash === body.Hash).toBe(Description === "d" || Hash === undefined);
        expect(ModifyIndex).toBeGreaterThan(last);
        last = ModifyIndex;
        expect((await v1.get(path)).body).toEqual(answer.body);
      }
    });

    test("is gone when it was deleted, which is said once", async () => {
      const { path, body } = await make();
      const upper = `${of.path}/${idOf(body).toUpperCase()}`;
      expect(await v1.delete(upper)).toMatchObject({ status: 200, text: of.deleted });
      if (of.deleted === "") await finishDeletion(v1.db);
      for (const answer of [await v1.get(path), await v1.patch(path, {}), await v1.delete(path)]) {
        expect(answer.status).toBe(404);
      }
      expect(((await v1.get(of.list)).body as object[]).map(idOf)).not.toContain(idOf(body));
    });

    describe("with compare-and-set", () => {
      test("is changed only at the index that it has", async () => {
        const { path, body } = await make();
        const { Name, ModifyIndex } = body;
        const lost = of.contentOf({ Name, Description: "lost" });
        for (const cas of [ModifyIndex - 1, ModifyIndex + 1, 0, "18446744073709551615"]) {
          for (const answer of [
            await v1.put(`${path}?cas=${cas}`, lost),
            ...(of.isNamed ? [await v1.put(`${of.path}?cas=${cas}`, lost)] : []),
            await v1.patch(`${path}?cas=${cas}`, { Description: "lost" }),
            await v1.delete(`${path}?cas=${cas}`),
          ]) {
            const text = cas === 0 ? THERE : expect.stringContaining(`Conflict: ModifyIndex is ${ModifyIndex}, `);
            expect(answer).toMatchObject({ status: 409, text });
          }
          expect((await v1.get(path)).body).toEqual(body);
        }
        const again = { put: path, ...(of.isNamed ? { create: of.path } : {}) };
        let current = body;
        for (const url of Object.values(again)) {
          const Description = v1.unique("d");
          current = (await v1.put(`${url}?cas=${current.ModifyIndex}`, of.contentOf({ Name, Description }))).body;
          expect(current).toMatchObject({ Description });
        }
        const last = (await v1.patch(`${path}?cas=${current.ModifyIndex}`, { Description: "2" })).body;
        expect(last).toMatchObject({ Description: "2" });
        expect((await v1.delete(`${path}?cas=${current.ModifyIndex}`)).status).toBe(409);
        expect(await v1.delete(`${path}?cas=${last.ModifyIndex}`)).toMatchObject({ status: 200, text: of.deleted });
      });

      test("is made at 0 alone, and another condition than a number is refused", async () => {
        const [one, other] = [v1.unique("new"), v1.unique("new")];
        expect((await v1.put(`${of.path}?cas=7`, of.contentOf({ Name: one }))).status).toBe(409);
        expect((await v1.put(`${of.path}?cas=0`, of.contentOf({ Name: one }))).status).toBe(200);
        if (of.isNamed) {
          const path = `${of.path}/${other}`;
          const answer = await v1.put(`${of.path}?cas=0`, of.contentOf({ Name: one }));
          expect(answer).toMatchObject({ status: 409, text: THERE });
          expect((await v1.put(`${path}?cas=7`, of.contentOf({ Name: other }))).status).toBe(409);
          expect((await v1.get(path)).status).toBe(404);
          expect((await v1.put(`${path}?cas=0`, of.contentOf({ Name: other }))).status).toBe(200);
        }
        const { path, body } = await make();
        for (const cas of ["", "x", "-1", "1.5", "18446744073709551616", "0x1"]) {
          for (const answer of [
            await v1.put(`${of.path}?cas=${cas}`, of.contentOf({ Name: v1.unique("never") })),
            await v1.put(`${path}?cas=${cas}`, of.contentOf({ Name: body.Name })),
            await v1.patch(`${path}?cas=${cas}`),
            await v1.delete(`${path}?cas=${cas}`),
          ]) {
            expect(answer).toMatchObject({ status: 400, text: "Invalid cas value" });
          }
        }
      });

      test("is missing where it is missing, and the condition tells nothing to who may not write", async () => {
        // A namespace or partition refuses an index that it never had first.
        for (const cas of of.right === "acl" ? [0, 1] : [0]) {
          expect((await v1.patch(`${of.path}/${NOBODY}?cas=${cas}`)).status).toBe(404);
          expect((await v1.delete(`${of.path}/${NOBODY}?cas=${cas}`)).status).toBe(404);
        }
        const reader = await v1.tokenWith(`${of.right} = "read"`);
        const { path } = await make();
        for (const url of [path, `${of.path}/${NOBODY}`]) {
          for (const answer of [
            await v1.put(`${url}?cas=1`, {}, reader),
            await v1.patch(`${url}?cas=1`, {}, reader),
            await v1.delete(`${url}?cas=1`, reader),
          ]) {
            expect(answer.status).toBe(403);
          }
        }
      });
    });
  });
});
