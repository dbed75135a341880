import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { NOBODY, useV1 } from "../../../../test/support/v1.ts";
import { createWaits } from "../../../../test/support/waits.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { waitsPerToken: 1200, waitsPerAddress: 3 } });

  const { indexOf, wait, passing } = createWaits(v1);

  const objects = {
    policy: async () => {
      const name = v1.unique("watched");
      const id = await v1.policy("", name);
      return { id, name, change: () => v1.put(`/acl/policy/${id}`, { Name: name, Description: "changed" }) };
    },
    role: async () => {
      const Name = v1.unique("watched");
      const id = await v1.role({ Name });
      return { id, name: Name, change: () => v1.put(`/acl/role/${id}`, { Name, Description: "changed" }) };
    },
    token: async () => {
      const { accessor: id } = await v1.token();
      return { id, name: "", change: () => v1.put(`/acl/token/${id}`, { Description: "changed" }) };
    },
  };
  type Kind = keyof typeof objects;
  const make: Record<Kind, () => Promise<unknown>> = {
    policy: () => v1.policy(""),
    role: () => v1.role(),
    token: () => v1.token(),
  };
  const kinds: Kind[] = ["policy", "role", "token"];
  const lists: Record<Kind, string> = { policy: "/acl/policies", role: "/acl/roles", token: "/acl/tokens" };

  describe.each(kinds)("a blocking read of a %s", (kind) => {
    const other = kind === "token" ? "policy" : "token";

    test("by its ID waits for a change of it, and for no other", async () => {
      const { id, change } = await objects[kind]();
      const held = await wait(`/acl/${kind}/${id}`);
      await passing(lists[kind], make[kind]);
      await passing(lists[other], make[other]);
      expect(held.isOver()).toBe(false);
      const { body } = await change();
      const answer = await held.answer;
      expect(answer).toMatchObject({ status: 200, body: { Description: "changed", ModifyIndex: body.ModifyIndex } });
      expect(Number(answer.headers["x-service-index"])).toBeGreaterThanOrEqual(Number(body.ModifyIndex));
    });

    test("in upper case waits all the same", async () => {
      const { id, change } = await objects[kind]();
      const held = await wait(`/acl/${kind}/${id.toUpperCase()}`);
      expect(held.isOver()).toBe(false);
      await change();
      expect((await held.answer).body).toMatchObject({ Description: "changed" });
    });

    test("is told that it is gone", async () => {
      const { id } = await objects[kind]();
      const held = await wait(`/acl/${kind}/${id}`);
      await v1.delete(`/acl/${kind}/${id}`);
      const { status, headers } = await held.answer;
      expect(status).toBe(404);
      expect(Number(headers["x-service-index"])).toBe(await indexOf(lists[kind]));
    });

    test("of the whole list waits for every change in its table, a deletion too, and for no other table", async () => {
      const held = await wait(lists[kind]);
      await passing(lists[other], make[other]);
      expect(held.isOver()).toBe(false);
      const { id } = await objects[kind]();
      const first = await held.answer;
      expect(first.text).toContain(id);
      const again = await wait(lists[kind]);
      await v1.delete(`/acl/${kind}/${id}`);
      const second = await again.answer;
      expect(second.text).not.toContain(id);
      expect(Number(second.headers["x-service-index"])).toBeGreaterThan(Number(first.headers["x-service-index"]));
    });

    test("with an index that is old is answered at once", async () => {
      const { id } = await objects[kind]();
      for (const path of [lists[kind], `/acl/${kind}/${id}`]) {
        const index = await indexOf(path);
        expect((await wait(path, { since: index - 1 })).isOver(), path).toBe(true);
      }
    });

    test("answers what there is when its time is over", async () => {
      const { id } = await objects[kind]();
      for (const path of [lists[kind], `/acl/${kind}/${id}`]) {
        const now = await v1.get(path);
        const started = performance.now();
        const held = await wait(path, { wait: "400ms" });
        const answer = await held.answer;
        expect(answer).toMatchObject({ status: 200, text: now.text });
        expect(answer.headers["x-service-index"]).toBe(now.headers["x-service-index"]);
        expect(performance.now() - started).toBeGreaterThanOrEqual(395);
      }
    });

    test("shows the index of its own table, also when those that it is made from besides are ahead", async () => {
      const { id } = await objects[kind]();
      await v1.role({ Policies: [{ ID: await v1.policy("") }] });
      if (kind !== "token") await v1.policy("");
      if (kind === "policy") await v1.token();
      for (const path of [lists[kind], `/acl/${kind}/${id}`]) {
        const index = await indexOf(path);
        for (const asked of [{ since: index - 1 }, { wait: "100ms" }]) {
          const { headers } = await (await wait(path, asked)).answer;
          expect([path, headers["x-service-index"]]).toEqual([path, String(index)]);
        }
      }
    });

    test.each(["9223372036854775808", "18446744073709551615"])(
      "with the index %s waits until its time is over",
      async (since) => {
        const { id, change } = await objects[kind]();
        const started = performance.now();
        const held = await wait(`/acl/${kind}/${id}`, { since, wait: "500ms" });
        await change();
        expect(await held.answer).toMatchObject({ status: 200, body: { Description: "changed" } });
        expect(performance.now() - started).toBeGreaterThanOrEqual(495);
      },
    );
  });

  describe.each(["policy", "role"] as const)("a blocking read of a missing %s", (kind) => {
    const textOfMissing = async (path: string) => (await v1.get(path)).text;

    test("by name waits for it to be made, and for no other", async () => {
      const name = v1.unique("to-come");
      const path = `/acl/${kind}/name/${name}`;
      const missing = await textOfMissing(path);
      const held = await wait(path);
      await passing(lists[kind], make[kind]);
      expect(held.isOver()).toBe(false);
      await v1.put(`/acl/${kind}`, { Name: name });
      expect(await held.answer).toMatchObject({ status: 200, body: { Name: name } });
      expect(missing).toContain("does not exist: ACL not found");
    });

    test("is 404 when its time is over", async () => {
      for (const path of [`/acl/${kind}/name/nobody`, `/acl/${kind}/${NOBODY}`]) {
        const answer = await (await wait(path, { wait: "200ms" })).answer;
        expect(answer).toMatchObject({ status: 404, text: await textOfMissing(path) });
        expect(Number(answer.headers["x-service-index"])).toBe(await indexOf(lists[kind]));
      }
    });

    test("by name waits for a new name, and is told when the name is another's", async () => {
      const { id, name } = await objects[kind]();
      const next = v1.unique("renamed");
      const [old, renamed] = [await wait(`/acl/${kind}/name/${name}`), await wait(`/acl/${kind}/name/${next}`)];
      await v1.put(`/acl/${kind}/${id}`, { Name: next });
      expect(await old.answer).toMatchObject({ status: 404 });
      expect(await renamed.answer).toMatchObject({ status: 200, body: { ID: id } });
    });
  });

  test("a missing token is refused at once", async () => {
    const since = await indexOf("/acl/tokens");
    const held = await wait(`/acl/token/${NOBODY}`, { since });
    expect(held.isOver()).toBe(true);
    expect(await held.answer).toMatchObject({ status: 404, text: "token does not exist: ACL not found" });
  });

  test.each([
    ["index=18446744073709551616", "Invalid index"],
    ["index=-1", "Invalid index"],
    ["index=1.5", "Invalid index"],
    ["index=x", "Invalid index"],
    ["index=1&wait=x", "Invalid wait time"],
    ["index=1&wait=5", "Invalid wait time"],
    ["index=1&wait=1h1", "Invalid wait time"],
    ["index=1&stale&consistent", "Cannot specify ?stale with ?consistent, conflicting semantics."],
  ])("?%s is refused", async (query, text) => {
    for (const path of ["/acl/policies", "/acl/token/self", `/acl/role/${NOBODY}`]) {
      expect(await v1.get(`${path}?${query}`)).toMatchObject({ status: 400, text });
    }
  });
});
