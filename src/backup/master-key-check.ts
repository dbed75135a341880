import { createSecretKey } from "node:crypto";
import { transitionOf } from "../storage/keys/masters.ts";
import { fingerprintOf, unwrapDataKey } from "../storage/keys/wrapping.ts";
import { readMasterKey } from "../storage/keys/master-key.ts";
import { BackupRefused, type Header } from "./format.ts";

/** Place of the master key; `masterKey` is set where a command has printed it. */
export interface KeyPlace {
  masterKey: Uint8Array | undefined;
  keyFile: string | undefined;
  dataDir: string;
  onWarning: (message: string) => void;
}

/**
 * Compares the master key with those that a backup's database has, of which there are two while one replaces the other: with
 * another one none of its secrets would open.
 *
 * @throws StartError when there is none, or it was replaced before the backup; BackupRefused when it is another
 */
export function checkMasterKey({ keyCheck: { id, wrapped, masters } }: Header, place: KeyPlace): void {
  const bytes = readMasterKey(place, false);
  const own = createSecretKey(bytes);
  const fingerprint = fingerprintOf(bytes);
  const transition = masters.length === 0 ? undefined : transitionOf(masters, own, fingerprint);
  try {
    unwrapDataKey([transition ?? own], wrapped, id);
  } catch {
    throw new BackupRefused(
      "wrong master key for the database of this backup. Set the right --key-file or --key-command",
    );
  }
}
