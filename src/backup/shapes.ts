/** Checks the shapes of a header and a trailer: an author of a backup can compute its checksums too. */
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { isMigration, MIGRATIONS } from "../storage/migrations/migrate.ts";
import { BackupRefused, FORMAT, type Header, type Trailer } from "./format.ts";
import { changed } from "./frames.ts";
import { BACKED_UP } from "./tables.ts";

const text = Type.String({ maxLength: 500 });
const texts = Type.Array(text, { maxItems: 1000 });
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** The same in every format. */
const ANY = Compile(Type.Object({ format: Type.Integer({ minimum: 1 }), program: text }));
const HEADER = Compile(
  Type.Object({
    takenAt: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" }),
    engine: Type.Union([Type.Literal("sqlite"), Type.Literal("postgres")]),
    database: text,
    keyCheck: Type.Object({
      id: text,
      wrapped: text,
      masters: Type.Array(
        Type.Object({
          id: text,
          state: Type.Union([Type.Literal("current"), Type.Literal("next")]),
          transition: text,
          began_at: Type.Number(),
        }),
        { maxItems: 10 },
      ),
    }),
    migrations: texts,
    counters: Type.Record(Type.String(), count),
    tables: Type.Array(Type.Object({ name: text, columns: texts }), { maxItems: 1000 }),
  }),
);
const TRAILER = Compile(
  Type.Object({
    tables: Type.Record(
      Type.String(),
      Type.Object({ rows: count, sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }) }),
    ),
    frames: count,
  }),
);

/** @param name of the file, for what is said @throws BackupRefused when it is none, or of a version that is newer than this one */
export function asHeader(value: unknown, name: string): Header {
  if (!ANY.Check(value)) throw changed(name);
  const by = `written by version ${value.program}`;
  if (value.format > FORMAT) {
    throw new BackupRefused(
      `${name} has format ${value.format}, ${by}, but this version supports format ${FORMAT}. Use that version or a newer one`,
    );
  }
  if (!HEADER.Check(value) || Number.isNaN(Date.parse(value.takenAt))) throw changed(name);
  const header = value as unknown as Header;
  const unknown = findUnknown(header);
  if (unknown !== undefined) {
    throw new BackupRefused(
      `${name} has ${unknown}, which this version does not know. Use the version that created it (${header.program}), or a newer one`,
    );
  }
  if (hasTwice(header.tables.map((table) => table.name))) throw changed(name);
  if (header.tables.some(({ columns }) => columns.length === 0 || hasTwice(columns))) throw changed(name);
  return header;
}

/**
 * Finds a migration, table or column that this version does not know, and returns its description. A column that a
 * later migration drops stays known here.
 */
function findUnknown({ migrations, tables }: Header): string | undefined {
  const migration = migrations.find((name) => !MIGRATIONS.some((known) => isMigration(known, name)));
  if (migration !== undefined) return `the migration ${migration}`;
  for (const { name, columns } of tables) {
    const known = BACKED_UP.find((table) => table.name === name);
    if (known === undefined) return `a table ${name}`;
    const column = columns.find((each) => !known.columns.includes(each));
    if (column !== undefined) return `a column ${column} of the table ${name}`;
  }
  return undefined;
}

function hasTwice(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}

/** @throws BackupRefused when it is none */
export function asTrailer(value: unknown, name: string): Trailer {
  if (!TRAILER.Check(value)) throw changed(name);
  return value;
}
