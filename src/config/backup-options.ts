/** Options of backups that a server makes by itself; part of `options.ts`. */
import * as values from "./values.ts";

export const BACKUP_OPTIONS = [
  {
    name: "backup-every",
    ...values.interval,
    help: "Backup interval, for example 6h or 1d. Backups are written to --backup-dir.",
  },
  {
    name: "backup-dir",
    ...values.path,
    help: "Directory for scheduled backups. Created if missing. If several servers use one database, set this option on one server only, or use a directory that all of them share.",
  },
  {
    name: "backup-keep",
    ...values.count,
    default: "14",
    help: "Number of backups to keep. Older ones are deleted after each backup.",
  },
  {
    name: "backup-keep-daily",
    ...values.limit,
    default: "0",
    help: "Also keep the last backup of each of the N most recent days that have a backup.",
  },
  {
    name: "backup-keep-weekly",
    ...values.limit,
    default: "0",
    help: "Also keep the last backup of each of the N most recent weeks that have a backup.",
  },
  {
    name: "backup-keep-monthly",
    ...values.limit,
    default: "0",
    help: "Also keep the last backup of each of the N most recent months that have a backup.",
  },
] as const;
