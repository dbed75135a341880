/** The options of every command, apart from what parses them: the front of a command line is read before that is loaded. */
import { FORMATS } from "./output/types.ts";
import type { Flag } from "./spec.ts";

/** The options that every command takes. */
export const EVERY_FLAGS: readonly Flag[] = [
  {
    name: "output",
    short: "o",
    value: "FORMAT",
    choices: FORMATS,
    help: "Output format. Default: TESSERA_OUTPUT, or table.",
  },
  { name: "quiet", short: "q", help: "Print only results, errors and prompts. Other messages are suppressed." },
  { name: "no-color", help: "Disable colors (NO_COLOR)." },
  { name: "yes", short: "y", help: "Skip confirmation prompts." },
  { name: "dry-run", help: "Show the request without sending it." },
  { name: "take-over", help: "Also change objects that tessera apply manages." },
  { name: "reason", value: "TEXT", help: "Reason for the change, for the audit log. Maximum 500 characters." },
  {
    name: "context",
    value: "NAME",
    help: "Context name (TESSERA_CONTEXT). Default: the current context.",
    complete: "context",
  },
  { name: "address", value: "URL", help: "Server address (TESSERA_ADDR)." },
  {
    name: "token-file",
    value: "PATH",
    help: "File that contains the token (TESSERA_TOKEN_FILE). Use - to read stdin. Alternative: the variable TESSERA_TOKEN.",
    complete: "file",
  },
  {
    name: "namespace",
    short: "n",
    value: "NAME",
    help: "Namespace for /v1 (TESSERA_NAMESPACE).",
    complete: "namespace",
  },
  { name: "partition", value: "NAME", help: "Partition for /v1 (TESSERA_PARTITION).", complete: "partition" },
  {
    name: "organization",
    short: "O",
    value: "NAME",
    help: "Organization for /api/v2 (TESSERA_ORGANIZATION).",
    complete: "organization",
  },
  {
    name: "ca-file",
    value: "PATH",
    help: "CA certificates in PEM, in addition to the system CAs (TESSERA_CA_FILE).",
    complete: "file",
  },
  { name: "client-cert", value: "PATH", help: "Client certificate in PEM (TESSERA_CLIENT_CERT).", complete: "file" },
  {
    name: "client-key",
    value: "PATH",
    help: "Private key of the client certificate (TESSERA_CLIENT_KEY).",
    complete: "file",
  },
  { name: "timeout", value: "SECONDS", help: "Timeout of each request. Default: 60." },
];
