/**
 * Identity providers in one process: a server of keys, an OpenID provider with a user who logs in to it, a Kubernetes
 * API server, and STS with IAM. Prints their addresses as one line of JSON, does by HTTP what a test cannot do from Go
 * (`POST /<work>` with a JSON body), and ends when its input does.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { bearerTokenOf } from "../../support/aws-bearer-token.ts";
import { createSigningKey, signToken, startKeyServer } from "../../support/key-server.ts";
import { startKubernetesApi } from "../../support/kubernetes-api.ts";
import { startOpenIdProvider } from "../../support/openid-provider.ts";
import { roleOf, startSts, userOf } from "../../support/sts.ts";
import { userAgent } from "../../support/user-agent.ts";

const CLIENT = { clientId: "tessera", clientSecret: "4b1f7c2e-a-secret-of-the-openid-client" };
const REDIRECT_URI = "http://localhost:8550/oidc/callback";

/** Signs what a JWKS or discovery document publishes, and what methods with static keys know. */
const keys = { served: createSigningKey("served", "RS256"), static: createSigningKey("static", "ES256") };
const aws = { role: roleOf("builder"), user: userOf("ops") };

const [keyServer, openid, kubernetes, sts] = await Promise.all([
  startKeyServer([keys.served]),
  startOpenIdProvider({
    clients: [{ ...CLIENT, redirectUris: [REDIRECT_URI] }],
    accounts: {
      alice: { idToken: { team: "web" }, userinfo: { groups: ["admins", "people"] } },
      bob: { idToken: { team: "ops" }, userinfo: { groups: [] } },
    },
  }),
  startKubernetesApi(),
  startSts(Object.values(aws)),
]);

interface Asked {
  Key?: keyof typeof keys;
  Claims?: object;
  AuthURL?: string;
  Account?: string;
  Deny?: boolean;
  Namespace?: string;
  Name?: string;
  Annotations?: Record<string, string>;
  Identity?: keyof typeof aws;
  WithEntity?: boolean;
}

const works = new Map<string, (asked: Asked) => object | Promise<object>>([
  ["/jwt", ({ Key = "static", Claims = {} }) => ({ Token: signToken(keys[Key], { ...lifetime(), ...Claims }) })],
  [
    "/browse",
    async ({ AuthURL = "", Account = "alice", Deny = false }) => {
      const { redirectUri, ...rest } = await userAgent(openid, { account: Account, isDenied: Deny })(AuthURL);
      return { RedirectURI: redirectUri, Code: rest.code, State: rest.state, Error: rest.error };
    },
  ],
  [
    "/pod",
    ({ Namespace = "", Name = "", Annotations = {} }) => {
      kubernetes.createAccount(Namespace, Name, Annotations);
      return { Token: kubernetes.issueToken(Namespace, Name) };
    },
  ],
  [
    "/aws",
    ({ Identity = "role", WithEntity = false }) => ({
      Token: bearerTokenOf(aws[Identity], { stsUrl: sts.url, iamUrl: sts.url, withEntity: WithEntity }),
    }),
  ],
]);

function lifetime(): object {
  const now = Math.floor(Date.now() / 1000);
  return { iat: now, exp: now + 3600 };
}

const server = createServer((request, response) => {
  void text(request).then(async (body) => {
    try {
      const work = works.get(request.url ?? "");
      if (work === undefined) throw new Error("there is no such work");
      response.end(JSON.stringify(await work(JSON.parse(body) as Asked)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
});

server.listen(0, "127.0.0.1", () => {
  const description = {
    Address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    Keys: { URL: keyServer.url, CA: keyServer.ca, Static: keys.static.publicKey },
    OpenID: { Issuer: openid.issuer, CA: openid.ca, ...clientOf(), RedirectURI: REDIRECT_URI },
    Kubernetes: { URL: kubernetes.url, CA: kubernetes.ca, Reviewer: kubernetes.reviewer },
    AWS: { URL: sts.url, RoleARN: arnOf(aws.role), UserARN: arnOf(aws.user), RoleID: aws.role.id },
  };
  console.log(JSON.stringify(description));
});
process.stdin.resume().once("end", () => process.exit());

function clientOf(): object {
  return { ClientID: CLIENT.clientId, ClientSecret: CLIENT.clientSecret };
}

function arnOf({ kind, account, name }: (typeof aws)["role"]): string {
  return `arn:aws:iam::${account}:${kind}/${name}`;
}
