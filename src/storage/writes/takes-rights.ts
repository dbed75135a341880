/**
 * Which statements take rights away. Asked of every statement where it is written, so that no feature has to say it: a write that
 * takes rights away must not be lost without a word, or what it ended would count again. See `sqlite/mark/`.
 */
import { PROVEN_TABLES } from "../proofs/proofs.ts";

/** Decide about rights and yet take none when they are changed: facts of the whole database, who owns what, and what is deleted already. */
const NO_RIGHTS: readonly string[] = ["meta", "declarations", "trash"];

/** The tables by whose rows somebody has rights. */
export const TABLES_OF_RIGHTS: readonly string[] = PROVEN_TABLES.filter((table) => !NO_RIGHTS.includes(table));

const OF_RIGHTS = new Set(TABLES_OF_RIGHTS);

/** Columns of those tables by which nobody's rights change: the server's own notes, another text of the same secret, and proofs. */
const OWN_COLUMNS: ReadonlySet<string> = new Set([
  "active_at",
  "config_sealed",
  "proof",
  "rules_index",
  "rules_weight",
  "secret_sealed",
]);

/**
 * Whether somebody may have fewer rights by a statement. Rows that are new give rights and take none: a policy that denies, say,
 * counts from when somebody is linked to it.
 *
 * @param sql as the program's own queries are built
 */
export function takesRights(sql: string): boolean {
  if (sql.startsWith("delete from ")) return OF_RIGHTS.has(nameBehind(sql, "delete from "));
  if (sql.startsWith("update ")) return OF_RIGHTS.has(nameBehind(sql, "update ")) && setsMore(sql);
  return sql.startsWith("insert ") && OF_RIGHTS.has(nameBehind(sql, "insert into ")) && sql.includes(" do update set ");
}

function nameBehind(sql: string, words: string): string {
  const from = sql.startsWith('"', words.length) ? words.length + 1 : words.length;
  const end = /[" (]/g;
  end.lastIndex = from;
  return sql.slice(from, end.exec(sql)?.index ?? sql.length);
}

/** Whether an update sets other columns than the server's own. */
function setsMore(sql: string): boolean {
  const begin = sql.indexOf(" set ");
  const end = sql.lastIndexOf(" where ");
  const columns = sql.slice(begin, end < begin ? undefined : end).matchAll(/"?([a-z_]+)"? = /g);
  for (const [, column = ""] of columns) if (!OWN_COLUMNS.has(column)) return true;
  return false;
}
