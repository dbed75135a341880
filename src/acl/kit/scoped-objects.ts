/**
 * The statements that objects which lie in namespaces have in common. What is special to a kind stands in its store.
 */
import { sql, type Expression, type SqlBool } from "kysely";
import { contains, behind, inListScope, outsideListScope } from "../../storage/reads/conditions.ts";
import type { Reader } from "../../storage/database.ts";
import { shortColumns } from "../../storage/proofs/proofs.ts";
import { compared, definePoint, defineQuery, oneOf } from "../../storage/reads/query.ts";
import { memberName } from "../../storage/writes/objects.ts";
import { keyOf, TABLES, type ScopedTable } from "../../storage/tables/tables.ts";
import type { ListScope } from "../../rights/permission.ts";
import type { PageRequest } from "../../lists/page.ts";
import { recordsOf } from "./records.ts";
import { writesOf, type ScopedKindTable, type ScopedWrites } from "./scoped-writes.ts";
import { fold } from "../../fold.ts";
import { isIn, type Scope } from "../../rights/scope.ts";
import {
  countSorted,
  ordersByKey,
  ordersOfNamed,
  readSorted,
  type EntryFilter,
  type Order,
  type PlacedEntry,
  type SortRequest,
} from "../../lists/sorted.ts";

/**
 * Column that lists of a table are ordered by within a namespace: names, if it has names. An index has the scope before
 * it.
 */
export function orderOf(table: ScopedTable): string {
  return "name_key" in TABLES[table] ? "name_key" : keyOf(table);
}

type Condition = Expression<SqlBool>;

/** Special parts of the statements of a kind. */
interface Special {
  /** Columns that are searched, in any case. Default: the name. */
  search?: readonly string[];
  /** Orders of its lists. Default: the orders that most kinds have. */
  orders?: readonly Order[];
  /** Columns that its sorted lists search besides name and description. Default: the key. */
  searchSorted?: readonly string[];
  /** Whether the keys are secret. */
  isKeyHidden?: true;
  /** Rows that count; all of them unless it says otherwise. */
  lives?: Condition;
  /** The columns that lists show without proof; all but the long text, proven, unless it says otherwise. */
  listed?: readonly string[];
  /** The columns that are the server's own notes, which `note` writes. */
  noted?: readonly string[];
}

/** Reads of the objects of a table, which all lie in a namespace. */
interface ScopedReads<R, Listed> {
  /** The object of a row that a query of the kind's own has read. @throws StorageDamaged when it is not what was written */
  of(row: object): R;
  /** Finds an object by its key, in whatever scope. */
  anywhere(db: Reader, key: string): Promise<R | undefined>;
  /** Finds an object by its key; one of another scope is not found. */
  find(db: Reader, scope: Scope, key: string): Promise<R | undefined>;
  /** Finds an object by its name, in any case. */
  byName(db: Reader, scope: Scope, name: string): Promise<R | undefined>;
  /** Objects by their keys, in no order; those that are gone or lie elsewhere are left out. */
  all(db: Reader, scope: Scope, keys: readonly string[]): Promise<R[]>;
  /**
   * Objects in order of namespaces and of their sort key, after that of the page.
   *
   * @param where what else they fulfil
   * @param isLed whether that has an index of its own, and leaves few
   */
  list(
    db: Reader,
    scope: ListScope,
    page: PageRequest & { size: number },
    where?: readonly Condition[],
    isLed?: boolean,
  ): Promise<Listed[]>;
  /**
   * The same objects in the order that is asked for.
   *
   * @param where what else they fulfil; undefined when none can
   * @throws AppError `bad_parameter`
   */
  sorted(where?: (db: Reader, scope: ListScope) => Promise<readonly Condition[] | undefined>): SortedObjects<Listed>;
  /** Returns the key by which an object is sorted within its namespace. */
  sortKey(object: object): string;
  /** Whether the partition has objects that the caller may not read. */
  hasHidden(db: Reader, scope: ListScope, where?: readonly Condition[]): Promise<boolean>;
}

/** The objects of a table in the order that is asked for, and how many there are; see `SortedList`. */
export interface SortedObjects<T> {
  list(db: Reader, scope: ListScope, page: SortRequest): Promise<PlacedEntry<T>[]>;
  count(db: Reader, scope: ListScope, found: EntryFilter): Promise<number>;
}

/**
 * @typeParam R the objects: `RecordOf` the table
 * @typeParam Listed what lists give of them
 */
export function scopedStore<R extends object, Listed = R>(
  name: ScopedKindTable,
  special: Special = {},
): { reads: ScopedReads<R, Listed>; writes: ScopedWrites<R> } {
  const kind = describe<R>(name, special);
  return { reads: readsOf<R, Listed>(kind), writes: writesOf<R>(kind) };
}

type Described<R extends object> = ReturnType<typeof describe<R>>;

/** Gathers what the statements of a kind are made of. */
function describe<R extends object>(name: ScopedKindTable, special: Special) {
  // The statements are the same for each table; the types need one of them.
  const table = name as "roles";
  const key = keyOf(name) as "id";
  const order = orderOf(name);
  const isNamed = order === "name_key";
  const { search = ["name_key"], lives = sql<SqlBool>`1 = 1`, listed, noted = [] } = special;
  const records = recordsOf<ScopedKindTable, R>(name);
  return {
    name,
    table,
    key,
    order,
    isNamed,
    search,
    lives,
    noted,
    records,
    isKeyHidden: special.isKeyHidden === true,
    columns: (listed ?? shortColumns(name)) as readonly ("id" | "name")[],
    ofRow: listed === undefined ? records.of : records.part,
    orders: [...(special.orders ?? (isNamed ? ordersOfNamed("name_key") : ordersByKey("ID", key)))],
    searchSorted: [...(isNamed ? ["name_key"] : []), "description", ...(special.searchSorted ?? [key])],
  };
}

function readsOf<R extends object, Listed>(kind: Described<R>): ScopedReads<R, Listed> {
  const { name, table, key, order, isNamed, lives, records } = kind;
  const sorted = (isNamed ? "name" : memberName(order)) as keyof object;
  const point = definePoint(`${name}.${key}`, (db) => db.selectFrom(table).selectAll().where(lives));
  const named = defineQuery((db, p: Scope & { nameKey: string }) =>
    inScope(db.selectFrom(table).selectAll(), p).where("name_key", "=", p.nameKey),
  );
  const several = defineQuery((db, p: Scope & { keys: readonly string[] }, engine) =>
    db
      .selectFrom(table)
      .selectAll()
      .where(oneOf(engine, sql.ref(key), p.keys))
      .where(compared(engine, "partition"), "=", p.partition)
      .where(compared(engine, "namespace"), "=", p.namespace)
      .where(lives),
  );

  async function anywhere(db: Reader, value: string): Promise<R | undefined> {
    const row = await db.point(point, value);
    return row && records.of(row);
  }

  return {
    of: records.of,
    anywhere,
    async find(db, scope, value) {
      const object = (await anywhere(db, value)) as (R & { scope: Scope }) | undefined;
      return object !== undefined && isIn(object.scope, scope) ? object : undefined;
    },
    async byName(db, scope, text) {
      const [row] = await db.run(named, { ...scope, nameKey: fold(text) });
      return row && records.of(row);
    },
    async all(db, scope, keys) {
      return keys.length === 0 ? [] : (await db.run(several, { ...scope, keys })).map(records.of);
    },
    list: (db, scope, page, where = [], isLed = false) => listPage(kind, db, scope, page, where, isLed),
    sorted: (where = () => Promise.resolve([])) => sortedBy(kind, where),
    sortKey: (object) => (isNamed ? fold(object[sorted]) : object[sorted]),
    async hasHidden(db, scope, where = []) {
      const outside = outsideListScope(db.engine, scope);
      if (outside === undefined) return false;
      const hidden = db.sql.selectFrom(table).select(key).where(outside).where(lives);
      const found = await hidden
        .where((eb) => eb.and([...where]))
        .limit(1)
        .execute();
      return found.length > 0;
    },
  };
}

async function listPage<R extends object, Listed>(
  { table, columns, lives, search, order, ofRow }: Described<R>,
  db: Reader,
  scope: ListScope,
  page: PageRequest & { size: number },
  where: readonly Condition[],
  isLed: boolean,
): Promise<Listed[]> {
  const text = fold(page.search);
  const rows = await db.sql
    .selectFrom(table)
    .select(columns)
    .where(inListScope(db.engine, scope, isLed))
    .where(behind(scope, order, page.after))
    .where(lives)
    .where((eb) => eb.and([...where]))
    .$if(text !== "", (query) =>
      query.where((eb) => eb.or(search.map((each) => contains(db.engine, sql`lower(${sql.ref(each)})`, text)))),
    )
    .orderBy("namespace")
    .orderBy(order as "id")
    .limit(page.size)
    .execute();
  return rows.map(ofRow) as Listed[];
}

function sortedBy<R extends object, Listed>(
  { table, key, order, columns, lives, orders, searchSorted, isKeyHidden, ofRow }: Described<R>,
  where: (db: Reader, scope: ListScope) => Promise<readonly Condition[] | undefined>,
): SortedObjects<Listed> {
  const sortable = async (db: Reader, scope: ListScope) => {
    const more = await where(db, scope);
    const isOfSeveral = scope.visible !== undefined;
    const all = more && [inListScope(db.engine, scope), lives, ...more];
    const uuid = isKeyHidden ? undefined : key;
    return all && { table, id: key, uuid, key: order, columns, orders, search: searchSorted, where: all, isOfSeveral };
  };
  return {
    async list(db, scope, page) {
      const list = await sortable(db, scope);
      const rows = list === undefined ? [] : await readSorted(db, list, page);
      return rows.map(({ entry, cursor }) => ({ entry: ofRow(entry as never) as Listed, cursor }));
    },
    async count(db, scope, found) {
      const list = await sortable(db, scope);
      return list === undefined ? 0 : countSorted(db, list, found);
    },
  };
}

function inScope<Q extends { where(column: "partition" | "namespace", operator: "=", value: string): Q }>(
  query: Q,
  { partition, namespace }: Scope,
): Q {
  return query.where("partition", "=", partition).where("namespace", "=", namespace);
}
