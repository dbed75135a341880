import { methodStore } from "../../src/acl/auth-methods/store.ts";
import { DEFAULT_SCOPE } from "../../src/rights/scope.ts";
import type { Database } from "../../src/storage/database.ts";
import { placeIn } from "../../src/storage/keys/sealed-columns.ts";
import { proveRows, writePast } from "./proofs.ts";

/** Stores the configuration of an auth method of the namespace `default` as servers stored it that refused less. */
export async function storeMethodAsBefore(db: Database, name: string): Promise<void> {
  const method = await methodStore.byName(db, DEFAULT_SCOPE, name);
  if (method === undefined) throw new Error(`there is no auth method ${name}`);
  const { id } = method;
  const text = await db.keyring.open(method.configSealed, placeIn("auth_methods", id));
  if (!text.endsWith("}\n")) throw new Error("its configuration is read as before already");
  const config_sealed = await db.keyring.seal(text.trimEnd(), placeIn("auth_methods", id));
  await writePast(db, { kind: "root" }, async (tx) =>
    tx.write(tx.sql.updateTable("auth_methods").set({ config_sealed }).where("id", "=", id)),
  );
  await proveRows(db);
}
