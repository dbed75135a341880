/**
 * Finds auth methods that have not been written since configurations are read more strictly, and lists the parts that
 * would be rejected.
 */
import { sql } from "kysely";
import type { RawConfig } from "../../identities/validator.ts";
import type { Reader } from "../../storage/database.ts";
import type { Keyring } from "../../storage/keys/sealed.ts";
import { listKey } from "../../storage/reads/conditions.ts";
import type { ListScope } from "../../rights/permission.ts";
import { fold } from "../../fold.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import { openWithReading } from "./config.ts";
import { methodStore } from "./store.ts";

/** A method that would refuse more once its configuration is written again. */
export interface EarlierMethod {
  name: string;
  scope: Scope;
  /** In words. */
  differences: readonly string[];
}

const ALGORITHMS = "JWTSupportedAlgs would also apply to its keys";
const FRACTIONS = "claims with fractional numbers would be rejected";

/** Lists parts that the present reading rejects in a configuration that an earlier reading reads. */
function differencesOf(type: string, config: RawConfig): string[] {
  if (type !== "jwt" && type !== "oidc") return [];
  const named = new Map(Object.entries(config).map(([key, value]) => [fold(key), value]));
  const has = (key: string): boolean => {
    const value = named.get(key);
    return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
  };
  const isOfKeys = has("jwksurl") || has("jwtvalidationpubkeys");
  return [
    ...(has("jwtsupportedalgs") && isOfKeys ? [ALGORITHMS] : []),
    ...(has("claimmappings") || has("listclaimmappings") ? [FRACTIONS] : []),
  ];
}

/** Methods that are read at once: each may have a quarter of a megabyte. */
const SLICE = 16;

interface Row extends Partial<Scope> {
  id: string;
  name: string;
  type: string;
  config_sealed: string;
}

/**
 * Finds all such methods of a database, of any version of its schema, in the order of their IDs. For messages only:
 * nothing is decided by these rows, and their proofs are not checked.
 *
 * @throws StorageDamaged
 */
export async function* findEarlierMethods(
  db: Reader & { keyring: Pick<Keyring, "open"> },
): AsyncGenerator<EarlierMethod> {
  for (let after = ""; ;) {
    const { rows } = await sql<Row>`select * from auth_methods where id > ${after} order by id limit ${SLICE}`.execute(
      db.sql,
    );
    for (const { id, name, type, partition, namespace, config_sealed: configSealed } of rows) {
      const { config, reading } = await openWithReading(db, { id, configSealed });
      const differences = reading === "present" ? [] : differencesOf(type, config);
      // Tables of the first versions have no places.
      const scope = { ...DEFAULT_SCOPE, ...(partition && namespace && { partition, namespace }) };
      if (differences.length > 0) yield { name, scope, differences };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < SLICE) return;
    after = last.id;
  }
}

/** Maximum number of methods that one overview examines: each is decrypted. */
const MOST_LOOKED = 256;

/**
 * Returns such methods of the namespaces of a list, in its order.
 *
 * @param most maximum number to return
 * @returns the methods, and whether there may be more that were not examined
 */
export async function earlierIn(
  db: Reader,
  keys: { keyring: Pick<Keyring, "open"> },
  list: ListScope,
  most: number,
): Promise<{ found: EarlierMethod[]; isMore: boolean }> {
  const found: EarlierMethod[] = [];
  let [after, looked] = ["", 0];
  for (;;) {
    const listed = await methodStore.list(db, list, { after, search: "", size: SLICE });
    for (const { name, scope } of listed) {
      const method = await methodStore.byName(db, scope, name);
      if (method === undefined) continue;
      looked += 1;
      const { config, reading } = await openWithReading(keys, method);
      const differences = reading === "present" ? [] : differencesOf(method.type, config);
      if (differences.length > 0) found.push({ name, scope, differences });
      if (found.length >= most || looked >= MOST_LOOKED) return { found, isMore: true };
    }
    const last = listed.at(-1);
    if (last === undefined || listed.length < SLICE) return { found, isMore: false };
    after = listKey(list, last.scope.namespace, methodStore.sortKey(last));
  }
}

/** Maximum number of methods that one message names. */
const MOST_NAMED = 20;

/**
 * Message for an operator about these methods; undefined when there are none.
 *
 * @param isBrief without differences that only few tokens meet, as at each start
 */
export async function tellEarlierMethods(
  found: AsyncIterable<EarlierMethod>,
  { isBrief = false } = {},
): Promise<string | undefined> {
  const named: string[] = [];
  let count = 0;
  for await (const { name, scope, differences } of found) {
    const told = isBrief ? differences.filter((each) => each !== FRACTIONS) : differences;
    if (told.length === 0) continue;
    count += 1;
    if (named.length < MOST_NAMED) named.push(`${scope.partition}/${scope.namespace}/${name} (${told.join("; ")})`);
  }
  if (count === 0) return undefined;
  const more = count > named.length ? `, and ${count - named.length} more` : "";
  const are = count === 1 ? "1 auth method uses the earlier format" : `${count} auth methods use the earlier format`;
  return `${are} and would reject more logins after its Config is saved again (see docs/api/auth-methods.md): ${named.join(", ")}${more}`;
}
