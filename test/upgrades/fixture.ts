/** Databases that older versions left. See README.md beside this file. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryDirectory, type Engine } from "../support/engines.ts";
import { freshWholeDatabaseUrl, withClient } from "../support/postgres-schema.ts";
import { FIXTURES, KEY_FILE } from "./caller.ts";
import type { Answered } from "./read-back.ts";

/** State that one version left. */
export interface Fixture {
  /** SQL that makes the database; each text is run as one. */
  scripts: readonly string[];
  /** Answers of that version itself about it, after it finished its deletions. */
  answers: readonly Answered[];
}

/** The first line of one that is another with some of it undone. */
const FROM = /^-- from (\S+)\n/;

export function fixtureFile(engine: Engine, migration: string): string {
  return join(FIXTURES, `${migration}.${engine}.sql`);
}

export function readFixture(engine: Engine, migration: string): Fixture {
  const file = fixtureFile(engine, migration);
  const script = readFileSync(file, "utf8");
  const from = FROM.exec(script)?.[1];
  const base = from === undefined ? undefined : readFixture(engine, from);
  const answers = file.replace(/sql$/, "json");
  return {
    scripts: [...(base?.scripts ?? []), script],
    answers: existsSync(answers) ? (JSON.parse(readFileSync(answers, "utf8")) as Answered[]) : (base?.answers ?? []),
  };
}

/** Makes the database. @returns its `--database` value, and a data directory with the master key that sealed it */
export async function restore(engine: Engine, { scripts }: Fixture): Promise<{ database: string; dataDir: string }> {
  const directory = temporaryDirectory();
  const dataDir = join(directory, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, "master-key"), readFileSync(KEY_FILE), { mode: 0o600 });
  if (engine === "sqlite") {
    const path = join(directory, "tessera.db");
    const db = new DatabaseSync(path);
    for (const script of scripts) db.exec(script);
    db.close();
    return { database: `sqlite:${path}`, dataDir };
  }
  const database = await freshWholeDatabaseUrl();
  for (const script of scripts) {
    // A connection of its own: a dump begins with settings for its session.
    await withClient(database, async (client) => client.query(script));
  }
  return { database, dataDir };
}
