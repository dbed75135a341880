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
    help: "Directory for scheduled backups. Created if missing. Servers of one database must share it, or set it on one server only.",
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
    help: "Also keep the last backup of each day, for this number of days with backups.",
  },
  {
    name: "backup-keep-weekly",
    ...values.limit,
    default: "0",
    help: "Also keep the last backup of each week, for this number of weeks with backups.",
  },
  {
    name: "backup-keep-monthly",
    ...values.limit,
    default: "0",
    help: "Also keep the last backup of each month, for this number of months with backups.",
  },
] as const;
