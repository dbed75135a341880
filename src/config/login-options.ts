/** Options of logins; part of `options.ts`. */
import type { Option } from "./option.ts";
import * as values from "./values.ts";

export const LOGIN_OPTIONS = [
  {
    name: "login-failure-limit",
    ...values.limit,
    default: "100",
    help: "Maximum denied logins per minute per auth method, client address and claimed subject. Further denied logins get 429. 0 disables the limit.",
  },
  {
    name: "login-limit-per-identity",
    ...values.limit,
    default: "1000",
    help: "Maximum logins per minute per identity (burst allowed). Further logins get 429. 0 disables the limit.",
  },
  {
    name: "login-limit-per-method",
    ...values.limit,
    default: "20000",
    help: "Maximum logins per minute per auth method (burst allowed). Further logins get 429. 0 disables the limit.",
  },
  {
    name: "login-tokens-per-identity",
    ...values.limit,
    default: "1000",
    help: "Maximum active login tokens per identity. Further logins get 429. 0 disables the limit.",
  },
  {
    name: "default-login-ttl",
    ...values.ttl,
    default: "24h",
    isShownOnly: true,
    help: "TTL of login tokens when the auth method has no MaxTokenTTL. 0: never expire. If not set, tokens of jwt and oidc methods expire after 24h, and tokens of kubernetes and aws-iam methods never expire.",
  },
] as const satisfies readonly Option[];
