import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery } from "../../storage/reads/query.ts";
import type { Tables } from "../../storage/tables/tables.ts";

const byId = definePoint("used_login_states.id", (db) => db.selectFrom("used_login_states").selectAll());

export function findUsedState(db: Reader, id: string): Promise<Tables["used_login_states"] | undefined> {
  return db.point(byId, id);
}

const insert = defineQuery((db, p: Tables["used_login_states"]) =>
  db.insertInto("used_login_states").values({ id: p.id, expires_at: p.expires_at }),
);

/** A state that is there already is refused by its key. */
export function insertUsedState(tx: Transaction, state: Tables["used_login_states"]): void {
  tx.write(insert, state);
}
