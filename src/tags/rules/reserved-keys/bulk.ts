/** Keys that bulk work reserves, inside a transaction of their organization. */
import { recordChange, type Author } from "../../changes/record.ts";
import { newId } from "../../../ids.ts";
import type { Transaction } from "../../../storage/database.ts";
import { deleteReservedKey, insertReservedKey, updateReservedKey, type ReservedKey } from "./store.ts";

/** A key that is reserved from now on, or reserved in another way. */
export interface Reservation {
  key: string;
  disableOverrides: boolean;
  /** As it is reserved now. */
  before: ReservedKey | undefined;
}

/** Writes them, each with its record. @param reservations which change something; there is room for them */
export async function reserveKeys(
  author: Author,
  tx: Transaction,
  organizationId: string,
  reservations: readonly Reservation[],
  jobId: string,
): Promise<void> {
  const now = new Date(author.now()).toISOString();
  for (const { key, disableOverrides, before } of reservations) {
    const said = { disableOverrides: disableOverrides ? 1 : 0, updatedAt: now };
    const after =
      before === undefined
        ? { id: newId("rtk"), organizationId, key, createdAt: now, ...said }
        : { ...before, ...said };
    (before === undefined ? insertReservedKey : updateReservedKey)(tx, after);
    const object = { organizationId, kind: "reserved-tag-key", objectId: after.id, name: key, jobId } as const;
    await recordChange(
      tx,
      author,
      before === undefined
        ? { ...object, action: "created", details: { "disable-overrides": disableOverrides } }
        : {
            ...object,
            action: "updated",
            details: {
              from: { key, "disable-overrides": before.disableOverrides === 1 },
              to: { key, "disable-overrides": disableOverrides },
            },
          },
    );
  }
}

/** Releases keys, each with its record. */
export async function releaseKeys(
  author: Author,
  tx: Transaction,
  organizationId: string,
  keys: readonly ReservedKey[],
  jobId: string,
): Promise<void> {
  for (const { id: objectId, key: name, disableOverrides } of keys) {
    deleteReservedKey(tx, objectId);
    const object = { organizationId, kind: "reserved-tag-key", objectId, name, jobId } as const;
    const details = { "disable-overrides": disableOverrides === 1 };
    await recordChange(tx, author, { ...object, action: "deleted", details });
  }
}
