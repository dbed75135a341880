import { expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { useV1 } from "../../test/support/v1.ts";
import { createQuestionLane } from "./question-lane.ts";

test("of one token two questions are answered at a time, and eight in all", async () => {
  const lane = createQuestionLane();
  const gate = Promise.withResolvers<undefined>();
  const running = new Map<string, number>();
  const ask = (owner: string) =>
    lane.run({ accessorId: owner, scope: { partition: "default", namespace: owner } }, async () => {
      running.set(owner, (running.get(owner) ?? 0) + 1);
      await gate.promise;
    });
  const owners = ["a", "b", "c", "d", "e"];
  const asked = owners.flatMap((owner) => Array.from({ length: 5 }, () => ask(owner)));
  await expect.poll(() => [...running.values()].reduce((sum, each) => sum + each, 0)).toBe(8);
  expect([...running]).toEqual([
    ["a", 2],
    ["b", 2],
    ["c", 2],
    ["d", 2],
  ]);
  gate.resolve(undefined);
  await Promise.all(asked);
  expect(running.get("e")).toBe(5);
});

test("of the tokens of one namespace six questions are answered at a time, so that it cannot keep others from theirs", async () => {
  const lane = createQuestionLane();
  const gate = Promise.withResolvers<undefined>();
  let running = 0;
  const ask = (accessorId: string, namespace: string, work: () => Promise<unknown>) =>
    lane.run({ accessorId, scope: { partition: "default", namespace } }, work);
  const asked = ["a", "b", "c", "d", "e"].flatMap((accessor) =>
    [1, 2].map(async () =>
      ask(accessor, "one", () => {
        running += 1;
        return gate.promise;
      }),
    ),
  );
  await expect.poll(() => running).toBe(6);
  expect(await ask("f", "other", async () => Promise.resolve("answered"))).toBe("answered");
  expect(running).toBe(6);
  gate.resolve(undefined);
  await Promise.all(asked);
  expect(running).toBe(10);
});

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("a token that asks more at once than may wait is told when to come back, and keeps nobody else waiting", async () => {
    const one = await v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] });
    const other = await v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] });
    const body = { AccessorID: one.accessor, Questions: [{ Resource: "acl", Access: "write" }] };
    const asks = [
      (token: string) => v1.get("/acl/access?resource=acl&access=write", token),
      (token: string) => v1.post("/acl/explain", body, token),
      (token: string) => v1.get("/acl/why/nothing-1", token),
    ];
    for (const ask of asks) {
      const all = Array.from({ length: 60 }, () => ask(one.secret));
      const another = ask(other.secret);
      const answers = await Promise.all(all);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      for (const { headers, text } of refused) {
        expect(headers["retry-after"]).toBe("1");
        expect(text).toContain("Too many access checks are running");
      }
      // Two at a time, and eight that wait.
      expect(answers.length - refused.length).toBeGreaterThanOrEqual(10);
      expect((await another).status).not.toBe(429);
    }
  });
});
