import type { Config } from "../config.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open.ts";

/**
 * Opens the database of a configuration for an operator's command, which says on
 * standard error what a server says in its log.
 *
 * @throws StartError when it cannot be used, such as an embedded one that a server has open
 */
export function openForCommand({ database, dataDir, keyFile, allowEmptyDatabase }: Config): Promise<Database> {
  const warn = (message: string) => void process.stderr.write(`tessera: ${message}\n`);
  return openDatabase({
    url: database.url,
    dataDir,
    keyFile,
    allowEmpty: allowEmptyDatabase,
    onFatal: (error) => warn(error.message),
    onWarning: warn,
  });
}
