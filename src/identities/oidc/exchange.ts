/** From the code that a provider sent somebody back with to what it says of them. */
import { base64url } from "jose";
import {
  ClientError,
  fetchUserInfo,
  genericGrantRequest,
  type Configuration,
  type TokenEndpointResponse,
} from "openid-client";
import { isList, parseClaims, type Claims } from "../claims.ts";
import { IdentityError, prefixed, ProviderError } from "../errors.ts";
import { authenticationsOf, createClient, type Authentication } from "./client.ts";
import type { OidcConfig } from "./config.ts";
import type { ProviderMetadata } from "./discovery.ts";
import { outageBehind, refusalBehind, tokenWords } from "./failures.ts";
import { isToken, recordedFetch, type RecordedFetch } from "./fetch.ts";
import type { CodeExchange } from "./oidc-validator.ts";
import type { ValidatorEnvironment } from "../validator.ts";

export interface ExchangeContext extends Pick<ValidatorEnvironment, "ask" | "now"> {
  config: OidcConfig;
  metadata: ProviderMetadata;
}

const LOGIN = "Provider login failed: ";
const EXCHANGE = `${LOGIN}Error exchanging oidc code: `;
const USERINFO = `${LOGIN}Error reading userinfo: `;
const VERIFICATION = "Token verification failed: ";

/**
 * Gives the code to the provider and proves what it answers with. A code counts once: whatever happens, it is used up.
 *
 * @returns the claims of the ID token, and those of userinfo where the provider has such
 * @throws IdentityError when the provider or its ID token says no, ProviderError when it cannot be asked
 */
export async function exchangeCode(context: ExchangeContext, exchange: CodeExchange): Promise<Claims> {
  if (exchange.code === "") throw new IdentityError(`${LOGIN}OAuth code parameter not provided`);
  const recorded = recordedFetch(context.ask, context.config.ca);
  const { client, tokens } = await redeem(context, recorded, exchange);
  const claims = checkIdToken(context.config, tokens.id_token, exchange.nonce);
  const userinfo = await readUserinfo(context.metadata, recorded, client, tokens.access_token, claims);
  return merged(claims, userinfo);
}

interface Redeemed {
  client: Configuration;
  tokens: TokenEndpointResponse;
}

async function redeem(context: ExchangeContext, recorded: RecordedFetch, exchange: CodeExchange): Promise<Redeemed> {
  let failure: unknown;
  for (const authentication of authenticationsOf(context.config, context.metadata)) {
    try {
      return await redeemBy(authentication, context, recorded, exchange);
    } catch (error) {
      failure = error;
      // The client is checked before the code, which therefore still counts.
      if (refusalBehind(error) !== "invalid_client") break;
    }
  }
  throw redeemFailure(failure, context, recorded);
}

/** @throws what the library throws */
async function redeemBy(
  authentication: Authentication,
  { config, metadata, now }: ExchangeContext,
  { fetch }: RecordedFetch,
  { code, redirectUri, codeVerifier }: CodeExchange,
): Promise<Redeemed> {
  const client = createClient({ config, metadata, fetch, authentication, now: now() });
  // The library's own function for codes would send the redirect URI without its query.
  const parameters = {
    code,
    redirect_uri: redirectUri,
    ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
  };
  return { client, tokens: await genericGrantRequest(client, "authorization_code", parameters) };
}

function redeemFailure(error: unknown, { config, metadata }: ExchangeContext, recorded: RecordedFetch): Error {
  const idToken = idTokenIn(recorded, metadata);
  const prefix = idToken === undefined ? EXCHANGE : VERIFICATION;
  const outage = outageBehind(error);
  if (outage !== undefined) return unavailable(prefix, outage);
  if (idToken !== undefined) return new IdentityError(prefix + tokenWords(error, idToken, config.algorithms));
  const refusal = refusalBehind(error);
  if (refusal !== undefined) return new IdentityError(`${prefix}the identity provider returned ${refusal}`);
  return new ProviderError(`${prefix}the response of the identity provider has an unexpected format`);
}

/** The ID token that the provider has answered with, proven or not. */
function idTokenIn({ answerOf }: RecordedFetch, { token_endpoint }: ProviderMetadata): string | undefined {
  const answer = answerOf(token_endpoint);
  if (answer?.status !== 200) return undefined;
  const body = JSON.parse(answer.body) as { id_token?: unknown } | null;
  return typeof body?.id_token === "string" ? body.id_token : undefined;
}

/** The claims of an ID token that the library has proven, as they were written. */
function checkIdToken({ boundAudiences }: OidcConfig, idToken: string | undefined, nonce: string): Claims {
  if (idToken === undefined) throw new IdentityError(`${VERIFICATION}No id_token found in response.`);
  const claims = payloadOf(idToken, VERIFICATION);
  if (nonce === "" || claims.get("nonce") !== nonce) {
    throw new IdentityError(`${VERIFICATION}Invalid ID token nonce.`);
  }
  const audience = claims.get("aud") ?? null;
  const audiences = isList(audience) ? audience : [audience];
  const isBound = audiences.some((entry) => typeof entry === "string" && boundAudiences.has(entry));
  if (boundAudiences.size > 0 && !isBound) {
    throw new IdentityError(`${VERIFICATION}aud claim does not match any bound audience`);
  }
  return claims;
}

async function readUserinfo(
  { userinfo_endpoint: url }: ProviderMetadata,
  { answerOf }: RecordedFetch,
  client: Configuration,
  accessToken: string,
  claims: Claims,
): Promise<Claims> {
  if (url === undefined) return new Map();
  const subject = claims.get("sub");
  await fetchUserInfo(client, accessToken, typeof subject === "string" ? subject : "").catch((error: unknown) => {
    const outage = outageBehind(error);
    if (outage !== undefined) throw unavailable(USERINFO, outage);
    const isOther = error instanceof ClientError && error.code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED";
    throw new IdentityError(
      USERINFO + (isOther ? "the response is for a different subject" : "the response does not verify the subject"),
    );
  });
  const answer = answerOf(url);
  if (answer === undefined) throw new ProviderError(`${USERINFO}no response`);
  return isToken(answer) ? payloadOf(answer.body, USERINFO) : read(Buffer.from(answer.body), USERINFO);
}

function payloadOf(token: string, prefix: string): Claims {
  const [, payload = ""] = token.split(".");
  return read(base64url.decode(payload), prefix);
}

function read(bytes: Uint8Array, prefix: string): Claims {
  return prefixed(`${prefix}the claims are invalid: `, () => parseClaims(bytes));
}

/** Claims that only the ID token can make: subject, audience, and the way of this login. */
const OF_THE_LOGIN = new Set("iss sub aud azp exp nbf iat jti nonce auth_time acr amr at_hash c_hash sid".split(" "));

/** Userinfo is the newer of the two, and often the fuller. */
function merged(claims: Claims, userinfo: Claims): Claims {
  return new Map([...claims, ...[...userinfo].filter(([name]) => !OF_THE_LOGIN.has(name))]);
}

/** Hides the names of servers from the client that logs in. The log contains them. */
function unavailable(prefix: string, cause: Error): ProviderError {
  return new ProviderError(`${prefix}the response of the identity provider is unusable`, { cause });
}
