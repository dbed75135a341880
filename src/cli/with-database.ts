import type { Config } from "../config.ts";
import type { Database } from "../storage/database.ts";
import { visible } from "./client/output/values.ts";
import { givenMasterKey } from "./given-master-key.ts";
import { openDatabase } from "../storage/open.ts";

/**
 * Opens the database of a configuration as its server does, for as long as `work` takes. What a server says of its database
 * in its log is said on standard error.
 *
 * @throws StartError when it cannot be opened, such as while a server has the embedded one
 */
export async function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const { database, dataDir, keyFile, allowEmptyDatabase: allowEmpty, acceptLostWrites } = config;
  const onWarning = (message: string) => void process.stderr.write(`tessera: ${message}\n`);
  const onFatal = (error: Error) => onWarning(error.message);
  const masterKey = await givenMasterKey(config);
  const choices = { allowEmpty, acceptLostWrites, onFatal, onWarning };
  const db = await openDatabase({ url: database.url, dataDir, keyFile, masterKey, ...choices });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/**
 * Says something on standard output, line by line and without what a terminal would obey: it may hold names of whoever made what is read. Whoever
 * reads it may have gone, as `head` does when it has enough.
 */
export function tell(text: string): void {
  if (process.stdout.listenerCount("error") === 0) process.stdout.on("error", () => process.exit());
  process.stdout.write(`${text.split("\n").map(visible).join("\n")}\n`);
}
