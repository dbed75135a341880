/** Incident 88: a statement that the database refuses is 503, and its log line names it. */
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/engines.ts";
import { freshWholeDatabaseUrl, withClient } from "../support/postgres-schema.ts";
import { startServer } from "../support/server.ts";

test.each([
  ["/v1/acl/roles", (body: string) => body],
  ["/api/v2/organizations", (body: string) => (JSON.parse(body) as { errors: { detail: string }[] }).errors[0]?.detail],
])("a statement that the database refuses is 503, and the log names it: %s", async (path, detailOf) => {
  const database = await freshWholeDatabaseUrl();
  const server = await startServer({ database, dataDir: temporaryDirectory() });
  await withClient(database, async (client) => {
    await client.query("alter table roles rename to hidden_roles");
    await client.query("alter table organizations rename to hidden_organizations");
  });
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await fetch(server.url + path, { headers });
  const id = response.headers.get("x-request-id") ?? "";
  expect(response.status).toBe(503);
  expect(detailOf(await response.text())).toBe(
    `Storage refused the request. The server log has details under request ID ${id}`,
  );
  const logged = () => `${server.stdout}${server.stderr}`.split("\n").find((line) => line.includes('"level":"error"'));
  await expect.poll(logged).toContain(id);
  expect(JSON.parse(logged() ?? "")).toMatchObject({
    sqlState: "42P01",
    statement: expect.stringMatching(/^select /),
    err: { cause: { message: expect.stringContaining("does not exist") } },
  });
  expect(await server.stop()).toBe(0);
});
