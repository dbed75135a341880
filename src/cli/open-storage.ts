import { ConfigError, type Config } from "../config.ts";
import { errorCode } from "../config/given.ts";
import { objectLimitsOf } from "../config/limit-options.ts";
import type { Database } from "../storage/database.ts";
import { limitingObjects } from "../storage/writes/object-limits.ts";
import { openDatabase } from "../storage/open.ts";
import { byTheServer } from "../storage/writes/recorded.ts";
import type { ProcessLog } from "./logger.ts";

/**
 * Opens storage as the options of `serve` say, with its limits.
 *
 * @param fatal aborted when storage can no longer keep its promises
 * @throws StartError, or ConfigError for what the file system refuses: that is for the operator to mend, like any other setting
 */
export async function openStorage(
  config: Config,
  masterKey: Buffer | undefined,
  { log }: ProcessLog,
  fatal: AbortController,
): Promise<Database> {
  try {
    const db = await openDatabase({
      url: config.database.url,
      dataDir: config.dataDir,
      keyFile: config.keyFile,
      masterKey,
      feed: config.feed,
      replica: config.replica,
      allowEmpty: config.allowEmptyDatabase,
      acceptLostWrites: config.acceptLostWrites,
      onDamage: (message) => log.fatal(message),
      onFatal: (error) => fatal.abort(error),
      onWarning: (message) => log.warn(message),
    });
    return limitingObjects(byTheServer(db), objectLimitsOf(config));
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && "path" in error)) throw error;
    throw new ConfigError(
      `cannot use ${String(error.path)} (${errorCode(error)}). Check --data-dir and its permissions`,
    );
  }
}
