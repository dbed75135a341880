/** Two servers, each a process of its own, on one PostgreSQL: a policy that one deletes and restores counts on the other. */
import { afterEach, expect, test } from "vitest";
import { makeDatabaseUrl } from "../../../test/support/engines.ts";
import { ask, startTwo, stopAll } from "../../../test/support/two-nodes.ts";

afterEach(stopAll);

test("permissions end on the other server with the deletion of a policy, and apply there again when it is restored", async () => {
  const { first, second, token: root } = await startTwo(await makeDatabaseUrl("postgres"), []);
  const change = async (method: "PUT" | "POST" | "DELETE", path: string, body?: object) => {
    const answer = await ask(first, root, method, path, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { ID: string; SecretID: string };
  };
  const policy = await change("PUT", "/acl/policy", { Name: "reader", Rules: 'acl = "read"' });
  const { SecretID } = await change("PUT", "/acl/token", { Policies: [{ Name: "reader" }] });
  const status = async () => (await ask(second, SecretID, "GET", "/acl/policies")).status;
  await expect.poll(status, { timeout: 60_000, interval: 10 }).toBe(200);
  await change("DELETE", `/acl/policy/${policy.ID}`);
  await expect.poll(status, { timeout: 60_000, interval: 10 }).toBe(403);
  const { body } = await ask(second, root, "GET", "/acl/trash");
  const [entry] = body as unknown as { ID: string; ObjectID: string }[];
  expect(entry?.ObjectID).toBe(policy.ID);
  await change("POST", `/acl/trash/${entry?.ID}/restore`, {});
  await expect.poll(status, { timeout: 60_000, interval: 10 }).toBe(200);
});
