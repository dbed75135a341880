/** Logins of what runs in containers: by the role of an AWS container, and by a pod's projected token. */
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient, type Client } from "@tessera-server/client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { asProcess } from "../support/cli.ts";
import { forEachEngine, temporaryDirectory } from "../support/engines.ts";
import { startKubernetesApi, type KubernetesApi } from "../support/kubernetes-api.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { roleOf, startSts, type Sts } from "../support/sts.ts";

forEachEngine((_engine, makeUrl) => {
  describe("a login from a container", () => {
    let server: RunningServer;
    let client: Client;
    let sts: Sts;
    let cluster: KubernetesApi;
    /** Agent of a container: gives credentials to a caller that has its token. */
    let agent: Server;
    const asked: Pick<IncomingMessage, "url" | "headers">[] = [];
    const role = roleOf("deployer");

    beforeAll(async () => {
      sts = await startSts([role]);
      cluster = await startKubernetesApi();
      cluster.createAccount("shop", "web");
      agent = createServer((request, response) => {
        asked.push({ url: request.url ?? "", headers: request.headers });
        const isAllowed = request.headers.authorization === "the agent's token";
        const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey } = role;
        response.writeHead(isAllowed ? 200 : 403, { "content-type": "application/json" });
        response.end(isAllowed ? JSON.stringify({ AccessKeyId, SecretAccessKey, Token: "session" }) : "{}");
      }).listen(0, "127.0.0.1");
      await once(agent, "listening");
      server = await startServer({ database: await makeUrl(), args: ["--outbound-allow", "127.0.0.0/8"] });
      client = createClient({ address: server.url, token: server.token });
      await client.request("createPolicy", { body: { Name: "readers", Rules: 'acl = "read"' } });
      const methods = [
        {
          Name: "aws",
          Type: "aws-iam",
          Config: { BoundIAMPrincipalARNs: [`arn:aws:iam::${role.account}:role/deployer`], STSEndpoint: sts.url },
        },
        {
          Name: "pods",
          Type: "kubernetes",
          Config: { Host: cluster.url, CACert: cluster.ca, ServiceAccountJWT: cluster.reviewer },
        },
      ];
      for (const body of methods) {
        await client.request("createAuthMethod", { body });
        const rule = { AuthMethod: body.Name, BindType: "policy", BindName: "readers" };
        await client.request("createBindingRule", { body: rule });
      }
    });
    afterAll(async () => {
      await server.stop();
      await sts.close();
      await cluster.close();
      agent.close();
      agent.closeAllConnections();
    });

    it("by AWS takes the role of the container, with the token in its file, and no other role instead", async () => {
      const HOME = temporaryDirectory();
      const file = join(HOME, "token");
      writeFileSync(file, "the agent's token\n");
      const { port } = agent.address() as AddressInfo;
      const env = {
        HOME,
        TESSERA_ADDR: server.url,
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/v1/credentials`,
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
      };
      const words = ["login", "aws", "--aws", "--aws-sts-endpoint", sts.url];
      expect(await asProcess(words, env)).toMatchObject({ code: 0, stdout: "" });
      expect(asked).toMatchObject([{ url: "/v1/credentials", headers: { authorization: "the agent's token" } }]);
      const who = await asProcess(["whoami", "-o", "json"], { HOME });
      expect(JSON.parse(who.stdout)).toMatchObject({ authMethod: "aws", policies: ["readers"] });

      writeFileSync(file, "another token");
      expect(await asProcess(words, env)).toMatchObject({
        code: 6,
        stderr: expect.stringContaining(`no AWS credentials received from http://127.0.0.1:${port}`),
      });
      const missing = { ...env, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(HOME, "missing") };
      expect(await asProcess(words, missing)).toMatchObject({ code: 2, stderr: expect.stringContaining("ENOENT") });
    });

    it("by AWS takes the role of a web identity, with the token in its file, and no other role instead", async () => {
      const HOME = temporaryDirectory();
      const file = join(HOME, "web-token");
      writeFileSync(file, "web.identity.token\n");
      const forms: URLSearchParams[] = [];
      const giver = createServer((request, response) => {
        let body = "";
        request.setEncoding("utf8").on("data", (part: string) => (body += part));
        request.on("end", () => {
          const form = new URLSearchParams(body);
          forms.push(form);
          const isKnown = form.get("WebIdentityToken") === "web.identity.token";
          const { accessKeyId, secretAccessKey } = role;
          const credentials = `<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey><SessionToken>session</SessionToken>`;
          response.writeHead(isKnown ? 200 : 400, { "content-type": "text/xml" });
          response.end(
            isKnown
              ? `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`
              : `<ErrorResponse><Error><Code>InvalidIdentityToken</Code><Message>${body}</Message></Error></ErrorResponse>`,
          );
        });
      }).listen(0, "127.0.0.1");
      await once(giver, "listening");
      onTestFinished(() => void giver.close());
      const url = `http://127.0.0.1:${(giver.address() as AddressInfo).port}`;
      const env = {
        HOME,
        TESSERA_ADDR: server.url,
        AWS_WEB_IDENTITY_TOKEN_FILE: file,
        AWS_ROLE_ARN: `arn:aws:iam::${role.account}:role/deployer`,
        AWS_ENDPOINT_URL_STS: url,
        AWS_EC2_METADATA_DISABLED: "true",
      };
      const words = ["login", "aws", "--aws", "--aws-sts-endpoint", sts.url];
      expect(await asProcess(words, env)).toMatchObject({ code: 0, stdout: "" });
      const who = await asProcess(["whoami", "-o", "json"], { HOME });
      expect(JSON.parse(who.stdout)).toMatchObject({ authMethod: "aws", policies: ["readers"] });
      expect(Object.fromEntries(forms[0] ?? [])).toEqual({
        Action: "AssumeRoleWithWebIdentity",
        Version: "2011-06-15",
        RoleArn: env.AWS_ROLE_ARN,
        RoleSessionName: "tessera",
        WebIdentityToken: "web.identity.token",
      });

      writeFileSync(file, "expired.identity.token");
      const refused = await asProcess(words, env);
      expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("status 400 InvalidIdentityToken") });
      expect(refused.stderr).not.toContain("identity.token");
      const missing = { ...env, AWS_WEB_IDENTITY_TOKEN_FILE: join(HOME, "missing") };
      expect(await asProcess(words, missing)).toMatchObject({ code: 2, stderr: expect.stringContaining("ENOENT") });
      for (const elsewhere of ["http://example.com/", "ftp://x/", "x"]) {
        const ended = await asProcess(words, { ...env, AWS_ENDPOINT_URL_STS: elsewhere });
        expect(ended, elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining("must use https") });
      }
      const region = await asProcess(words, { ...env, AWS_ENDPOINT_URL_STS: "", AWS_REGION: "x.example.com/" });
      expect(region).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a valid region") });
    });

    it("by AWS sends a container's token nowhere but over TLS, on this machine, and to a container's host", async () => {
      for (const url of ["http://example.com/", "http://127.0.0.1.example.com/", "http://10.0.0.1/", "ftp://x/", "x"]) {
        const env = {
          HOME: temporaryDirectory(),
          TESSERA_ADDR: server.url,
          AWS_CONTAINER_CREDENTIALS_FULL_URI: url,
          AWS_CONTAINER_AUTHORIZATION_TOKEN: "t",
        };
        expect([url, await asProcess(["login", "aws", "--aws"], env)]).toMatchObject([
          url,
          { code: 2, stdout: "", stderr: expect.stringContaining("must use https") },
        ]);
      }
    });

    it("by Kubernetes takes the token that is projected now, through the links by which it is renewed", async () => {
      const mount = temporaryDirectory();
      // As the kubelet writes it: whole folders, of which a link names the one that counts.
      const project = (name: string, token: string) => {
        mkdirSync(join(mount, name));
        writeFileSync(join(mount, name, "token"), `${token}\n`);
        symlinkSync(name, join(mount, "..data_tmp"));
        renameSync(join(mount, "..data_tmp"), join(mount, "..data"));
      };
      project("..2026_1", "expired.by.now");
      symlinkSync("..data/token", join(mount, "token"));
      const env = { HOME: temporaryDirectory(), TESSERA_ADDR: server.url };
      const words = ["login", "pods", "--service-account-file", join(mount, "token"), "--print"];
      expect(await asProcess(words, env)).toMatchObject({ code: 4, stdout: "" });
      project("..2026_2", cluster.issueToken("shop", "web"));
      const printed = await asProcess(words, env);
      expect(printed).toMatchObject({ code: 0, stderr: "" });
      const who = await asProcess(["whoami", "-o", "json"], { ...env, TESSERA_TOKEN: printed.stdout.trim() });
      expect(JSON.parse(who.stdout)).toMatchObject({ authMethod: "pods", policies: ["readers"] });
      const outside = await asProcess(["login", "pods", "--kubernetes"], env);
      expect(outside).toMatchObject({ code: 2, stderr: expect.stringContaining("/var/run/secrets/kubernetes.io/") });
    });
  });
});
