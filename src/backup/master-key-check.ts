import { createSecretKey } from "node:crypto";
import { readMasterKey } from "../storage/master-key.ts";
import { decrypt } from "../storage/open-sealed.ts";
import { BackupRefused, type Header } from "./format.ts";

/**
 * Compares the master key with the one that a backup's database has: with another one none of its secrets would open.
 *
 * @throws StartError when there is none; BackupRefused when it is another
 */
export function checkMasterKey(
  { keyCheck: { id, wrapped } }: Header,
  place: { keyFile: string | undefined; dataDir: string; onWarning: (message: string) => void },
): void {
  const master = createSecretKey(readMasterKey(place, false));
  try {
    decrypt(master, wrapped, `data_keys/wrapped/${id}`);
  } catch {
    throw new BackupRefused("the master key is not the one that the backup's database has; give the right --key-file");
  }
}
