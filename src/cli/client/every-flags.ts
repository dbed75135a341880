/** The options of every command, apart from what parses them: the front of a command line is read before that is loaded. */
import { FORMATS } from "./output/types.ts";
import type { Flag } from "./spec.ts";

/** What every command takes. */
export const EVERY_FLAGS: readonly Flag[] = [
  {
    name: "output",
    short: "o",
    value: "FORMAT",
    choices: FORMATS,
    help: "The form of results; table unless TESSERA_OUTPUT says another.",
  },
  { name: "quiet", short: "q", help: "Say nothing on standard error but errors and questions." },
  { name: "no-color", help: "No colours; so does NO_COLOR." },
  { name: "yes", short: "y", help: "Do not ask before something goes." },
  { name: "dry-run", help: "Show what would be sent, and change nothing." },
  {
    name: "context",
    value: "NAME",
    help: "Another context than the one in use (TESSERA_CONTEXT).",
    complete: "context",
  },
  { name: "address", value: "URL", help: "The server (TESSERA_ADDR)." },
  {
    name: "token-file",
    value: "PATH",
    help: "A file that holds the token; - is standard input (TESSERA_TOKEN_FILE, TESSERA_TOKEN).",
    complete: "file",
  },
  {
    name: "namespace",
    short: "n",
    value: "NAME",
    help: "The namespace, under /v1 (TESSERA_NAMESPACE).",
    complete: "namespace",
  },
  { name: "partition", value: "NAME", help: "The partition, under /v1 (TESSERA_PARTITION).", complete: "partition" },
  {
    name: "organization",
    short: "O",
    value: "NAME",
    help: "The organization, under /api/v2 (TESSERA_ORGANIZATION).",
    complete: "organization",
  },
  {
    name: "ca-file",
    value: "PATH",
    help: "Certificates of authorities in PEM, beside the system's (TESSERA_CA_FILE).",
    complete: "file",
  },
  { name: "client-cert", value: "PATH", help: "A client certificate in PEM (TESSERA_CLIENT_CERT).", complete: "file" },
  { name: "client-key", value: "PATH", help: "Its private key (TESSERA_CLIENT_KEY).", complete: "file" },
  { name: "timeout", value: "SECONDS", help: "How long one answer may take; 60 unless set." },
];
