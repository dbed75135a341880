import type { BodyOf, ItemOf } from "@tessera-server/client";
import type { Named } from "../../kit/kind.ts";
import { screenNames } from "../../texts/names.ts";

export type AuthMethodRow = ItemOf<"listAuthMethods">;
export type AuthMethod = BodyOf<"readAuthMethod">;

/** Placeholder for a secret in the configuration. */
export const KEPT = "<kept>";

const SECRETS = new Set(["serviceaccountjwt", "oidcclientsecret"]);

/** Auth methods, as they are read and called. Secrets of their configurations stay with the server. */
export const AUTH_METHOD: Named<AuthMethod> = {
  noun: "auth-methods",
  singular: screenNames.authMethods.singular,
  plural: screenNames.authMethods.plural,
  read: "readAuthMethod",
  parameter: "name",
  key: ({ Name }) => Name,
  title: ({ Name, DisplayName }) => DisplayName || Name,
  withoutSecrets: (method) => ({
    ...method,
    Config: Object.fromEntries(
      Object.entries(method.Config).map(([key, value]) => [key, SECRETS.has(key.toLowerCase()) ? KEPT : value]),
    ),
  }),
};

/** Names of the types in the console. */
export const TYPES = {
  jwt: screenNames.authMethods.jwt,
  oidc: screenNames.authMethods.oidc,
  kubernetes: screenNames.authMethods.kubernetes,
  "aws-iam": screenNames.authMethods.awsIam,
} as const satisfies Record<AuthMethod["Type"], string>;
