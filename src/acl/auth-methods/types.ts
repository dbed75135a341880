/** The types of auth methods, each with what proves its identities. */
import { ConfigError } from "../../identities/errors.ts";
import type { CreateValidator, RawConfig } from "../../identities/validator.ts";
import { fold } from "../rules/fold.ts";

/** Loaded when a method is of the type: most servers have one or two, and their libraries take memory. */
const TYPES: ReadonlyMap<string, () => Promise<CreateValidator>> = new Map([
  ["aws-iam", async () => (await import("../../identities/aws-iam/validator.ts")).createAwsIamValidator],
  ["jwt", async () => (await import("../../identities/jwt/validator.ts")).createJwtValidator],
  ["kubernetes", async () => (await import("../../identities/kubernetes/validator.ts")).createKubernetesValidator],
  ["oidc", async () => (await import("../../identities/oidc/validator.ts")).createOidcValidator],
]);

/** The type whose logins go by way of a browser. */
export const OIDC = "oidc";

/** Names of the types that an edition has, in order. */
export function typeNames(edition: "enterprise" | "community"): string[] {
  return [...TYPES.keys()].filter((name) => edition === "enterprise" || name !== OIDC);
}

/** What makes the validators of a type; undefined for a type that is none. */
export async function validatorOfType(type: string): Promise<CreateValidator | undefined> {
  return TYPES.get(type)?.();
}

/** Keys of `Config`, folded, that say something only where there are namespaces, or the type `oidc`. */
const ENTERPRISE_KEYS: ReadonlySet<string> = new Set([
  "mapnamespaces",
  "consulnamespaceprefix",
  "consulnamespaceoverrides",
  "oidcclientid",
  "oidcclientsecret",
  "oidcscopes",
  "oidcacrvalues",
  "allowedredirecturis",
  "verboseoidclogging",
  "oidcclientassertion",
  "oidcclientusepkce",
]);

/**
 * Checks that the community edition knows all keys of a configuration.
 *
 * @throws ConfigError in the words in which any unknown key is refused
 */
export function checkCommunityKeys(config: RawConfig): void {
  const unknown = Object.keys(config).filter((key) => ENTERPRISE_KEYS.has(fold(key)));
  if (unknown.length === 0) return;
  const keys = unknown.toSorted().join(", ");
  throw new ConfigError(`error decoding config: 1 error(s) decoding:\n\n* '' has invalid keys: ${keys}`);
}
