/** Reads that wait, and streams: what they tell, and how they go on after failures. */
import { createClient, type Client } from "@tessera-server/client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { forEachEngine } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { startUnsteady, type Unsteady } from "./unsteady.ts";

forEachEngine((engine, makeUrl) => {
  describe("the client", () => {
    let server: RunningServer;
    let between: Unsteady;
    /** Asks the server itself. */
    let direct: Client;
    let client: Client;
    let controller: AbortController;
    let failures: string[];
    const organization = `watch-${engine}`;
    let round = 0;

    beforeAll(async () => {
      server = await startServer({ database: await makeUrl() });
      direct = createClient({ address: server.url, token: server.token });
      const attributes = { name: organization, email: "a@example.com" };
      await direct.organizations.create({ body: { data: { type: "organizations", attributes } } });
    });
    afterAll(async () => server.stop());
    beforeEach(async () => {
      round++;
      failures = [];
      controller = new AbortController();
      between = await startUnsteady(server.url);
      client = createClient({ address: between.url, token: server.token, retries: 0 });
    });
    afterEach(async () => {
      controller.abort();
      await between.close();
    });

    const waiting = () => ({
      signal: controller.signal,
      onReconnect: (error: Error) => void failures.push(String(error)),
    });
    const makeRole = async (name: string) => direct.roles.create({ body: { Name: `${name}-${round}` } });
    const tag = async (name: string) =>
      direct.tags.create({ organization, body: { data: [{ type: "tags", attributes: { name } }] } });
    async function next<T>(iterator: AsyncIterator<T>): Promise<T> {
      const found = await iterator.next();
      return found.done === true ? expect.fail("there is no more") : found.value;
    }

    it("tells what a list of /v1 holds at once, and again with each change, and nothing twice", async () => {
      const roles = client.roles.list.watch(waiting());
      const before = ((await next(roles)).body ?? []).length;
      const later = next(roles);
      await makeRole("first");
      expect((await later).body).toHaveLength(before + 1);
      const again = next(roles);
      // In another table: the wait goes on.
      await direct.policies.create({ body: { Name: `other-${round}` } });
      await makeRole("second");
      expect((await again).body).toHaveLength(before + 2);
      expect(between.seen[0]).toBe("GET /v1/acl/roles");
      expect(between.seen.slice(1).every((line) => /\?index=\d+&wait=50s$/.test(line))).toBe(true);
      expect(failures).toEqual([]);
    });

    it("waits for what is missing under /v1, and tells of its deletion", async () => {
      const name = `awaited-${round}`;
      const role = client.roles.readByName.watch({ name, ...waiting() });
      expect(await next(role)).toMatchObject({ status: 404, body: undefined });
      const later = next(role);
      const { ID } = await makeRole("awaited");
      expect(await later).toMatchObject({ status: 200, body: { Name: name } });
      const gone = next(role);
      await direct.roles.delete({ id: ID });
      expect(await gone).toMatchObject({ status: 404, body: undefined });
    });

    it("waits by the ETag under /api/v2", async () => {
      await tag("before");
      const tags = client.tags.list.watch({ organization, ...waiting() });
      const names = (answer: { body: { data: readonly { attributes: { name: string } }[] } | undefined }) =>
        answer.body?.data.map(({ attributes }) => attributes.name);
      expect(names(await next(tags))).toContain("before");
      const later = next(tags);
      await tag(`after-${round}`);
      expect(names(await later)).toContain(`after-${round}`);
      expect(between.seen).toHaveLength(2);
    });

    it("goes on after the connection was lost, and tells what changed meanwhile", async () => {
      const roles = client.roles.list.watch(waiting());
      const before = ((await next(roles)).body ?? []).length;
      between.next = [{ kind: "reset" }, { kind: "status", status: 503 }, { kind: "reset" }];
      const later = next(roles);
      await expect.poll(() => failures.length).toBe(3);
      await makeRole("meanwhile");
      expect((await later).body).toHaveLength(before + 1);
      // The database after a lost connection may be another one: the first request then does not wait.
      expect(between.seen.slice(1).map((line) => line.includes("index="))).toContain(false);
    });

    it("asks anew, without waiting, when the index goes back", async () => {
      await makeRole("any");
      const roles = client.roles.list.watch(waiting());
      await next(roles);
      between.next = [{ kind: "headers", headers: { "x-service-index": "1" } }];
      const later = next(roles);
      await expect.poll(() => between.seen.length).toBe(2);
      await makeRole("one");
      await later;
      const after = next(roles);
      await expect.poll(() => between.seen.length).toBe(4);
      await makeRole("two");
      await after;
      const [, second = "", third = "", fourth = ""] = between.seen;
      expect(second).toMatch(/index=/);
      expect(third).not.toMatch(/index=/);
      expect(fourth).toMatch(/index=(?!1&)\d+/);
    });

    it("does not ask without end when answers that should wait come at once", async () => {
      const headers = { "content-type": "application/json", "x-service-index": "5" };
      const same = { kind: "status", status: 200, headers, body: "[]" } as const;
      between.next = Array.from({ length: 1000 }, () => same);
      const roles = client.roles.list.watch(waiting());
      await next(roles);
      const never = next(roles).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(between.seen.length).toBeLessThan(10);
      controller.abort();
      await never;
    });

    it("ends when the token is revoked, with what the server says", async () => {
      const made = await direct.tokens.create({ body: { Policies: [{ Name: "global-management" }] } });
      const own = createClient({ address: server.url, token: made.SecretID });
      const roles = own.roles.list.watch(waiting());
      await next(roles);
      const later = next(roles);
      const [, error] = await Promise.all([
        direct.tokens.delete({ accessor: made.AccessorID }),
        later.catch((thrown: unknown) => thrown),
      ]);
      expect(error).toMatchObject({ name: "TesseraError", status: 403 });
    });

    it("throws what its first request met, and TypeError where there is nothing to wait for", async () => {
      between.next = [{ kind: "reset" }];
      await expect(next(client.roles.list.watch(waiting()))).rejects.toMatchObject({ kind: "cut" });
      await expect(next(client.watch("createRole", waiting()))).rejects.toThrow(TypeError);
    });

    it("follows the events of both families, and misses none when the connection is lost", async () => {
      let changes = 0;
      const streams = [
        {
          events: client.events.stream({ topics: "roles", ...waiting() }),
          change: async () => makeRole(`event-${changes++}`),
        },
        {
          events: client.events.streamOfOrganization({ organization, ...waiting() }),
          change: async () => tag(`event-${round}-${changes++}`),
        },
      ];
      for (const { events, change } of streams) {
        const first = next(events);
        // Until one of them comes behind the beginning of the stream.
        const timer = setInterval(() => void change().catch(() => undefined), 100);
        expect((await first).id).toMatch(/./);
        clearInterval(timer);
        const again = next(events);
        // Again and again: there may be no connection at the first time.
        const cut = () => {
          between.cutAll();
          return failures.length;
        };
        await expect.poll(cut).toBeGreaterThan(0);
        await change();
        expect((await again).data).toBeTypeOf("object");
        failures = [];
      }
    });
  });
});
