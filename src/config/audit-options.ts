/** Options of what becomes of audit records; part of `options.ts`. */
import * as values from "./values.ts";

export const AUDIT_OPTIONS = [
  {
    name: "audit-file",
    ...values.path,
    help: "Write every audit record to this file, too, a line of JSON each. Opened again on SIGHUP, and when it is gone.",
  },
  {
    name: "audit-webhook",
    ...values.webhook,
    help: "Post every audit record to this http or https URL, too, as lines of JSON.",
  },
  {
    name: "audit-webhook-secret",
    ...values.token,
    help: "Secret that those posts are signed with; better given by the environment than as a flag.",
  },
  {
    name: "audit-retention",
    ...values.retention,
    default: "400d",
    help: "How long audit records are kept, such as 400d or 12h; 0 for ever.",
  },
  {
    name: "audit-refused-reads",
    ...values.retention,
    default: "1d",
    help: "The same of records of reads that were refused.",
  },
] as const;
