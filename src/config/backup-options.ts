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
    help: "So many of them are kept; when a new one was made an older one goes.",
  },
  {
    name: "backup-keep-daily",
    ...values.limit,
    default: "0",
    help: "Also kept: the last one of each of so many days that have one.",
  },
  {
    name: "backup-keep-weekly",
    ...values.limit,
    default: "0",
    help: "Also kept: the last one of each of so many weeks that have one.",
  },
  {
    name: "backup-keep-monthly",
    ...values.limit,
    default: "0",
    help: "Also kept: the last one of each of so many months that have one.",
  },
] as const;
