import { AppError } from "../errors.ts";
import { damaged } from "./damaged-rows.ts";
import type { Keyring } from "./keyring.ts";

/**
 * Opens what a row holds sealed. Its seal was made here and for this place, so one that does not open is damaged.
 *
 * @param place `table/column/key`
 * @throws StorageDamaged
 */
export async function openStored(keyring: Keyring, sealed: string, place: string): Promise<string> {
  try {
    return await keyring.open(sealed, place);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const [table = "", , ...key] = place.split("/");
    throw damaged({ table, key: key.join("/") });
  }
}
