/**
 * A small file says that a master key has sealed what lies in a database. So an empty database beside that key is known
 * for what it is: not a first start, but the loss of everything, such as a volume that was not mounted.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createPrivateFile } from "./files.ts";
import { StartError } from "./start-error.ts";

export interface UsedKey {
  isUsed(): boolean;
  /** @throws StartError when the key was used, unless the operator allows for it */
  refuseEmpty(): void;
  /** Writes down that the key is used; called when what it has sealed is durable. */
  note(): void;
}

export interface UsedKeyOptions {
  /** Where the operator keeps the key; without it, it lies in the data directory. */
  keyFile: string | undefined;
  dataDir: string;
  /** `--allow-empty-database` */
  allowEmpty: boolean;
  onWarning: (message: string) => void;
}

const TEXT = "The master key beside this file has sealed secrets of a Tessera database. Keep this file with the key.\n";

export function usedKey({ keyFile, dataDir, allowEmpty, onWarning }: UsedKeyOptions): UsedKey {
  const own = join(dataDir, "master-key");
  const key = keyFile ?? own;
  // Beside the key, which is what outlives a lost volume; in the data directory where keys are mounted to be read only.
  const places = [...new Set([`${key}.used`, `${own}.used`])];
  let isAllowed = false;
  const isUsed = () => places.some((place) => existsSync(place));
  return {
    isUsed,
    refuseEmpty() {
      if (isAllowed || !isUsed()) return;
      const what = `the database is missing or empty, but the master key ${key} has sealed secrets of one before`;
      if (!allowEmpty) {
        throw new StartError(
          `${what}; put the database back, or begin with an empty one by --allow-empty-database (see docs/operations/damage.md)`,
        );
      }
      isAllowed = true;
      onWarning(`${what}: an empty one is begun, since --allow-empty-database says so`);
    },
    note() {
      if (isUsed()) return;
      const failures: unknown[] = [];
      for (const place of places) {
        try {
          createPrivateFile(place, TEXT);
          return;
        } catch (error) {
          failures.push(error);
        }
      }
      onWarning(
        `that the master key is used cannot be written down, so a lost database will not be noticed: ${failures.join(", ")}`,
      );
    },
  };
}
