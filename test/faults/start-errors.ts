/** Places where a start may be refused, each with the proof that an empty database stays as it was. */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Why a place needs no case of its own. */
const OF_THE_FILE = "SQLite's own file: it is looked at before anything is in it, and it is what is refused";
const OF_A_COMMAND = "no start comes there: it is of a command, which its module also serves";
const RUNNING = "a server that runs comes there, and no start";
const HANDED_ON = "it hands on what another process was refused for";
const ONLY_SCHEMA = "only the schema was made when it is reached, and such a database counts as empty";
const UNKNOWN = "the database does not answer, so that nothing can be made in it";

/**
 * `case` names one of the refused starts of the test beside this file, and `filled` one of a database with contents;
 * `test` is a file that looks at the database itself.
 */
export type Proof =
  | { readonly case: string }
  | { readonly filled: string }
  | { readonly test: string }
  | { readonly why: string };

const by = (name: string): Proof => ({ case: name });
const filled = (name: string): Proof => ({ filled: name });
const because = (why: string, times: number): Proof[] => Array.from({ length: times }, () => ({ why }));

/** By its file, each place that makes a StartError, in their order there. */
export const START_ERRORS: Readonly<Record<string, readonly Proof[]>> = {
  "src/acl/namespaces/edition.ts": [filled("namespaces under the community edition")],
  "src/cli/child.ts": because(HANDED_ON, 1),
  "src/storage/proofs/damaged-rows.ts": [filled("a row that was changed")],
  "src/storage/files.ts": [
    by("a data directory that cannot be written"),
    by("a key file that is a folder"),
    by("a data directory that is a file"),
  ],
  "src/storage/operator/half-restored.ts": [
    filled("a restore that has not come to its end"),
    filled("a copy whose source may be open"),
    ...because(OF_A_COMMAND, 1),
  ],
  "src/storage/keys/keyring.ts": [filled("a lookup key that is missing"), filled("a data key that was changed")],
  "src/storage/keys/key-command.ts": [by("a key command that fails")],
  "src/storage/keys/masters.ts": [
    filled("a wrapped key of another master key"),
    filled("a master key of another database"),
    filled("a rotation whose key does not open"),
  ],
  "src/storage/keys/reseal.ts": because(OF_A_COMMAND, 2),
  "src/storage/keys/watch.ts": because(RUNNING, 1),
  "src/storage/keys/master-key.ts": [
    by("a key file that is missing"),
    filled("a master key that is missing"),
    by("a key file that holds no key"),
    by("a master key that has sealed another database"),
  ],
  "src/storage/migrations/migrate.ts": [filled("a migration of a newer version"), ...because(OF_A_COMMAND, 1)],
  "src/storage/operator/moved.ts": [filled("having been moved"), ...because(OF_A_COMMAND, 1)],
  "src/storage/postgres/application-name.ts": [filled("a migration of a newer version")],
  "src/storage/postgres/engine-check.ts": [{ test: "src/storage/postgres/engine-check.test.ts" }],
  "src/storage/postgres/migrate.ts": [
    { test: "src/storage/postgres/migrate.test.ts" },
    { test: "src/storage/postgres/migrate.test.ts" },
  ],
  "src/storage/postgres/open.ts": because(UNKNOWN, 1),
  "src/storage/postgres/sessions-check.ts": [
    { test: "test/postgres/pgbouncer.test.ts" },
    { test: "src/storage/postgres/engine-check.test.ts" },
  ],
  "src/storage/postgres/workers.ts": because(ONLY_SCHEMA, 1),
  "src/storage/settings.ts": [filled("another setting than the database's")],
  "src/storage/sqlite/instance.ts": because(OF_THE_FILE, 10),
  "src/storage/sqlite/mark/refusals.ts": because(OF_THE_FILE, 1),
  "src/storage/sqlite/mark/start.ts": because(OF_THE_FILE, 2),
};

/** Cases of a database with contents, for `refused-filled.test.ts`. */
export const FILLED_CASES = [
  ...new Set(
    Object.values(START_ERRORS)
      .flat()
      .flatMap((proof) => ("filled" in proof ? [proof.filled] : [])),
  ),
];

const repository = resolve(import.meta.dirname, "../..");
const IMPORTED = /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"|import\("(\.[^"]+)"\)/gm;

/**
 * Number of places that make a StartError, by the files that `serve` loads and have one. Options are read before
 * storage is opened.
 */
export function countStartErrors(): Record<string, number> {
  const counts: Record<string, number> = {};
  const seen = new Set<string>();
  const open = [join(repository, "src/cli/serve.ts")];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, one, other] of text.matchAll(IMPORTED)) open.push(resolve(dirname(file), one ?? other ?? ""));
    const count = text.split("new StartError(").length - 1;
    if (count > 0) counts[relative(repository, file)] = count;
  }
  return counts;
}
