import { type Counter, counterName, isTold } from "../writes/counters.ts";
import type { Database, EngineDatabase, Reader, EngineTransaction } from "../database.ts";
import { createDerivedCache, type Dependency } from "../reads/derived-cache.ts";
import { counterChange, NO_PARTITION, type TouchedObject, type Commit, type TableScope } from "./feed.ts";
import { definePoint, defineQuery, type PreparedQuery } from "../reads/query.ts";

/** Changes that the current attempt of a transaction has made. Each attempt has its own. */
export interface Touches {
  /** See `EngineTransaction.touch`. */
  touch: EngineTransaction["touch"];
  /** See `EngineTransaction.endIndexes`. */
  endIndexes: EngineTransaction["endIndexes"];
  /** Adds writes to the transaction that set the indexes of the touched tables to its own. */
  writeIndexes(write: EngineTransaction["write"], index: number): void;
  /** Names of the indexes of the touched tables, for `raiseTableIndexes`. */
  indexNames(): string[];
  /** Returns the transaction for the feed; undefined for one under a lease, which changes nothing that is shown. */
  commit(index: number): Commit | undefined;
}

/** Collects the changes of one attempt. */
export function collectTouches(counter: Counter): Touches {
  const changes: TouchedObject[] = [];
  const ended = new Set<string>();
  const indexNames = () => {
    const touched = changes.flatMap(({ table, ...scope }) => [indexName(table, scope), indexOfAll(table, scope)]);
    return [...new Set(touched).difference(ended)];
  };
  return {
    indexNames,
    endIndexes(names) {
      for (const name of names) ended.add(name);
    },
    touch(change) {
      // The index is the partition's counter, so only its own writers have one to give.
      if (counter.kind !== "partition" || counter.name !== change.partition) {
        throw new TypeError("only a transaction of the partition's own counter can touch what is in it");
      }
      changes.push({ ...change });
    },
    writeIndexes(write, index) {
      const names = indexNames();
      if (names.length > 0) raiseTableIndexes(write, names, index);
    },
    commit(index) {
      if (!isTold(counter)) return undefined;
      if (counter.kind === "partition") return { partition: counter.name, index, changes };
      return { partition: NO_PARTITION, index, changes: [counterChange(counterName(counter))] };
    },
  };
}

/** Adds to a transaction that the indexes of these names have this value now. */
export function raiseTableIndexes(write: EngineTransaction["write"], names: readonly string[], index: number): void {
  for (let from = 0; from < names.length; from += MOST_RAISED) {
    const some = names.slice(from, from + MOST_RAISED);
    const query = raiseIndexes[some.length - 1] ?? raiseOf(some.length);
    write(query, { index, ...Object.fromEntries(some.map((name, at) => [`name${at}`, name])) });
  }
}

/** Stands for all namespaces of a partition. No namespace has this name. */
export const ANY_NAMESPACE = "*";

/**
 * Index of the last write that changed a table in a namespace, deletes included;
 * at least 1, since 0 means "do not wait" to the clients that send it back.
 */
export async function readTableIndex(db: Reader, table: string, scope: TableScope): Promise<number> {
  const row = await db.point(findIndex, indexName(table, scope));
  return atLeastOne(row?.value ?? 1);
}

/**
 * Reads tables' indexes. Where this process makes all writes it knows when one is raised, so it keeps them; elsewhere a
 * read must show what other nodes have just written.
 */
export function createIndexReader(db: EngineDatabase): Database["tableIndex"] {
  if (db.engine === "postgres") return (table, scope) => readTableIndex(db, table, scope);
  const cache = createDerivedCache<number>({ feed: db.feed, name: "table-indexes", maxBytes: MAX_BYTES, sizeOf });
  return (table, scope) => {
    const name = indexName(table, scope);
    return (
      cache.get(name) ??
      cache
        .fill(
          name,
          () => loadIndex(db, table, scope),
          (index) => (index === NOWHERE ? undefined : dependenciesOf(table, scope)),
        )
        .then(atLeastOne)
    );
  };
}

/** The indexes of a namespace or partition go with it. */
function dependenciesOf(table: string, { partition, namespace }: TableScope): Dependency[] {
  return [
    { partition, table },
    { partition, table: "namespaces", key: namespace },
    { partition, table: "partitions" },
  ];
}

/** In place of an index: there is no such scope. It is not remembered, since anybody can make up names. */
const NOWHERE = 0;

/** As `readTableIndex`, and tells a scope that does not exist from one in which nothing was written yet. */
async function loadIndex(db: Reader, table: string, scope: TableScope): Promise<number> {
  const row = await db.point(findIndex, indexName(table, scope));
  if (row !== undefined) return atLeastOne(row.value);
  const namespace = scope.namespace === ANY_NAMESPACE ? "default" : scope.namespace;
  return (await db.point(findScope, `${scope.partition}/${namespace}`)) === undefined ? NOWHERE : 1;
}

function atLeastOne(index: number): number {
  return Math.max(1, index);
}

/** For some thousands of them: each namespace has several. */
const MAX_BYTES = 4 * 1024 * 1024;

function sizeOf(): number {
  return 8;
}

/** Name of the index of a table in all namespaces of a partition together. */
function indexOfAll(table: string, { partition }: Pick<TableScope, "partition">): string {
  return indexName(table, { partition, namespace: ANY_NAMESPACE });
}

function indexName(table: string, { partition, namespace }: TableScope): string {
  return `${partition}/${namespace}/${table}`;
}

const findCounter = definePoint("counters.name", (db) => db.selectFrom("counters").select("value"));

/** Reads the value of a counter; undefined when it is deleted. @param name see `counterName` */
export async function readCounter(db: Pick<Reader, "point">, name: string): Promise<number | undefined> {
  return (await db.point(findCounter, name))?.value;
}

const findIndex = definePoint("table_indexes.name", (db) => db.selectFrom("table_indexes").select("value"));

const findScope = definePoint("namespaces.id", (db) => db.selectFrom("namespaces").select("name"));

/** Maximum number of names in one statement. */
const MOST_RAISED = 8;

/** Raises so many indexes. Rows that are written out need no function, which distributed engines run apart. */
function raiseOf(count: number): PreparedQuery<Readonly<Record<string, string | number>>, unknown> {
  return defineQuery((db, p: Readonly<Record<string, string | number>>) =>
    db
      .insertInto("table_indexes")
      .values(Array.from({ length: count }, (_, at) => ({ name: p[`name${at}`], value: p["index"] })) as never)
      .onConflict((oc) => oc.column("name").doUpdateSet((eb) => ({ value: eb.ref("excluded.value") }))),
  );
}

/** One query for each number of names. */
const raiseIndexes = Array.from({ length: MOST_RAISED }, (_, last) => raiseOf(last + 1));
