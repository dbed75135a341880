import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { createWaits, QUIET_MS } from "../../../test/support/waits.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { wait } = createWaits(v1);
  const partition = async () => {
    const Name = v1.unique("unit");
    expect((await v1.put("/partition", { Name })).status).toBe(200);
    return Name;
  };
  const indexOf = (answer: Answer) => Number(answer.headers["x-service-index"]);
  const listIndex = async (unit: string, kind = "policies") => indexOf(await v1.get(`/acl/${kind}?partition=${unit}`));
  const put = async (unit: string, body: object = {}) =>
    (await v1.put(`/acl/policy?partition=${unit}`, { Name: v1.unique("p"), ...body })).body as { ModifyIndex: number };

  describe("each partition counts for itself", () => {
    test("writes in one raise no index of another", async () => {
      const [one, other] = [await partition(), await partition()];
      const still = async () => [
        await listIndex(other),
        await listIndex(other, "tokens"),
        indexOf(await v1.get(`/namespaces?partition=${other}`)),
        indexOf(await v1.get("/acl/policies")),
        (await v1.get(`/partition/${other}`)).body.ModifyIndex,
      ];
      const before = await still();
      for (let write = 0; write < 20; write++) await put(one);
      await v1.put(`/namespace/team?partition=${one}`, {});
      await v1.patch(`/partition/${one}`, { Description: "x" });
      expect(await still()).toEqual(before);
      // The next index of each partition follows its own last one.
      const first = (await put(other)).ModifyIndex;
      expect((await put(other)).ModifyIndex).toBe(first + 1);
    });

    test("a new one begins at the beginning, whatever others have counted", async () => {
      const busy = await partition();
      for (let write = 0; write < 30; write++) await put(busy);
      const { body } = await v1.put("/partition", { Name: v1.unique("unit") });
      expect(body.CreateIndex).toBeGreaterThan(0);
      expect(body.CreateIndex).toBeLessThan(10);
    });

    test("an object of the partition itself is written under its own counter", async () => {
      const unit = await partition();
      const policy = await put(unit);
      const changed = (await v1.patch(`/partition/${unit}`, { Description: "x" })).body;
      expect(changed.ModifyIndex).toBe(policy.ModifyIndex + 1);
      expect((await put(unit)).ModifyIndex).toBe(changed.ModifyIndex + 1);
    });

    test("who waits in one is not woken by another", async () => {
      const [one, other] = [await partition(), await partition()];
      const held = await wait(`/acl/policies?partition=${one}`);
      const namespaces = await wait(`/namespaces?partition=${one}`);
      await put(other);
      await v1.put(`/namespace/team?partition=${other}`, {});
      await v1.policy("");
      await sleep(QUIET_MS);
      expect([held.isOver(), namespaces.isOver()]).toEqual([false, false]);
      await put(one);
      expect((await held.answer).body).toHaveLength(2);
      await v1.put(`/namespace/team?partition=${one}`, {});
      expect((await namespaces.answer).body).toHaveLength(2);
    });

    test("writes in many partitions at once all succeed, and each counts without a gap", async () => {
      const units = await Promise.all(Array.from({ length: 6 }, () => partition()));
      const written = await Promise.all(
        units.map(async (unit) => Promise.all(Array.from({ length: 15 }, () => put(unit)))),
      );
      for (const policies of written) {
        const indexes = policies.map(({ ModifyIndex }) => ModifyIndex).toSorted((a, b) => a - b);
        const [first = 0] = indexes;
        expect(indexes).toEqual(indexes.map((_, at) => first + at));
      }
    });

    test("many who make the same partition at once make one", async () => {
      const Name = v1.unique("raced");
      const made = await Promise.all(Array.from({ length: 12 }, () => v1.put("/partition", { Name })));
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
      expect(new Set(made.map(({ body }) => body.CreateIndex)).size).toBe(1);
      expect(new Set(made.map(({ body }) => body.ModifyIndex)).size).toBe(made.length);
      expect((await v1.get(`/namespaces?partition=${Name}`)).body).toHaveLength(1);
      expect((await v1.get(`/acl/policies?partition=${Name}`)).body).toHaveLength(1);
    });
  });

  test("a partition made again goes on with greater indexes than the one before", async () => {
    const unit = await partition();
    for (let write = 0; write < 10; write++) await put(unit);
    const last = (await v1.patch(`/partition/${unit}`, { Description: "last" })).body;
    await v1.delete(`/partition/${unit}`);
    const marked = (await v1.get(`/partition/${unit}`)).body;
    expect(marked.ModifyIndex).toBeGreaterThan(last.ModifyIndex);
    await finishDeletion(v1.db);
    expect((await v1.get(`/partition/${unit}`)).status).toBe(404);
    const again = (await v1.put("/partition", { Name: unit })).body;
    expect(again).toEqual({ Name: unit, CreateIndex: again.ModifyIndex, ModifyIndex: again.ModifyIndex });
    expect(again.CreateIndex).toBeGreaterThan(marked.ModifyIndex);
    expect(await listIndex(unit)).toBeGreaterThanOrEqual(again.CreateIndex);
    expect((await put(unit)).ModifyIndex).toBeGreaterThan(again.ModifyIndex);
    const namespace = (await v1.get(`/namespace/default?partition=${unit}`)).body;
    expect(namespace.CreateIndex).toBe(again.CreateIndex);
  });
});
