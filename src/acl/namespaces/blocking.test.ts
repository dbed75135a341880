import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import { createWaits, QUIET_MS } from "../../../test/support/waits.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const { indexOf, wait } = createWaits(v1);
  const namespace = async (content: object = {}) => {
    const Name = v1.unique("ns");
    expect((await v1.put("/namespace", { Name, ...content })).status).toBe(200);
    return Name;
  };

  describe("a blocking read of a namespace", () => {
    const changes = {
      "an update": (name: string) => v1.put(`/namespace/${name}`, { Description: "changed" }),
      "a patch": (name: string) => v1.patch(`/namespace/${name}`, { Description: "changed" }),
      "a create of the same name": (Name: string) => v1.put("/namespace", { Name, Description: "changed" }),
      "its mark": (name: string) => v1.delete(`/namespace/${name}`),
    };
    test.each(Object.keys(changes) as (keyof typeof changes)[])("waits for %s, and for nothing else", async (how) => {
      const name = await namespace();
      const held = await wait(`/namespace/${name.toUpperCase()}`);
      await namespace();
      await v1.put(`/acl/policy?ns=${name}`, { Name: "inside" });
      await v1.token();
      await sleep(QUIET_MS);
      expect(held.isOver()).toBe(false);
      await changes[how](name);
      const { status, body, headers } = await held.answer;
      expect(status).toBe(200);
      expect(how === "its mark" ? body.DeletedAt : body.Description).toBeTruthy();
      expect(Number(headers["x-service-index"])).toBeGreaterThanOrEqual(Number(body.ModifyIndex));
      expect(headers).toMatchObject({ "x-consul-knownleader": "true", "x-consul-lastcontact": "0" });
    });

    test("does not wake when a default that it shows has another name, and shows the new one when it is answered", async () => {
      const [policy, role] = [await v1.policy(""), await v1.role()];
      const name = await namespace({ ACLs: { PolicyDefaults: [{ ID: policy }], RoleDefaults: [{ ID: role }] } });
      const held = await wait(`/namespace/${name}`);
      const next = v1.unique("renamed");
      await v1.patch(`/acl/policy/${policy}`, { Name: next });
      await v1.delete(`/acl/role/${role}`);
      await sleep(QUIET_MS);
      // As with tokens and roles: the index of what links is not that of what is linked.
      expect(held.isOver()).toBe(false);
      const shown = { PolicyDefaults: [{ ID: policy, Name: next }], RoleDefaults: [] };
      expect((await v1.get(`/namespace/${name}`)).body.ACLs).toEqual(shown);
      await v1.patch(`/namespace/${name}`, { Description: "changed" });
      expect((await held.answer).body.ACLs).toEqual(shown);
    });

    test("that is missing waits for it to be made, and is 404 when its time is over", async () => {
      const name = v1.unique("to-come");
      const held = await wait(`/namespace/${name}`);
      await namespace();
      await sleep(QUIET_MS);
      expect(held.isOver()).toBe(false);
      await v1.put("/namespace", { Name: name });
      expect(await held.answer).toMatchObject({ status: 200, body: { Name: name } });
      const missing = await (await wait("/namespace/nobody", { wait: "200ms" })).answer;
      expect(missing).toMatchObject({ status: 404, text: 'Namespace "nobody" does not exist' });
      expect(Number(missing.headers["x-service-index"])).toBeGreaterThan(0);
    });

    test("that is empty wakes at its deletion, which is its end", async () => {
      const name = await namespace();
      const held = await wait(`/namespace/${name}`);
      const before = await indexOf(`/namespace/${name}`);
      await v1.delete(`/namespace/${name}`);
      const { status, headers } = await held.answer;
      expect(status).toBe(404);
      expect(Number(headers["x-service-index"])).toBeGreaterThan(before);
    });

    test("that is marked waits for its end, which is 404", async () => {
      const name = await namespace();
      await v1.put(`/acl/policy?ns=${name}`, { Name: "inside" });
      await v1.delete(`/namespace/${name}`);
      const held = await wait(`/namespace/${name}`);
      const marked = await indexOf(`/namespace/${name}`);
      expect(held.isOver()).toBe(false);
      await finishDeletion(v1.db);
      const { status, headers } = await held.answer;
      expect(status).toBe(404);
      expect(Number(headers["x-service-index"])).toBeGreaterThan(marked);
    });

    test("that begins before the end and lasts until the name is taken again is told of the new one", async () => {
      const name = await namespace();
      const before = (await v1.get(`/namespace/${name}`)).body;
      await v1.delete(`/namespace/${name}`);
      await finishDeletion(v1.db);
      const held = await wait(`/namespace/${name}`);
      expect(held.isOver()).toBe(false);
      await v1.put("/namespace", { Name: name });
      const { status, body, headers } = await held.answer;
      expect(status).toBe(200);
      expect(body.CreateIndex).toBeGreaterThan(before.ModifyIndex);
      expect(Number(headers["x-service-index"])).toBeGreaterThanOrEqual(body.CreateIndex);
    });
  });

  describe("a blocking list of namespaces", () => {
    test("waits for a new one, a change, a mark and an end, each time with a greater index", async () => {
      const name = v1.unique("ns");
      async function fillAndDelete() {
        // No list of namespaces wakes for that.
        await v1.put(`/acl/policy?ns=${name}`, { Name: "inside" });
        await v1.delete(`/namespace/${name}`);
      }
      const steps: [what: string, act: () => Promise<unknown>, shows: RegExp][] = [
        ["made", () => v1.put("/namespace", { Name: name }), new RegExp(`"Name":"${name}","Partition"`)],
        ["changed", () => v1.patch(`/namespace/${name}`, { Description: "z" }), /"Description":"z"/],
        ["marked", fillAndDelete, /"DeletedAt"/],
        ["gone", () => finishDeletion(v1.db), new RegExp(`^(?!.*"${name}")`)],
      ];
      let last = 0;
      for (const [what, act, shows] of steps) {
        const held = await wait("/namespaces");
        expect(held.isOver(), what).toBe(false);
        await act();
        const { text, headers } = await held.answer;
        expect(text, what).toMatch(shows);
        const index = Number(headers["x-service-index"]);
        expect(index, what).toBeGreaterThan(last);
        last = index;
      }
    });

    test("does not wake for what lies in namespaces without being shown", async () => {
      const name = await namespace();
      const held = await wait("/namespaces");
      await v1.put(`/acl/policy?ns=${name}`, { Name: "inside" });
      await v1.token();
      await sleep(QUIET_MS);
      expect(held.isOver()).toBe(false);
      await v1.put(`/namespace/${name}`);
      await held.answer;
    });

    test("shows what the caller sees when it is answered, with the header that says so", async () => {
      const policy = await v1.policy("");
      const { secret } = await v1.token({ Policies: [{ ID: policy }] });
      const name = await namespace();
      const held = await wait("/namespaces", { token: secret });
      await v1.patch(`/acl/policy/${policy}`, { Rules: `namespace "${name}" { acl = "read" }` });
      await v1.put(`/namespace/${name}`, { Description: "now" });
      const { body, headers } = await held.answer;
      // It may be woken by the rights already: what it shows is theirs in any case.
      expect(body).toMatchObject([{ Name: name }]);
      expect(headers["x-service-results-filtered-by-acls"]).toBe("true");
    });
  });

  test("who waits with a token of a namespace that is marked is refused at once", async () => {
    const name = await namespace();
    const content = { Policies: [{ Name: "namespace-management" }] };
    const { SecretID } = (await v1.put(`/acl/token?ns=${name}`, content)).body;
    const paths = [`/acl/policies`, `/namespace/${name}`, `/acl/token/self`];
    const held = await Promise.all(paths.map((path) => wait(path, { token: SecretID })));
    expect(held.map((each) => each.isOver())).toEqual([false, false, false]);
    await v1.delete(`/namespace/${name}`);
    for (const each of held) expect(await each.answer).toMatchObject({ status: 403, text: "ACL not found" });
  });

  describe("the topic namespaces of the event stream", () => {
    const streams: AbortController[] = [];
    afterEach(() => streams.splice(0).forEach((stream) => stream.abort()));
    let url = "";

    /** Keeps what a stream tells: topic, key and partition. */
    async function open(query: string, token: string): Promise<{ status: number; told: string[] }> {
      url ||= await v1.listen();
      const abort = new AbortController();
      streams.push(abort);
      const headers = { "x-consul-token": token };
      const response = await fetch(`${url}/v1/events${query}`, { headers, signal: abort.signal });
      const told: string[] = [];
      if (response.ok) {
        void (async () => {
          let text = "";
          for await (const chunk of response.body ?? []) {
            text += Buffer.from(chunk as Uint8Array).toString();
            const blocks = text.split("\n\n");
            text = blocks.pop() ?? "";
            for (const block of blocks) {
              const data = /^data: (.*)$/m.exec(block)?.[1];
              if (data === undefined) told.push("");
              else told.push(Object.values(JSON.parse(data) as object).join(" "));
            }
          }
        })().catch(() => undefined);
        // The first thing told is where the stream begins.
        await expect.poll(() => told.length).toBeGreaterThan(0);
        told.splice(0);
      }
      return { status: response.status, told };
    }

    test("tells of a new one, a change, a mark and the end, each with its index", async () => {
      // Finishes deletions of other tests.
      await finishDeletion(v1.db);
      const { told } = await open("?topics=namespaces", MANAGEMENT);
      const name = v1.unique("ns");
      const made = (await v1.put("/namespace", { Name: name })).body.ModifyIndex;
      const changed = (await v1.patch(`/namespace/${name}`, { Description: "x" })).body.ModifyIndex;
      await v1.put(`/acl/policy?ns=${name}`, { Name: "inside" });
      await v1.delete(`/namespace/${name}`);
      const marked = (await v1.get(`/namespace/${name}`)).body.ModifyIndex;
      await finishDeletion(v1.db);
      await expect.poll(() => told.length).toBe(4);
      const event = (index: unknown) => `namespaces ${name} ${String(index)} default default`;
      expect(told.slice(0, 3)).toEqual([made, changed, marked].map(event));
      const end = Number(told[3]?.split(" ")[2]);
      expect(told[3]).toBe(event(end));
      expect(end).toBeGreaterThan(marked);
    });

    test("is for those who see the namespace", async () => {
      const [seen, hidden] = [v1.unique("seen"), v1.unique("hidden")];
      const secret = await v1.tokenWith(`namespace "${seen}" { policy = "read" acl = "read" }`);
      const { told } = await open("?topics=namespaces", secret);
      for (const Name of [hidden, seen]) await v1.put("/namespace", { Name });
      await expect.poll(() => told.length).toBe(1);
      expect(told[0]).toContain(`namespaces ${seen} `);
      expect((await open("?topics=namespaces", await v1.tokenWith(""))).status).toBe(403);
    });
  });
});
