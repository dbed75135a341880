/** Questions about tokens, roles and identities: commands in the process of the test, beside the application. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, type Client } from "@tessera-server/client";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "../../../test/support/command.ts";
import { addressOf } from "../../../test/support/declared.ts";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { MAPPINGS } from "../../../test/support/login.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

const RULES = 'key_prefix "app/" { policy = "write" }\nkey "app/live" { policy = "read" }\n';

/** A file of tests: `as` may write every key of the app but that which is live. */
function asking(as: string, mayWriteLive = false): string {
  return `
tests:
  - name: writers
    as: ${as}
    questions:
      - { resource: key, segment: app/next, access: write, allow: true }
      - { resource: key, segment: app/live, access: write, allow: ${mayWriteLive} }
`;
}

forEachEngine((_engine, makeUrl) => {
  describe("a question to the server", () => {
    const v1 = useV1(makeUrl);
    let client: Client;
    let env: Record<string, string>;

    beforeAll(async () => {
      const address = await addressOf(v1);
      client = createClient({ address, token: MANAGEMENT });
      env = { HOME: temporaryDirectory(), TESSERA_ADDR: address, TESSERA_TOKEN: MANAGEMENT };
      await client.request("createPolicy", { body: { Name: "app-writers", Rules: RULES } });
      await client.request("createRole", { body: { Name: "writers", Policies: [{ Name: "app-writers" }] } });
    });

    it("is told of whoever logs in by a method, by what they claim", async () => {
      const Config = { JWTValidationPubKeys: [createSigningKey("k1").publicKey], ...MAPPINGS };
      await client.request("createAuthMethod", { body: { Name: "ci", Type: "jwt", MaxTokenTTL: "1h", Config } });
      await client.request("createBindingRule", {
        body: { AuthMethod: "ci", Selector: 'value.team == "web"', BindType: "role", BindName: "writers" },
      });
      const codeOf = async (claims: string) =>
        (await command(["can", "write", "key", "app/next", "--auth-method", "ci", "--claims", claims], { env })).code;
      expect(await codeOf('{"value":{"team":"web"}}')).toBe(0);
      expect(await codeOf('{"value":{"team":"other"}}')).toBe(4);
      for (const claims of ["no JSON", "{"]) expect([claims, await codeOf(claims)]).toEqual([claims, 2]);
    });

    it("is asked by policy tests about tokens and roles; whoever it does not have fails, and the others go on", async () => {
      const { body } = await client.request<{ AccessorID: string }>("createToken", {
        body: { Roles: [{ Name: "writers" }] },
      });
      const directory = temporaryDirectory();
      const files = [
        asking("{ role: nobody-has-this-name }"),
        asking("{ token: 6f1c7c5e-0000-4000-8000-00000000dead }"),
        asking("{ role: writers }", true),
        asking(`{ token: ${body.AccessorID} }`),
        asking("{ auth-method: no-such-method, identity: { value: {} } }"),
      ];
      for (const [index, text] of files.entries()) writeFileSync(join(directory, `${index}.test.yaml`), text);
      const ended = await command(["policy", "test", directory, "-o", "json"], { env });
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining("4 of 5 policy tests failed")]);
      const { Results } = JSON.parse(ended.stdout) as { Results: { failures: string[] }[] };
      expect(Results.map(({ failures }) => failures)).toEqual([
        [expect.stringMatching(/role/i)],
        [expect.stringMatching(/token|ACL not found/i)],
        ['write key "app/live": expected allowed, was denied (key "app/live" = read)'],
        [],
        [expect.stringMatching(/method/i)],
      ]);
    });
  });
});
