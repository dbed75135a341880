/** Two servers, each a process of its own, on one PostgreSQL: what one changes of a namespace counts on the other. */
import { afterEach, describe, expect, test } from "vitest";
import { makeDatabaseUrl } from "../../../test/support/engines.ts";
import { ask, startTwo, stopAll } from "../../../test/support/two-nodes.ts";

afterEach(stopAll);

describe.each([["notify"], ["poll"]])("with --feed %s", (feed) => {
  test("incident 22: defaults, their policies and roles, and the mark of a namespace count on the other server", async () => {
    const { first, second, token: root } = await startTwo(await makeDatabaseUrl("postgres"), ["--feed", feed]);
    const change = async (method: string, path: string, body: object) => {
      const answer = await ask(first, root, method, path, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.body as { ID: string; SecretID: string };
    };
    const Rules = 'namespace "team" { acl = "read" }';
    const policy = await change("PUT", "/acl/policy", { Name: "given", Rules });
    const role = await change("PUT", "/acl/role", { Name: "given" });
    await change("PUT", "/namespace", { Name: "team" });
    const { SecretID } = await change("PUT", "/acl/token?ns=team", {});
    const list = async () => (await ask(second, SecretID, "GET", "/acl/policies")).status;
    const until = async (status: number) => {
      await expect.poll(list, { timeout: 60_000, interval: 10 }).toBe(status);
    };
    await until(403);

    const steps: [what: string, method: string, path: string, body: object, status: number][] = [
      ["a default policy", "PATCH", "/namespace/team", { ACLs: { PolicyDefaults: [{ Name: "given" }] } }, 200],
      ["its rules", "PATCH", `/acl/policy/${policy.ID}`, { Rules: "" }, 403],
      ["its rules again", "PATCH", `/acl/policy/${policy.ID}`, { Rules }, 200],
      ["no defaults", "PATCH", "/namespace/team", { ACLs: null }, 403],
      ["a default role", "PATCH", "/namespace/team", { ACLs: { RoleDefaults: [{ Name: "given" }] } }, 403],
      ["a policy of it", "PATCH", `/acl/role/${role.ID}`, { Policies: [{ Name: "given" }] }, 200],
      ["none of it", "PATCH", `/acl/role/${role.ID}`, { Policies: [] }, 403],
      ["a policy of it again", "PATCH", `/acl/role/${role.ID}`, { Policies: [{ Name: "given" }] }, 200],
    ];
    for (const [, method, path, body, status] of steps) {
      await change(method, path, body);
      await until(status);
    }
    const self = async () => (await ask(second, SecretID, "GET", "/acl/token/self")).text;
    expect(
      (await fetch(`${first.url}/v1/namespace/team`, { method: "DELETE", headers: { "x-consul-token": root } })).status,
    ).toBe(200);
    await expect.poll(self, { timeout: 60_000, interval: 10 }).toBe("ACL not found");
    // One of the two does the work, and both know of its end.
    for (const server of [first, second]) {
      const gone = async () => (await ask(server, root, "GET", "/namespace/team")).status;
      await expect.poll(gone, { timeout: 60_000, interval: 20 }).toBe(404);
    }
    await change("PUT", "/namespace", { Name: "team" });
    expect(await self()).toBe("ACL not found");
  });
});
