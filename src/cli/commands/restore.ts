import { openSource } from "../../backup/files.ts";
import { checkMasterKey } from "../../backup/master-key-check.ts";
import { openBackup, verifyBackup } from "../../backup/read.ts";
import { restoreBackup, type Restored } from "../../backup/restore.ts";
import type { Returned } from "../../backup/returned.ts";
import { readConfig } from "../../config.ts";
import { migrationsOf } from "../../storage/operator/loading.ts";
import { openPostgresLoading } from "../../storage/postgres/loading.ts";
import { openSqliteLoading } from "../../storage/sqlite/loading.ts";
import { givenMasterKey } from "../given-master-key.ts";
import { tell } from "../with-database.ts";
import { sumOf, warn } from "./backup.ts";
import { keepYoungHeapSmall } from "../../private-node.ts";

export interface RestoreFlags {
  withLogins?: boolean;
  auditFile?: string[];
}

/**
 * `tessera restore`: makes an empty database, of either engine, what a backup holds.
 *
 * @param path of the file, or `-` @param args as `serve` takes them
 * @throws ConfigError, StartError; then nothing was restored
 */
export async function restoreCommand(
  path: string,
  { withLogins = false, auditFile: auditFiles = [] }: RestoreFlags,
  args: readonly string[],
): Promise<void> {
  const config = readConfig(args);
  const { database, keyFile, dataDir } = config;
  const masterKey = await givenMasterKey(config);
  keepYoungHeapSmall();
  const source = openSource(path);
  for (const file of auditFiles) openSource(file);
  let backup = await openBackup(source.bytes(), source.name);
  const migrations = migrationsOf(backup.header.migrations);
  checkMasterKey(backup.header, { masterKey, keyFile, dataDir, onWarning: warn });
  if (source.isFile) {
    await verifyBackup(source.bytes(), source.name);
    backup = await openBackup(source.bytes(), source.name);
  }
  const loading =
    database.engine === "sqlite"
      ? openSqliteLoading(database.url.slice("sqlite:".length), migrations, warn)
      : await openPostgresLoading(database.url, migrations);
  const restored = await restoreBackup(backup, loading, { withLogins, auditFiles, now: new Date() });
  for (const line of report(restored, withLogins, auditFiles)) tell(line);
}

const MOST_SHOWN = 50;

/** Lists the objects that are restored, that are not restored, and that are restored but perhaps should not be. */
function report(restored: Restored, withLogins: boolean, auditFiles: readonly string[]): string[] {
  const { header, trailer, logins, revoked, deleted, disabled, changed, returned } = restored;
  const lines = [`Restored ${sumOf(trailer)}, as of ${header.takenAt}`];
  if (!withLogins && logins > 0)
    lines.push(`Not restored: ${logins} tokens created by logins; --with-logins restores them`);
  if (auditFiles.length > 0) {
    const counts = Object.entries(revoked).map(([table, count]) => `${count} ${table.replace("_", " ")}`);
    const others = Object.entries(deleted.counts).map(([kind, count]) => `${count} of kind ${kind}`);
    lines.push(`Deleted again, as recorded in ${auditFiles.join(" and ")}: ${[...counts, ...others].join(", ")}`);
    if (disabled > 0) lines.push(`Disabled again: ${disabled} tokens`);
    if (deleted.back.length > 0)
      lines.push(`Deleted after the backup and restored by it; delete them again: ${someOf(deleted.back)}`);
    if (deleted.merged.length > 0)
      lines.push(`Merged after the backup and restored by it; merge them again: ${someOf(deleted.merged)}`);
    if (changed.length === 0) return lines;
    return [...lines, `Changed after the backup and reverted by it; review them: ${someOf(changed)}`];
  }
  if (returned === undefined) return lines;
  return [
    ...lines,
    `Objects deleted after ${header.takenAt} have been restored. Use --audit-file to delete them again. Review these ` +
      "and delete the unwanted ones:",
    ...listOf("token", "tokens", returned.tokens),
    ...listOf("policy", "policies", returned.policies),
  ];
}

function someOf(all: readonly string[]): string {
  const more = all.length > MOST_SHOWN ? `, and ${all.length - MOST_SHOWN} more` : "";
  return `${all.slice(0, MOST_SHOWN).join(", ")}${more}`;
}

/** A line for each that is shown, and one for the rest. @param path of what lists them all, behind `/v1/acl/` */
function listOf(kind: string, path: string, { count, shown }: Returned): string[] {
  const rest = count - shown.length;
  return [
    ...shown.map((each) => `  ${kind} ${each}`),
    ...(rest > 0
      ? [`  and ${rest} more ${path}, the older ones: GET /v1/acl/${path} of each namespace lists them`]
      : []),
  ];
}
