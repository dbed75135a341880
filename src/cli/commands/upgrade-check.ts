import { findEarlierMethods, tellEarlierMethods } from "../../acl/auth-methods/earlier.ts";
import { findRewritten, tellRewritten } from "../../acl/policies/rewritten.ts";
import { readConfig } from "../../config.ts";
import { readVersion } from "../../config/version.ts";
import { openHeldKeys } from "../../storage/keys/keyring.ts";
import { readMasterKey } from "../../storage/keys/master-key.ts";
import { openReader } from "../../storage/operator/read-only.ts";
import { checkUpgrade, type UpgradeCheck } from "../../storage/migrations/upgrade-check.ts";
import { givenMasterKey } from "../given-master-key.ts";
import { settingsOf } from "../settings.ts";
import { readKeyPair } from "../tls.ts";
import { tell } from "../with-database.ts";

/** First migration that has a table of auth methods. */
const FIRST_WITH_METHODS = "0005";

/**
 * `tessera upgrade --check`: says what a start of this version would change of a database. Nothing is changed.
 *
 * @param args as `serve` takes them @throws ConfigError, StartError when database, options or master key cannot follow
 */
export async function upgradeCheckCommand(args: readonly string[]): Promise<void> {
  const config = readConfig(args);
  // As a start refuses them.
  if (config.tls !== undefined) readKeyPair(config.tls);
  const { url } = config.database;
  const masterKey = await givenMasterKey(config);
  const onWarning = (message: string) => void process.stderr.write(`tessera: ${message}\n`);
  const { db, close } = await openReader({ url, dataDir: config.dataDir, onWarning });
  try {
    const found = await checkUpgrade(db, settingsOf(config));
    const key = readMasterKey({ ...config, masterKey, onWarning }, false);
    const keyring = await openHeldKeys(db, key);
    for (const line of wordsOf(found, db.engine)) tell(line);
    // One without tables has no policies either.
    const rewritten = found.applied.length > 1 ? await tellRewritten(findRewritten(db, config.edition)) : undefined;
    if (rewritten !== undefined) tell(rewritten);
    const hasMethods = found.applied.some((name) => name >= FIRST_WITH_METHODS);
    const methods = hasMethods ? await tellEarlierMethods(findEarlierMethods({ ...db, keyring })) : undefined;
    if (methods !== undefined) tell(methods);
  } finally {
    await close();
  }
}

function wordsOf({ applied, now, left, newer }: UpgradeCheck, engine: "sqlite" | "postgres"): string[] {
  const version = readVersion();
  const last = applied.at(-1) ?? "none";
  const atStart = engine === "sqlite" ? [...now, ...left] : now;
  const later = engine === "sqlite" ? [] : left;
  const lines = [
    `The database has ${applied.length} migrations, up to ${last}; upgrade to ${version} is possible with these options`,
  ];
  if (atStart.length > 0) lines.push(`The first startup applies ${atStart.join(", ")}`);
  if (later.length > 0) {
    lines.push(
      `tessera finish-upgrade applies ${later.join(", ")} after all servers of the older version have stopped`,
    );
  }
  if (newer.length > 0) lines.push(`A newer version has added ${newer.join(", ")}; this version is compatible with it`);
  if (atStart.length + later.length === 0) lines.push("No schema changes");
  else lines.push("Back up first: downgrades are not supported");
  return lines;
}
