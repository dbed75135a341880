/** The types of auth methods, each with what proves its identities. */
import type { CreateValidator } from "../../identities/validator.ts";

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
