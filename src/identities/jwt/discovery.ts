/** Discovery of the keys of a provider. */
import type { Ask } from "../../outbound/outbound.ts";
import { answerOf, answerProblem, ProviderError } from "../errors.ts";
import { parseKeySet, type KeySet } from "./key-set.ts";

export interface Provider {
  ask: Ask;
  /** URL of the key set, or of the issuer from which the rest is discovered. */
  url: string;
  /** PEM; undefined for the authorities of the system. */
  ca: string | undefined;
}

/** @throws ProviderError that quotes nothing of the answer */
export async function fetchKeySet(provider: Provider): Promise<KeySet> {
  return keySetOf(await fetchJson(provider), provider.url);
}

/**
 * Finds the key set of an OpenID provider by its discovery document, which must be that of this very issuer.
 *
 * @throws ProviderError that quotes nothing of the answers
 */
export async function fetchDiscoveredKeySet({ ask, url: issuer, ca }: Provider): Promise<KeySet> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = await fetchJson({ ask, url, ca });
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw answerProblem(url, "the response is not a discovery document");
  }
  const { issuer: named, jwks_uri: keysUrl } = document as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer)
    throw answerProblem(url, "issuer mismatch: the issuer must equal the discovery URL, including the trailing slash");
  const protocol = typeof keysUrl === "string" && URL.canParse(keysUrl) ? new URL(keysUrl).protocol : undefined;
  const isSafe = protocol === "https:" || (protocol === "http:" && issuer.startsWith("http:"));
  if (typeof keysUrl !== "string" || !isSafe) throw answerProblem(url, "the discovery document has no usable jwks_uri");
  return keySetOf(await fetchJson({ ask, url: keysUrl, ca }), keysUrl);
}

async function fetchJson({ ask, url, ca }: Provider): Promise<unknown> {
  const { status, body } = await answerOf(ask({ method: "GET", url, headers: { accept: "application/json" }, ca }));
  if (status !== 200) throw answerProblem(url, `the response has status ${status}`);
  try {
    return JSON.parse(body) as unknown;
  } catch {
    // The parser's message would quote the answer.
    throw answerProblem(url, "the response is not JSON");
  }
}

function keySetOf(document: unknown, url: string): KeySet {
  try {
    return parseKeySet(document);
  } catch (error) {
    throw error instanceof ProviderError ? answerProblem(url, error.message) : error;
  }
}
