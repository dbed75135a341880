/** Options of what becomes of audit records; part of `options.ts`. */
import * as values from "./values.ts";

export const AUDIT_OPTIONS = [
  {
    name: "audit-file",
    ...values.path,
    help: "File to which every audit record is also written, as JSON lines. Reopened on SIGHUP, or when the file has been moved or deleted.",
  },
  {
    name: "audit-webhook",
    ...values.webhook,
    help: "URL (http or https) to which every audit record is also sent, as JSON lines.",
  },
  {
    name: "audit-webhook-secret",
    ...values.token,
    help: "Signing secret for --audit-webhook. Set it with the environment variable, not the flag.",
  },
  {
    name: "audit-retention",
    ...values.retention,
    default: "400d",
    help: "How long to keep audit records, for example 400d or 12h. 0: never delete.",
  },
  {
    name: "audit-refused-reads",
    ...values.retention,
    default: "1d",
    help: "How long to keep audit records of denied reads. 0: never delete.",
  },
] as const;
