/** The types of auth methods, each with what proves its identities. */
import type { CreateValidator } from "../../identities/validator.ts";
import { createAwsIamValidator } from "../../identities/aws-iam/validator.ts";
import { createJwtValidator } from "../../identities/jwt/validator.ts";
import { createKubernetesValidator } from "../../identities/kubernetes/validator.ts";
import { createOidcValidator } from "../../identities/oidc/validator.ts";

const TYPES: ReadonlyMap<string, CreateValidator> = new Map([
  ["aws-iam", createAwsIamValidator],
  ["jwt", createJwtValidator],
  ["kubernetes", createKubernetesValidator],
  ["oidc", createOidcValidator],
]);

/** The type whose logins go by way of a browser. */
export const OIDC = "oidc";

/** Names of the types that an edition has, in order. */
export function typeNames(edition: "enterprise" | "community"): string[] {
  return [...TYPES.keys()].filter((name) => edition === "enterprise" || name !== OIDC);
}

/** Makes the validator of a type; undefined for a type that is none. */
export function validatorOfType(type: string): CreateValidator | undefined {
  return TYPES.get(type);
}
