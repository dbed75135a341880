/** Tests that a restore names restored objects that may have been deleted since, up to a limit. */
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { ask, callerOf } from "../upgrades/caller.ts";
import { emptyPlace, tessera } from "./command.ts";

const POLICIES = 60;

describe.each(engines)("a restore into %s without --audit-file", (engine: Engine) => {
  test("names the tokens and policies that may have come back, all tokens with all rights and the newest 50 of each, and says how many more there are", async () => {
    const source = await emptyPlace(engine);
    const server = await startServer(source);
    onTestFinished(async () => void (await server.stop()));
    const { token } = server;
    const call = callerOf(server.url);
    const put = async (path: string, body: object) =>
      (await call("PUT", `/v1/acl/${path}`, body, token)) as { ID: string; AccessorID: string; SecretID: string };
    const role = await put("role", { Name: "admins", Policies: [{ ID: "00000000-0000-0000-0000-000000000001" }] });
    const managing = await put("token", { Description: "by role", Roles: [{ ID: role.ID }] });
    for (let made = 0; made < 60; made++) await put("token", {});
    const policies: string[] = [];
    for (let made = 0; made < POLICIES; made++) policies.push((await put("policy", { Name: `p-${made}` })).ID);
    await call("PUT", "/v1/namespace", { Name: "team" }, token);
    const revoked = await put("token", { Description: "on call\u001b[31m" });
    const elsewhere = await put("token?ns=team", {});
    const file = join(temporaryDirectory(), "backup");
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
    const deletion = await ask(server.url, "DELETE", `/v1/acl/token/${revoked.AccessorID}`, undefined, token);
    expect(deletion.status).toBe(200);

    const target = await emptyPlace(engine, source);
    const { status, stdout } = await tessera("restore", file, ...target.where);
    expect(status, stdout).toBe(0);
    expect(stdout).toContain(`  token ${revoked.AccessorID} ${JSON.stringify("on call\u001b[31m")}\n`);
    // By a role; older than the others, and yet among the first.
    expect(stdout).toContain(`  token ${managing.AccessorID} "by role", with all rights\n`);
    expect(
      stdout
        .match(/^ {2}token .*$/gm)
        ?.slice(0, 2)
        .every((line) => line.endsWith(", with all rights")),
    ).toBe(true);
    expect(stdout).toContain(`  token ${elsewhere.AccessorID} in default/team\n`);
    // The first one, whose secret the operator has.
    expect(stdout.match(/^ {2}token /gm)).toHaveLength(54 - 2);
    expect(stdout).not.toContain(revoked.SecretID);
    const named = [...stdout.matchAll(/^ {2}policy (\S+) "p-\d+"$/gm)].map(([, id]) => id);
    // One of the 50 is the namespace's own.
    expect(named).toEqual(policies.toReversed().slice(0, 49));
    expect(stdout).toMatch(/^ {2}and 12 more tokens, the older ones: /m);
    expect(stdout).toMatch(/^ {2}and 11 more policies, the older ones: /m);
    expect(stdout).not.toMatch(/global-management/);
  });
});
