/**
 * The master key that this process runs by, and what it opens while another one takes its place. Neither master key is ever
 * wrapped by the other: what both open is a third key, the transition's, which wraps all data keys meanwhile and goes when
 * the old master key goes. So whoever has the old one and a copy of the database does not have the new one.
 */
import { createSecretKey, type KeyObject } from "node:crypto";
import type { Reader } from "../database.ts";
import { defineQuery } from "../reads/query.ts";
import { StartError } from "../start-error.ts";
import type { Tables } from "../tables/tables.ts";
import { fingerprintOf, unwrapDataKey, unwrapTransition } from "./wrapping.ts";

export type MasterRow = Tables["master_keys"];

/** The master key of a process. */
export interface Masters {
  /** Its fingerprint. */
  readonly id: string;
  /**
   * Reads which master keys there are.
   *
   * @param db in a transaction of `root`, so that it stays true, or outside for what only opens
   * @returns the key that wraps new data keys now
   * @throws StartError when the master key is none of those in use
   */
  load(db: Reader): Promise<KeyObject>;
  /** The bytes of a data key. @throws StartError when they do not open by what is known since the last `load` */
  unwrap(id: string, wrapped: string): Buffer;
}

/** @param bytes the master key */
export function createMasters(bytes: Buffer): Masters {
  const own = createSecretKey(bytes);
  const id = fingerprintOf(bytes);
  // A transition's key is kept when it is over: what was read before may be wrapped by it.
  const opening = [own];
  return {
    id,
    async load(db) {
      const rows = await listMasters(db);
      if (rows.length === 0) return own;
      const transition = transitionOf(rows, own, id);
      if (transition === undefined) return own;
      if (!opening.some((key) => key.equals(transition))) opening.push(transition);
      return transition;
    },
    unwrap(dataKeyId, wrapped) {
      try {
        return unwrapDataKey(opening, wrapped, dataKeyId);
      } catch (error) {
        throw new StartError("wrong master key for this database. Set the right --key-file or --key-command", {
          cause: error,
        });
      }
    },
  };
}

/**
 * The transition's key, as a master key opens it; undefined where none is under way.
 *
 * @param id fingerprint of the master key
 * @throws StartError when the master key is none of those in use
 */
export function transitionOf(rows: readonly MasterRow[], master: KeyObject, id: string): KeyObject | undefined {
  const row = rows.find((each) => each.id === id);
  if (row === undefined) {
    throw new StartError(
      `wrong master key for this database: ${id}; expected ` +
        `${rows.map((each) => each.id).join(" or ")} (or the key was replaced). Set the right --key-file or --key-command`,
    );
  }
  if (row.transition === "") return undefined;
  try {
    return unwrapTransition(master, row.transition, id);
  } catch (error) {
    throw new StartError(
      `storage is corrupted: the row of master_keys ${JSON.stringify(id)} failed its integrity check`,
      {
        cause: error,
      },
    );
  }
}

/** The master keys that are in use: two while one replaces the other, none where the first one never was. */
export function listMasters(db: Reader): Promise<MasterRow[]> {
  return db.run(list, {});
}

const list = defineQuery((sql, _: object) => sql.selectFrom("master_keys").selectAll().orderBy("state"));
