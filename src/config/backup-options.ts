/** Options of backups that a server makes by itself; part of `options.ts`. */
import * as values from "./values.ts";

export const BACKUP_OPTIONS = [
  {
    name: "backup-every",
    ...values.interval,
    help: "Make a backup of the database so often, such as 6h or 1d, into --backup-dir.",
  },
  {
    name: "backup-dir",
    ...values.path,
    help: "Directory for those backups. Made when missing; servers of one database share it, or only one is given it.",
  },
  {
    name: "backup-keep",
    ...values.count,
    default: "14",
    help: "So many of them are kept; older ones are removed when a new one was made.",
  },
] as const;
