/** Options of the use ledger; part of `options.ts`. */
import * as values from "./values.ts";

export const USE_OPTIONS = [
  {
    name: "use-ledger",
    ...values.choice("on", "off"),
    default: "on",
    help: "on: record which permissions are used, by day. off: record nothing on this server.",
  },
  {
    name: "use-retention",
    ...values.retention,
    default: "128d",
    help: "How long to keep the use of a permission after its last use. Reports by day include the last 128 days at most. 0: never delete.",
  },
  {
    name: "use-identities",
    ...values.choice("on", "off"),
    default: "on",
    help: "on: record the use of permissions by identity. off: record the roles of a login instead.",
  },
] as const;
