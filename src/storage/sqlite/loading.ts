/** The embedded database as a backup is loaded into it: a file of another name, which gets its own when all is in it. */
import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { markerRow, refuseOverWhole, restoringFile, wholeMarker, type WholeOf } from "../operator/half-restored.ts";
import { syncDirectory } from "../files.ts";
import { notEmpty, type Loading } from "../operator/loading.ts";
import { MIGRATIONS } from "../migrations/migrate.ts";
import type { Migration } from "../migrations/migration.ts";
import { selectRows } from "../operator/snapshot.ts";
import { findDatabaseFile, lockInstance, makeFolder, openFailure, refuseOldSqlite } from "./instance.ts";
import { giveFile, readMarker, syncFile } from "./give.ts";
import { removeMark } from "./mark/start.ts";
import { migrateSqlite } from "./migrate.ts";
import { rowsOf } from "./snapshot.ts";
import { RECOUNT } from "../writes/object-counts.ts";

/**
 * Nothing of the file counts before it has its name, so it needs no log and no sync until then. Its rows come in the order of
 * their keys; the indexes that follow from them are made afterwards, each at once.
 */
const PRAGMAS = [
  "pragma locking_mode = exclusive",
  "pragma journal_mode = off",
  "pragma synchronous = off",
  "pragma cache_size = -8000",
  "pragma foreign_keys = off",
];

/**
 * Begins a database in the file at `path`.
 *
 * @param migrations of the backup; those that this program has beyond come when all is loaded
 * @param moving which database is moved there; nothing for a backup
 * @throws StartError when there is a database, or a server uses it
 */
export function openSqliteLoading(
  path: string,
  migrations: readonly Migration[],
  onWarning: (message: string) => void,
  moving?: WholeOf,
): Loading {
  refuseOldSqlite();
  makeFolder(path);
  const lock = lockInstance(path);
  const file = restoringFile(path);
  let db: DatabaseSync | undefined;
  const removeAll = () => {
    if (db?.isOpen === true) db.close();
    db = undefined;
    rmSync(file, { force: true });
  };
  try {
    if (findDatabaseFile(path)) throw notEmpty(path, moving !== undefined);
    refuseOverWhole(readMarker(file), moving);
  } catch (error) {
    lock.close();
    throw openFailure(path, error);
  }
  try {
    // An interrupted restore may have left files.
    removeAll();
    closeSync(openSync(file, "wx", 0o600));
    db = new DatabaseSync(file);
    for (const pragma of PRAGMAS) db.exec(pragma);
    migrateSqlite(db, onWarning, migrations);
    return assemble({ db, path, file, lock, removeAll, onWarning, moving });
  } catch (error) {
    removeAll();
    lock.close();
    throw openFailure(path, error);
  }
}

interface Opened {
  db: DatabaseSync;
  path: string;
  file: string;
  lock: DatabaseSync;
  removeAll: () => void;
  onWarning: (message: string) => void;
  moving: WholeOf | undefined;
}

function assemble({ db, path, file, lock, removeAll, onWarning, moving }: Opened): Loading {
  const indexes = db.prepare("select name, sql from sqlite_master where type = 'index' and sql is not null").all();
  for (const { name } of indexes) db.exec(`drop index ${String(name)}`);
  db.exec("begin");
  let loading: { table: string; insert: (values: SQLInputValue[]) => void } | undefined;

  return {
    async load(table, columns, lines) {
      if (loading?.table !== table) {
        const marks = columns.map(() => "?").join(", ");
        const statement = db.prepare(`insert into ${table} (${columns.join(", ")}) values (${marks})`);
        // Not by its own `run`, which reads the last row number: see `prepareStatement`.
        loading = { table, insert: (values) => void statement.all(...values) };
      }
      for (const line of lines.split("\n")) {
        if (line !== "") loading.insert(JSON.parse(line) as SQLInputValue[]);
      }
    },
    async run(sql, list) {
      const text = sql.replace("{list}", "(select value from json_each(?))");
      return db.prepare(text).all(...(list === undefined ? [] : [JSON.stringify(list)]));
    },
    rows: (table, columns, key) => rowsOf(db, selectRows(table, columns, key)),
    async empty(tables) {
      for (const table of tables) db.exec(`delete from ${table}`);
    },
    async finish(mayGoOn = () => undefined) {
      db.exec("commit");
      for (const { sql } of indexes) {
        mayGoOn();
        db.exec(String(sql));
      }
      migrateSqlite(db, onWarning, MIGRATIONS);
      for (const statement of RECOUNT) db.exec(statement);
      mayGoOn();
      if (moving !== undefined) markWhole(db, moving);
      db.close();
      syncFile(file);
      // It is that of the database that lay there before.
      removeMark(path);
      if (moving === undefined) renameSync(file, path);
      syncDirectory(dirname(path));
      if (moving === undefined) lock.close();
    },
    async give() {
      try {
        giveFile(path);
      } catch (error) {
        throw openFailure(path, error);
      }
    },
    async tidy() {
      if (lock.isOpen) lock.close();
    },
    async abandon() {
      removeAll();
      lock.close();
    },
  };
}

function markWhole(db: DatabaseSync, moving: WholeOf): void {
  const { columns, values } = markerRow(wholeMarker(moving));
  const marks = columns.map(() => "?").join(", ");
  db.prepare(`insert into meta (${columns.join(", ")}) values (${marks})`).all(...values);
}
