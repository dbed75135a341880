/** `can`, `why` and `access who`: decisions as people read them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Client } from "@tessera-server/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readVersion } from "../../src/config/version.ts";
import { asProcess, command } from "../support/cli.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const RULES = 'key_prefix "app/" {\n  policy = "write"\n}\nkey "app/live" {\n  policy = "read"\n}\n';

forEachEngine((_engine, makeUrl) => {
  describe("a decision", () => {
    let server: RunningServer;
    let client: Client;
    let env: Record<string, string>;
    let token: { AccessorID: string; SecretID: string };

    beforeAll(async () => {
      server = await startServer({ database: await makeUrl() });
      client = createClient({ address: server.url, token: server.token });
      env = { HOME: temporaryDirectory(), TESSERA_ADDR: server.url, TESSERA_TOKEN: server.token };
      const body = { Name: "app-writers", Rules: RULES };
      await client.request("createPolicy", { body });
      await client.request("createPolicy", { body: { Name: "live", Rules: 'key "app/live" { policy = "write" }' } });
      await client.request("createRole", { body: { Name: "writers", Policies: [{ Name: "app-writers" }] } });
      await client.request("createRole", { body: { Name: "operators", Policies: [{ Name: "live" }] } });
      const links = { Roles: [{ Name: "writers" }], Description: "deployments" };
      ({ body: token } = await client.request<typeof token>("createToken", { body: links }));
    });
    afterAll(async () => server.stop());

    it("is told by can in sentences that lead from the rule to the link, and to what would allow it", async () => {
      const words = ["can", "write", "key", "app/live", "--token", token.AccessorID];
      expect(await asProcess(words, env)).toEqual({
        code: 4,
        stdout: [
          "no",
          "Deciding rule:",
          '  key "app/live" { policy = "read" }',
          "in policy app-writers (line 4, column 5),",
          "  held through role writers",
          "Minimal rule that allows this access:",
          '  key "app/live" {',
          '    policy = "write"',
          "  }",
          "Roles that grant this access: operators",
          "",
        ].join("\n"),
        stderr: "tessera: write key app/live is denied\n",
      });
    });

    it("is asked of the decision point, with own types and their properties", async () => {
      const body = {
        Name: "records",
        SubjectTypes: [{ Type: "team", As: "role", Template: "${id}" }],
        ResourceTypes: [
          {
            Type: "record",
            Actions: [
              { Action: "delete", Properties: { soft: true }, Kind: "key", Segment: "app/${id}", Access: "write" },
              { Action: "delete", Properties: { soft: false }, Kind: "key", Segment: "purge/${id}", Access: "write" },
            ],
          },
        ],
      };
      await client.request("createDecisionMapping", { body });
      const asked = ["can", "delete", "record", "next", "--authzen", "team:writers", "--explain"];
      expect(await asProcess([...asked, "--property", "soft=true"], env)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(
          'yes\nDeciding rule:\n  key_prefix "app/" { policy = "write" }\nin policy app-writers',
        ),
      });
      expect(await asProcess([...asked, "--property", "soft=false"], env)).toEqual({
        code: 4,
        stdout: expect.stringMatching(/^no\n[^]*key "purge\/next" \{/),
        stderr: "tessera: delete record next is denied\n",
      });
      expect(await asProcess(["can", "read", "key", "--authzen", "team:writers"], env)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("specify type and ID of the resource"),
      });
    });

    it("is told of a role, of a request by its path, and of the token in use", async () => {
      expect(await asProcess(["can", "write", "key", "app/next", "--role", "writers"], env)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(
          /^yes\n[^]*\n {2}key_prefix "app\/" \{ policy = "write" \}\nin policy app-writers /,
        ),
        stderr: "",
      });
      const request = (path: string) => asProcess(["can", path, "--token", token.AccessorID], env);
      expect(await request("GET /v1/acl/policies")).toMatchObject({
        code: 4,
        stdout:
          'no\nNo rule matches, so the default policy applies.\nMinimal rule that allows this access:\n  acl = "read"\nNo role in this namespace grants this access.\n',
        stderr: "tessera: GET /v1/acl/policies is denied\n",
      });
      expect(await request("PATCH /api/v2/workspaces/ws-doesNotExist1")).toMatchObject({
        code: 3,
        stdout: "unknown\n",
      });
      expect(await asProcess(["can", "write", "acl", "--explain"], env)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^yes\n[^]*in policy global-management,\n {2}held directly\n$/),
      });
      expect((await asProcess(["can", "something", "--token", token.AccessorID], env)).code).toBe(2);
    });

    it("is told of whoever had a policy that is not written yet, by its file or standard input", async () => {
      const file = join(temporaryDirectory(), "draft.hcl");
      writeFileSync(file, RULES);
      expect(await asProcess(["can", "write", "key", "app/next", "--rules", file], env)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("in policy draft (line 1, column 12),\n  held directly\n"),
      });
      expect(await asProcess(["can", "write", "key", "app/live", "--rules", "-"], env, RULES)).toMatchObject({
        code: 4,
      });
      const request = ["can", "GET /v1/acl/policies", "--rules", file];
      expect(await asProcess(request, env)).toMatchObject({ code: 4, stdout: expect.stringMatching(/^no\n/) });
      expect(await asProcess([...request, "--role", "writers"], env)).toMatchObject({ code: 2 });
      const wrong = await asProcess(["can", "write", "key", "a", "--rules", "-"], env, "key {\n}{");
      expect(wrong).toMatchObject({ code: 1, stdout: "" });
      const { stdout } = await asProcess(["policy", "list", "-o", "name"], env);
      expect(stdout).not.toContain("draft");
    });

    it("is not what a misspelt rule is: a check and a write say what was meant, and where", async () => {
      const rules = 'organisation "acme" {\n  policy = "read"\n}\nkey "a" {\n  polcy = "read"\n  policy = "read"\n}\n';
      const words = '1:1: unknown rule type "organisation"; it has no effect; did you mean organization?';
      const checked = await asProcess(["policy", "check", "-"], env, rules);
      expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining(`-:${words} (warning)\n`) });
      expect(checked.stdout).toMatch(/^-:5:3: .*"polcy".*; did you mean policy\? \(warning\)$/m);
      const written = await asProcess(["policy", "create", "misspelt", "--rules", rules], env);
      expect(written).toMatchObject({ code: 0, stderr: expect.stringContaining(`warning: ${words}\n`) });
    });

    it("and what was written stands on record with the command that wrote it", async () => {
      expect((await asProcess(["policy", "create", "by-command"], env)).code).toBe(0);
      const { stdout } = await asProcess(["audit", "list", "--kind", "policy", "-o", "json"], env);
      const records = JSON.parse(stdout) as { Name: string; Actor: { UserAgent: string } }[];
      const agents = records.filter(({ Name }) => Name === "by-command").map(({ Actor }) => Actor.UserAgent);
      expect(agents).toEqual([`tessera/${readVersion()} (${process.platform})`]);
    });

    it("of a refused request is told by why, and no line is wider than a terminal of 80 or 40 columns", async () => {
      const refused = await asProcess(["policy", "create", "mine", "-o", "json"], {
        ...env,
        TESSERA_TOKEN: token.SecretID,
      });
      const { error } = JSON.parse(refused.stderr) as { error: { requestId: string; hints: string[] } };
      expect(error.hints).toContain(
        `run tessera why for the reason, or tessera why ${error.requestId} with a token that has acl:read`,
      );
      for (const columns of [80, 40]) {
        const { code, stdout } = await command(["why", error.requestId], { env, isTerminal: true, columns });
        expect(code).toBe(0);
        expect(stdout.split("\n").filter((text) => text.length > columns)).toEqual([]);
        const words = stdout.replaceAll(/\s+/g, " ");
        expect(words).toMatch(
          /^write acl was denied at \S+Z\. The request was sent with the token \S+\. With the current policies, it is denied\. /,
        );
        expect(words).toContain(token.AccessorID);
        expect(words).toContain(
          'Minimal rule that allows this access: acl = "write" No role in this namespace grants this access.',
        );
      }
      const { stdout } = await command(["why", error.requestId, "-o", "json"], { env });
      expect(JSON.parse(stdout)).toMatchObject({ RequestID: error.requestId, Question: { Allow: false } });
    });

    it("who has it is listed with what gives it, within a terminal", async () => {
      const words = ["access", "who", "write", "key", "app/next"];
      const listed = await command(words, { env });
      expect(listed.stdout.split("\n").map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual(
        expect.arrayContaining([
          ["KIND", "NAME", "THROUGH"],
          ["role", "writers", "app-writers"],
          ["token", "deployments", "app-writers"],
        ]),
      );
      for (const columns of [80, 40]) {
        const { stdout } = await command([...words, "--no-color"], { env, isTerminal: true, columns });
        expect(stdout).toContain("role");
        expect(stdout.split("\n").filter((text) => text.length > columns)).toEqual([]);
      }
    });
  });
});
