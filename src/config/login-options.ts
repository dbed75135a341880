/** Options of logins; part of `options.ts`. */
import type { Option } from "./option.ts";
import * as values from "./values.ts";

export const LOGIN_OPTIONS = [
  {
    name: "login-failure-limit",
    ...values.limit,
    default: "100",
    help: "Refused logins a minute of one auth method from one client address that claim to be the same subject; more are answered 429. 0 for no limit.",
  },
  {
    name: "login-limit-per-identity",
    ...values.limit,
    default: "1000",
    help: "Logins a minute of one identity, which all at once may use up; more are answered 429. 0 for no limit.",
  },
  {
    name: "login-limit-per-method",
    ...values.limit,
    default: "20000",
    help: "The same of all identities of one auth method.",
  },
  {
    name: "login-tokens-per-identity",
    ...values.limit,
    default: "1000",
    help: "Living tokens that logins of one identity may have made; another login is answered 429. 0 for no limit.",
  },
  {
    name: "default-login-ttl",
    ...values.ttl,
    default: "24h",
    isShownOnly: true,
    help: "How long tokens live that logins make by auth methods without a MaxTokenTTL; 0 for ever. Unless it is set, those of the types kubernetes and aws-iam live for ever.",
  },
] as const satisfies readonly Option[];
