/** Logins, as a user gives them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient, type Client } from "@tessera-server/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asProcess, command } from "../support/cli.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { createSigningKey } from "../support/key-server.ts";
import { bearer } from "../support/login.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../support/openid-provider.ts";
import { programFile } from "../support/program.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { roleOf, startSts, type Sts } from "../support/sts.ts";
import { userAgent } from "../support/user-agent.ts";

forEachEngine((_engine, makeUrl) => {
  describe("a login", () => {
    let server: RunningServer;
    let client: Client;
    let provider: OpenIdProvider;
    let sts: Sts;
    let port: number;
    const key = createSigningKey("cli");
    const role = roleOf("deployer");

    beforeAll(async () => {
      port = await freePort();
      const redirect = `http://localhost:${port}/oidc/callback`;
      provider = await startOpenIdProvider({
        clients: [{ clientId: "tessera", clientSecret: "a secret", redirectUris: [redirect] }],
      });
      sts = await startSts([role]);
      server = await startServer({
        database: await makeUrl(),
        args: ["--outbound-allow", "127.0.0.0/8,::1"],
      });
      client = createClient({ address: server.url, token: server.token });
      await client.request("createPolicy", { body: { Name: "readers", Rules: 'acl = "read"' } });
      const methods = [
        { Name: "ci", Type: "jwt", Config: { JWTValidationPubKeys: [key.publicKey] } },
        {
          Name: "people",
          Type: "oidc",
          MaxTokenTTL: "1h",
          Config: {
            OIDCDiscoveryURL: provider.issuer,
            OIDCDiscoveryCACert: provider.ca,
            OIDCClientID: "tessera",
            OIDCClientSecret: "a secret",
            AllowedRedirectURIs: [redirect],
          },
        },
        {
          Name: "aws",
          Type: "aws-iam",
          Config: { BoundIAMPrincipalARNs: [`arn:aws:iam::${role.account}:role/deployer`], STSEndpoint: sts.url },
        },
      ];
      for (const body of methods) {
        await client.request("createAuthMethod", { body });
        await client.request("createBindingRule", {
          body: { AuthMethod: body.Name, BindType: "policy", BindName: "readers" },
        });
      }
    });
    afterAll(async () => {
      await server.stop();
      await provider.stop();
      await sts.close();
    });

    it("by a JWT from a file or standard input is kept in a context of mode 0600, and logout ends it", async () => {
      const HOME = temporaryDirectory();
      const env = { HOME, TESSERA_ADDR: server.url };
      const file = join(HOME, "jwt");
      writeFileSync(file, bearer(key));
      const ended = await command(["login", "ci", "--jwt-file", file, "--meta", "run=4711"], { env });
      expect(ended).toMatchObject({
        code: 0,
        stdout: "",
        stderr: expect.stringContaining("The token is saved in context 127.0.0.1."),
      });
      const contexts = join(HOME, ".config/tessera/contexts.json");
      expect(statSync(contexts).mode & 0o777).toBe(0o600);
      const who = await command(["whoami", "-o", "json"], { env: { HOME } });
      expect(JSON.parse(who.stdout)).toMatchObject({
        address: server.url,
        policies: ["readers"],
        authMethod: "ci",
        description: expect.stringContaining("4711"),
      });
      expect((await command(["logout"], { env: { HOME } })).code).toBe(0);
      expect(readFileSync(contexts, "utf8")).not.toContain("token");
      expect(await command(["logout"], { env: { HOME } })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("not logged in"),
      });
      const printed = await asProcess(
        ["login", "ci", "--kubernetes", "--service-account-file", "-", "--print"],
        { HOME: temporaryDirectory(), TESSERA_ADDR: server.url },
        bearer(key),
      );
      expect(printed).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) });
      expect(await command(["login", "ci", "--jwt-file", "-"], { env, stdin: "nonsense" })).toMatchObject({ code: 4 });
    });

    it("by a browser comes back to a port of this machine; another's answer ends nothing", async () => {
      const HOME = temporaryDirectory();
      const child = spawn(
        process.execPath,
        [programFile(), "login", "people", "--port", String(port), "--no-browser"],
        { env: { HOME, PATH: "/usr/bin:/bin", TESSERA_ADDR: server.url } },
      );
      const closed = once(child, "close");
      const url = await addressIn(child.stderr);
      const { redirectUri, code, state } = await userAgent(provider)(url);
      const back = new URL(redirectUri);
      back.hostname = "127.0.0.1";
      expect((await fetch(`${back.href}?code=stolen&state=another`)).status).toBe(400);
      expect((await fetch(`${back.origin}/else`)).status).toBe(404);
      const landed = await fetch(
        `${back.href}?${new URLSearchParams({ code: code ?? "", state: state ?? "" }).toString()}`,
      );
      expect(await landed.text()).toContain("You are logged in");
      expect(await closed).toEqual([0, null]);
      const who = await command(["whoami", "-o", "json"], { env: { HOME } });
      expect(JSON.parse(who.stdout)).toMatchObject({
        authMethod: "people",
        policies: ["readers"],
        expires: expect.any(String),
      });
    });

    it("by a browser that is refused says so, and keeps nothing", async () => {
      const HOME = temporaryDirectory();
      const child = spawn(process.execPath, [programFile(), "login", "--port", String(port), "--no-browser"], {
        env: { HOME, PATH: "/usr/bin:/bin", TESSERA_ADDR: server.url },
      });
      const closed = once(child, "close");
      const state = new URL(await addressIn(child.stderr)).searchParams.get("state") ?? "";
      await fetch(
        `http://127.0.0.1:${port}/oidc/callback?${new URLSearchParams({ error: "access_denied", state }).toString()}`,
      );
      expect(await closed).toEqual([4, null]);
      expect(await command(["context", "list", "-o", "json"], { env: { HOME } })).toMatchObject({ stdout: "[]\n" });
    });

    it("by AWS sends a request that AWS takes for the caller's own", async () => {
      const HOME = temporaryDirectory();
      const env = {
        HOME,
        TESSERA_ADDR: server.url,
        AWS_ACCESS_KEY_ID: role.accessKeyId,
        AWS_SECRET_ACCESS_KEY: role.secretAccessKey,
        AWS_SESSION_TOKEN: "session",
      };
      const words = ["login", "aws", "--aws", "--aws-sts-endpoint", sts.url];
      expect(await command(words, { env })).toMatchObject({ code: 0 });
      expect(JSON.parse((await command(["whoami", "-o", "json"], { env: { HOME } })).stdout)).toMatchObject({
        authMethod: "aws",
      });
      expect(await command(words, { env: { ...env, AWS_SECRET_ACCESS_KEY: "another" } })).toMatchObject({ code: 4 });
      const none = { HOME, TESSERA_ADDR: server.url, AWS_EC2_METADATA_DISABLED: "true" };
      expect(await command(words, { env: none })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("no AWS credentials"),
      });
    });
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The address that a login asks to be opened. */
async function addressIn(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const part of stream) {
    text += String(part);
    const url = /^ {2}(https:\S+)$/m.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`no address is shown: ${text}`);
}
