/** A database as one text of SQL that makes it anew. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Everything in a file of SQLite that no server has open: the statements that made its schema, to the letter, and its
 * rows. Triggers make the contents of full-text indexes again, and where there are such the counts.
 */
export function dumpSqlite(path: string): string {
  // Opens a copy: the last one that closes a database copies its log into it, and the server would miss the log.
  const copy = mkdtempSync(join(tmpdir(), "tessera-dump-"));
  cpSync(dirname(path), copy, { recursive: true });
  const db = new DatabaseSync(join(copy, basename(path)));
  try {
    const all = db.prepare("select type, name, sql from sqlite_schema where sql is not null order by rowid").all() as {
      type: string;
      name: string;
      sql: string;
    }[];
    const virtual = all.filter(({ sql }) => /^create virtual/i.test(sql)).map(({ name }) => name);
    const made = all.filter(
      ({ name }) => !virtual.some((table) => name.startsWith(`${table}_`) && !isTrigger(all, name)),
    );
    const isCountedAgain = isTrigger(all, "count_made_tokens");
    const tables = made.filter(
      ({ type, name }) => type === "table" && !virtual.includes(name) && !(name === "object_counts" && isCountedAgain),
    );
    const rows = tables.flatMap(({ name }) =>
      db
        .prepare(`select * from ${name}`)
        .all()
        .map((row) => insert(name, Object.values(row))),
    );
    return [...made.map(({ sql }) => `${sql.replaceAll(/\s*\n\s*/g, " ")};`), ...rows, ""].join("\n");
  } finally {
    db.close();
    rmSync(copy, { recursive: true });
  }
}

function isTrigger(all: readonly { type: string; name: string }[], name: string): boolean {
  return all.some((entry) => entry.name === name && entry.type === "trigger");
}

function insert(table: string, values: readonly unknown[]): string {
  const literals = values.map((value) =>
    typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value),
  );
  return `insert into ${table} values (${literals.join(", ")});`;
}

/** The same of a PostgreSQL database. @param bin where its `pg_dump` lies */
export function dumpPostgres(bin: string, url: string): string {
  const flags = ["--inserts", "--no-owner", "--no-privileges", "--no-comments"];
  const text = execFileSync(`${bin}/pg_dump`, [...flags, url], { encoding: "utf8", maxBuffer: 2 ** 28 });
  // Neither remarks nor what only `psql` understands.
  const lines = text.split("\n").filter((line) => line !== "" && !/^(?:--|\\|SET transaction_timeout)/.test(line));
  return `${lines.join("\n")}\n`;
}
