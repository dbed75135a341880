/**
 * A backup names the migrations of its schema. One that was made after `finish-upgrade` of the version before this one has the
 * last of them under the name that it had then, and lacks the one that now stands in front of it, with the columns that it adds.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAGIC, type Header, type Trailer } from "../../src/backup/format.ts";
import { makeFrame } from "../../src/backup/frames.ts";
import { MIGRATIONS } from "../../src/storage/migrations/migrate.ts";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { startServer } from "../support/server.ts";
import { callerOf } from "../upgrades/caller.ts";
import { query, schemaOf } from "../upgrades/state.ts";
import { emptyPlace, tessera } from "./command.ts";
import { contentOf, framesOf, textOf } from "./frames.ts";

/** Migrations that the version before did not have. */
const ADDED: readonly string[] = [
  "0012-counted-writes",
  "0013-use-ledger",
  "0014-console",
  "0016-no-triggers",
  "0017-listed-changes",
  "0018-views",
];
const ADDED_TABLES: ReadonlySet<string> = new Set(["use_rows", "use_gaps", "trash", "views", "tag_coverage_days"]);
const [PROOFS, FORMER] = ["0015-proofs-only", "0012-proofs-only"];
/** Columns of tokens that the version before did not have, at the end of its rows. */
const ADDED_COLUMNS = ["disabled_at", "disabled_proof"];

/** The header as the version before wrote it. */
function asBefore(header: Header): Header {
  const tables = header.tables
    .filter(({ name }) => !ADDED_TABLES.has(name))
    .map(({ name, columns }) => ({
      name,
      columns: columns.filter((column) => name !== "tokens" || !ADDED_COLUMNS.includes(column)),
    }));
  const migrations = header.migrations
    .filter((name) => !ADDED.includes(name))
    .map((name) => (name === PROOFS ? FORMER : name));
  return { ...header, migrations, tables };
}

/** The rows and the trailer as the version before wrote them. @param frames without the header */
function rowsBefore(frames: readonly Buffer[]): Buffer[] {
  const hash = createHash("sha256");
  const before = frames.map((frame) => {
    const content = textOf(frame);
    if (!content.startsWith("tokens\n")) return frame;
    const rows = content.split("\n").slice(1, -1);
    const lines = rows.map(
      (row) => `${JSON.stringify((JSON.parse(row) as unknown[]).slice(0, -ADDED_COLUMNS.length))}\n`,
    );
    hash.update(lines.join(""));
    return makeFrame("rows", `tokens\n${lines.join("")}`);
  });
  const trailer = contentOf(frames.at(-1)) as Trailer;
  const tokens = { rows: trailer.tables["tokens"]?.rows ?? 0, sha256: hash.digest("hex") };
  const changed = { ...trailer, tables: { ...trailer.tables, tokens } };
  return [...before.slice(0, -1), makeFrame("trailer", JSON.stringify(changed))];
}

describe.each(engines)("a backup of the version before, on %s", (engine: Engine) => {
  test("is restored, with the migrations that it lacks, under the names of today", async () => {
    const source = await emptyPlace(engine);
    // The version before knew no such rows.
    const server = await startServer({ ...source, args: ["--use-ledger", "off"] });
    const call = callerOf(server.url);
    await call("PUT", "/v1/acl/policy", { Name: "kept", Rules: 'acl = "read"' }, server.token);
    expect(await server.stop()).toBe(0);
    const file = join(temporaryDirectory(), "backup");
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
    const [first, ...rest] = framesOf(readFileSync(file));
    const header = asBefore(contentOf(first) as Header);
    expect(header.migrations).toContain(FORMER);
    writeFileSync(file, Buffer.concat([MAGIC, makeFrame("header", JSON.stringify(header)), ...rowsBefore(rest)]));

    const target = await emptyPlace(engine, source);
    expect(await tessera("restore", file, ...target.where)).toMatchObject({ status: 0 });
    const names = await query(target.database, "select name from schema_migrations");
    expect(names.map(({ name }) => name as string).toSorted()).toEqual(MIGRATIONS.map(({ name }) => name).toSorted());
    const restored = await startServer(target);
    const policy = await callerOf(restored.url)("GET", "/v1/acl/policy/name/kept", undefined, server.token);
    expect(policy).toMatchObject({ Name: "kept" });
    expect(await restored.stop()).toBe(0);
    expect(await schemaOf(target.database)).toEqual(await schemaOf(source.database));
  });
});
