/** A real OpenID provider over HTTPS, with its own authority, and somebody who logs in to it. */
import { once } from "node:events";
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { CompactSign, exportJWK, generateKeyPair } from "jose";
import { Provider, type Context, type Interaction } from "oidc-provider";
import MemoryAdapter from "oidc-provider/lib/adapters/memory_adapter.js";
import { makeCertificate } from "./openid-certificate.ts";

export type SigningAlgorithm = "RS256" | "ES256";

/** Claims about one account, by the place that contains them. The subject is the account's name. */
export interface Account {
  idToken?: Readonly<Record<string, unknown>>;
  userinfo?: Readonly<Record<string, unknown>>;
}

/** `another subject`: the answer is about somebody else. */
export type UserinfoMode = "answers" | "fails" | "another subject";

export interface ClientOptions {
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
  /** How the client proves itself; without it in the header, as the standard has it. */
  authentication?: "client_secret_basic" | "client_secret_post" | "private_key_jwt";
  /** The client's public key, where it proves itself so. */
  jwk?: object;
  /** Userinfo is answered as a signed token. */
  hasSignedUserinfo?: boolean;
}

export interface ProviderOptions {
  clients: readonly ClientOptions[];
  /** Algorithm that signs the ID tokens. Default: RS256. */
  algorithm?: SigningAlgorithm;
  /** By name. `alice` is there without it. */
  accounts?: Readonly<Record<string, Account>>;
  /** Values of `acr` that may be asked for. */
  acrValues?: readonly string[];
  /** Speaks HTTP instead of HTTPS. */
  isPlain?: boolean;
}

/** Makes a token of a payload; `alg` in the header chooses the key. */
export type Sign = (payload: string, header?: Readonly<Record<string, unknown>>) => Promise<string>;

export interface OpenIdProvider {
  readonly issuer: string;
  /** PEM: the authority that signed its certificate. */
  readonly ca: string;
  /** Changes apply from the next answer on; the names of claims are those of the start. */
  readonly accounts: Map<string, Account>;
  userinfo: UserinfoMode;
  /** The method and path of each request so far, such as `POST /token`. */
  readonly requests: string[];
  /** Takes new signing keys, and forgets the old ones. The returned function still signs with the old ones. */
  rotateKeys(): Promise<Sign>;
  /** Signs any payload with the key that ID tokens are signed with now. */
  readonly sign: Sign;
  stop(): Promise<void>;
}

type SigningKey = Awaited<ReturnType<typeof exportJWK>>;

/** Starts a provider on a free port of 127.0.0.1. It forgets everything when it stops. */
export async function startOpenIdProvider(options: ProviderOptions): Promise<OpenIdProvider> {
  const { ca, cert, key } = makeCertificate();
  const server = options.isPlain === true ? createPlainServer() : createServer({ cert, key });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `${options.isPlain === true ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const algorithm = options.algorithm ?? "RS256";
  const store = new Map<string, unknown>();
  const adapter = (model: string): object => new MemoryAdapter(model, store);
  let keys = await makeKeys();
  let answer = (_request: IncomingMessage, response: ServerResponse): unknown => response.writeHead(503).end();
  const running: OpenIdProvider = {
    issuer,
    ca,
    accounts: new Map(Object.entries(options.accounts ?? { alice: {} })),
    userinfo: "answers",
    requests: [],
    async rotateKeys() {
      const old = keys;
      keys = await makeKeys();
      answer = answerer(running, options, { adapter, keys });
      return signer(old, algorithm);
    },
    sign: (payload, header) => signer(keys, algorithm)(payload, header),
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  answer = answerer(running, options, { adapter, keys });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    running.requests.push(`${request.method} ${new URL(request.url ?? "/", issuer).pathname}`);
    void answer(request, response);
  });
  return running;
}

async function makeKeys(): Promise<SigningKey[]> {
  const algorithms: SigningAlgorithm[] = ["RS256", "ES256"];
  return Promise.all(
    algorithms.map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      return { ...(await exportJWK(privateKey)), alg, use: "sig", kid: crypto.randomUUID() };
    }),
  );
}

function signer(keys: readonly SigningKey[], algorithm: SigningAlgorithm): Sign {
  return async (payload, header = {}) => {
    const jwk = keys.find(({ alg }) => alg === (header["alg"] ?? algorithm));
    if (jwk === undefined) throw new Error("there is no such key");
    const signature = new CompactSign(new TextEncoder().encode(payload));
    return signature.setProtectedHeader({ alg: algorithm, kid: String(jwk.kid), ...header }).sign(jwk);
  };
}

/** Internals of a provider that its tests do not see. */
interface Inside {
  /** Storage of sessions, codes and such. Each provider has its own, or one would accept the codes of another. */
  adapter: (model: string) => object;
  keys: readonly SigningKey[];
}

function answerer(running: OpenIdProvider, options: ProviderOptions, inside: Inside) {
  const provider = new Provider(running.issuer, configurationOf(running, options, inside));
  provider.use(async (context, next) => {
    await next();
    if (context.oidc?.route === "userinfo") bend(running.userinfo, context);
  });
  const callback = provider.callback();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.startsWith("/interaction/")) await interact(provider, request, response);
    else await callback(request, response);
  };
}

function bend(mode: UserinfoMode, context: Context): void {
  if (mode === "fails") {
    context.status = 500;
    context.body = "something secret broke";
  }
  if (mode === "another subject") context.body = { ...(context.body as object), sub: "mallory" };
}

function configurationOf({ accounts }: OpenIdProvider, options: ProviderOptions, { adapter, keys }: Inside) {
  const claims = [...accounts.values()].flatMap(({ idToken, userinfo }) => Object.keys({ ...idToken, ...userinfo }));
  return {
    adapter,
    jwks: { keys },
    clients: options.clients.map((client) => ({
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uris: client.redirectUris,
      token_endpoint_auth_method: client.authentication ?? "client_secret_basic",
      id_token_signed_response_alg: options.algorithm ?? "RS256",
      grant_types: ["authorization_code"],
      response_types: ["code"],
      ...(client.jwk === undefined ? {} : { jwks: { keys: [client.jwk] } }),
      ...(client.hasSignedUserinfo === true ? { userinfo_signed_response_alg: options.algorithm ?? "RS256" } : {}),
    })),
    scopes: ["openid", "profile", "groups"],
    claims: { openid: ["sub", ...claims], acr: null },
    acrValues: options.acrValues ?? [],
    // The account says what is in the ID token, and what is only told by userinfo.
    conformIdTokenClaims: false,
    findAccount(_context: unknown, name: string) {
      const account = accounts.get(name);
      if (account === undefined) return undefined;
      return {
        accountId: name,
        claims: (use: string) => ({ sub: name, ...(use === "id_token" ? account.idToken : account.userinfo) }),
      };
    },
    features: { devInteractions: { enabled: false }, jwtUserinfo: { enabled: true } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    cookies: { keys: ["a key of the tests"] },
    pkce: { required: () => false },
    enabledJWA: { clientAuthSigningAlgValues: ["HS256", "RS256", "RS512"] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  };
}

/**
 * Answers the login and consent pages: a header names the user, who agrees to everything unless another header denies.
 */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const interaction = await provider.interactionDetails(request, response);
  const account = String(request.headers["x-account"]);
  const isDenied = request.headers["x-deny"] !== undefined;
  const result = isDenied
    ? { error: "access_denied", error_description: "not now" }
    : interaction.prompt.name === "login"
      ? { login: { accountId: account } }
      : { consent: { grantId: await grantOf(provider, interaction) } };
  await provider.interactionFinished(request, response, result);
}

async function grantOf(provider: Provider, { grantId, params, session, prompt }: Interaction): Promise<string> {
  const found = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = found ?? new provider.Grant({ accountId: session?.accountId ?? "", clientId: params.client_id });
  const { missingOIDCScope = [], missingOIDCClaims = [] } = prompt.details;
  grant.addOIDCScope(missingOIDCScope.join(" "));
  grant.addOIDCClaims(missingOIDCClaims);
  return grant.save();
}
