/**
 * Loaded into a command with `--import`: writes down each step by which it changes something, and kills the process right before
 * the step whose number it is given. Statements of one kind that follow each other are one step.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

/** The file that takes the names of the steps, a line each. */
const STEPS = process.env["KILL_STEPS_FILE"] ?? "";
/** Before which step it is killed, from 1; none when it is 0. */
const KILLED_BEFORE = Number(process.env["KILL_BEFORE_STEP"] ?? "0");

const append = fs.appendFileSync;
let count = 0;
let last = "";

function step(name: string): void {
  if (name === "" || name === last) return;
  last = name;
  count += 1;
  if (count === KILLED_BEFORE) process.kill(process.pid, "SIGKILL");
  append(STEPS, `${name}\n`);
}

/** First words of statements that change nothing but their session. */
const LOOKING = new Set(["select", "with", "declare", "fetch", "close", "set", "pragma", "show", "analyze"]);

/** Kind of change that a statement makes; empty for one that only reads or concerns its session. */
function kindOf(statement: string): string {
  const text = statement.trim().toLowerCase();
  const [first = "", second = "", table = ""] = text.split(/[\s(]+/);
  if (LOOKING.has(first)) return "";
  if (text.includes("moved_") || text.includes("refuse_moved")) return "fence";
  if (["create", "alter", "drop", "update"].includes(first) || table === "schema_migrations") return "schema";
  if (first === "insert" || first === "delete") return table === "meta" ? `${first} marker` : `${first} rows`;
  return first === "lock" ? `${first} ${second}` : first;
}

const { exec, prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
  step(kindOf(sql));
  return exec.call(this, sql);
};
DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql, ...more) {
  step(kindOf(sql));
  return prepare.call(this, sql, ...more);
};

const asked = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [query] = args;
  step(kindOf(typeof query === "string" ? query : ((query as { text?: string } | undefined)?.text ?? "")));
  return asked.call(this, ...args);
} as typeof pg.Client.prototype.query;

const { renameSync, fsyncSync, rmSync } = fs;
fs.renameSync = (...args) => {
  step("rename");
  renameSync(...args);
};
fs.fsyncSync = (...args) => {
  step("sync");
  fsyncSync(...args);
};
fs.rmSync = (...args) => {
  step("remove");
  rmSync(...args);
};
syncBuiltinESMExports();
