import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { openForTest } from "../../../test/support/storage.ts";
import type { Database } from "../../storage/database.ts";
import { NO_FACTS } from "../../rights/rules/question.ts";
import { ANONYMOUS } from "../../rights/reserved-secrets.ts";
import { bootstrapTokens, resetBootstrap, wasBootstrapped, type BootstrapOptions } from "./bootstrap.ts";
import { createTokenResolver } from "./resolve.ts";

const NOW = "2026-01-02T03:04:05.678Z";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function start(db: Database, dataDir: string, options: Partial<BootstrapOptions> = {}): Promise<string | undefined> {
  return bootstrapTokens(db, { dataDir, mode: "auto", initialManagementToken: undefined, ...options }, NOW);
}

const secretIn = (path: string) => readFileSync(path, "utf8").trim();

function resolveToken(db: Database, secret: string) {
  return createTokenResolver(
    db,
    { nodeName: "test", datacenter: "dc1", defaultPolicy: "deny", edition: "enterprise" },
    Date.now,
  )(secret);
}

async function countTokens(db: Database, kind: "management" | "anonymous"): Promise<number> {
  const tokens = await db.sql.selectFrom("tokens").select("accessor_id").execute();
  return tokens.filter((token) => (token.accessor_id === ANONYMOUS.accessorId) === (kind === "anonymous")).length;
}

forEachEngine((_engine, makeUrl) => {
  test("the first start makes one management token, whose secret is in a file for its owner only", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    const path = await start(db, dataDir);
    expect(path).toBe(join(dataDir, "management-token"));
    const secret = secretIn(path ?? "");
    expect(secret).toMatch(UUID);
    expect(statSync(path ?? "").mode & 0o777).toBe(0o600);
    const actor = await resolveToken(db, secret);
    expect(actor?.anonymous).toBe(false);
    expect(actor?.accessorId).toMatch(UUID);
    expect(actor?.rights.decide("organization", "any", "write", NO_FACTS).allow).toBe(true);
    expect(readdirSync(dataDir).filter((name) => name.includes("pending") || name.includes(".new"))).toEqual([]);
  });

  test("the anonymous token is there after the first start, with no right at all", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    await start(db, dataDir);
    const actor = await resolveToken(db, "anonymous");
    expect(actor).toMatchObject({ anonymous: true, accessorId: ANONYMOUS.accessorId });
    expect(actor?.rights.decide("organization", "any", "read", NO_FACTS).allow).toBe(false);
  });

  test("a secret that no token has resolves to nobody", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    const secret = secretIn((await start(db, dataDir)) ?? "");
    for (const text of [
      "",
      "x",
      secret.toUpperCase(),
      `${secret} `,
      secret.slice(1),
      "a\0b",
      "\ud800",
      "x".repeat(100_000),
    ]) {
      expect(await resolveToken(db, text)).toBeUndefined();
    }
  });

  test("later starts make no token and leave the file as it is", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    const secret = secretIn((await start(db, dataDir)) ?? "");
    for (let again = 0; again < 3; again++) expect(await start(db, dataDir)).toBeUndefined();
    expect(secretIn(join(dataDir, "management-token"))).toBe(secret);
    expect(await countTokens(db, "management")).toBe(1);
    expect(await countTokens(db, "anonymous")).toBe(1);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("management-token"))).toEqual(["management-token"]);
  });

  test("a token that the operator gives is the management token, and no file is written", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    expect(await start(db, dataDir, { initialManagementToken: "any printable text" })).toBeUndefined();
    expect(
      (await resolveToken(db, "any printable text"))?.rights.decide("organization", "x", "write", NO_FACTS).allow,
    ).toBe(true);
    expect(existsSync(join(dataDir, "management-token"))).toBe(false);
    // Another one given later changes nothing: the database has its first token.
    await start(db, dataDir, { initialManagementToken: "another" });
    expect(await resolveToken(db, "another")).toBeUndefined();
  });

  test("a token that the operator gave does not come back by a reset, which makes another", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    const given = { initialManagementToken: "given long ago" };
    await start(db, dataDir, given);
    await resetBootstrap(db);
    await db.inTransaction({ kind: "partition", name: "default" }, async (tx) =>
      tx.write(tx.sql.deleteFrom("tokens").where("secret_lookup", "=", db.keyring.lookup("given long ago"))),
    );
    const secret = secretIn((await start(db, dataDir, given)) ?? "");
    expect(await resolveToken(db, "given long ago")).toBeUndefined();
    expect((await resolveToken(db, secret))?.rights.decide("acl", "", "write", NO_FACTS).allow).toBe(true);
  });

  test("manual bootstrap makes no management token", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    expect(await start(db, dataDir, { mode: "manual" })).toBeUndefined();
    expect(await wasBootstrapped(db)).toBe(false);
    expect(await countTokens(db, "management")).toBe(0);
    expect(await resolveToken(db, "anonymous")).toBeDefined();
  });

  test("stopped before its token was committed, the next start makes another token and no trace is left", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    for (const left of ["11111111-1111-1111-1111-111111111111\n", ""]) {
      writeFileSync(join(dataDir, "management-token.pending"), left);
      const path = await start(db, dataDir);
      if (path !== undefined) expect(await resolveToken(db, secretIn(path))).toBeDefined();
    }
    expect(await resolveToken(db, "11111111-1111-1111-1111-111111111111")).toBeUndefined();
    expect(await countTokens(db, "management")).toBe(1);
    expect(await resolveToken(db, secretIn(join(dataDir, "management-token")))).toBeDefined();
  });

  test("stopped after its token was committed, the next start gives the file its name", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    const path = (await start(db, dataDir)) ?? "";
    const secret = secretIn(path);
    // As if the process had ended between the commit and the naming of the file.
    const pending = `${path}.pending`;
    copyFileSync(path, pending);
    unlinkSync(path);
    expect(await start(db, dataDir)).toBe(path);
    expect(secretIn(path)).toBe(secret);
    expect(existsSync(pending)).toBe(false);
    expect(await countTokens(db, "management")).toBe(1);
  });

  test("stopped between naming the file and removing the other name, the next start still finds its token", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    const path = (await start(db, dataDir)) ?? "";
    linkSync(path, `${path}.pending`);
    await start(db, dataDir);
    expect(existsSync(`${path}.pending`)).toBe(false);
    expect(await resolveToken(db, secretIn(path))).toBeDefined();
    expect(await countTokens(db, "management")).toBe(1);
  });

  test("a file that has the name already is kept, and the new token goes beside it", async () => {
    const dataDir = temporaryDirectory();
    writeFileSync(join(dataDir, "management-token"), "of another database");
    const db = await openForTest(await makeUrl(), { dataDir });
    const path = await start(db, dataDir);
    expect(path).toBe(join(dataDir, "management-token.1"));
    expect(await resolveToken(db, secretIn(path ?? ""))).toBeDefined();
    expect(secretIn(join(dataDir, "management-token"))).toBe("of another database");
  });

  test("links that wait at the names of the files are not followed", async () => {
    const dataDir = temporaryDirectory();
    const elsewhere = temporaryDirectory();
    writeFileSync(join(elsewhere, "victim"), "kept");
    symlinkSync(join(elsewhere, "victim"), join(dataDir, "management-token.pending"));
    symlinkSync(join(elsewhere, "not-there"), join(dataDir, "management-token"));
    const db = await openForTest(await makeUrl(), { dataDir });
    const path = await start(db, dataDir);
    expect(path).toBe(join(dataDir, "management-token.1"));
    expect(await resolveToken(db, secretIn(path ?? ""))).toBeDefined();
    expect(readFileSync(join(elsewhere, "victim"), "utf8")).toBe("kept");
    expect(readdirSync(elsewhere)).toEqual(["victim"]);
  });

  test("no secret is in what the files of the database or its rows hold", async () => {
    const dataDir = temporaryDirectory();
    const url = await makeUrl();
    const db = await openForTest(url, { dataDir });
    const secret = secretIn((await start(db, dataDir)) ?? "");
    const rows = JSON.stringify(await db.sql.selectFrom("tokens").selectAll().execute());
    expect(rows).not.toContain(secret);
    if (!url.startsWith("sqlite:")) return;
    for (const suffix of ["", "-wal"]) {
      expect(readFileSync(`${url.slice("sqlite:".length)}${suffix}`).includes(secret)).toBe(false);
    }
  });

  test("of starts at once exactly one makes the management token, and its file opens", async () => {
    const url = await makeUrl();
    const dirs = [temporaryDirectory(), temporaryDirectory(), temporaryDirectory(), temporaryDirectory()];
    const first = await openForTest(url, { dataDir: dirs[0] ?? "" });
    const keyFile = join(dirs[0] ?? "", "master-key");
    // Nodes have databases of their own on PostgreSQL; SQLite has one process.
    const nodes = url.startsWith("sqlite:")
      ? dirs.map(() => first)
      : [first, ...(await Promise.all(dirs.slice(1).map((dataDir) => openForTest(url, { dataDir, keyFile }))))];
    const paths = await Promise.all(nodes.map((node, i) => start(node, dirs[i] ?? "")));
    const made = paths.filter((path) => path !== undefined);
    expect(made.length).toBe(1);
    for (const node of nodes) expect(await resolveToken(node, secretIn(made[0] ?? ""))).toBeDefined();
    expect(await countTokens(first, "management")).toBe(1);
    expect(await countTokens(first, "anonymous")).toBe(1);
    const left = dirs.flatMap((dir) => readdirSync(dir)).filter((name) => name.startsWith("management-token"));
    expect(left).toEqual(["management-token"]);
  });

  test("starts at once that share a data directory leave one file, which holds the token", async () => {
    const dataDir = temporaryDirectory();
    const db = await openForTest(await makeUrl(), { dataDir });
    await Promise.all(Array.from({ length: 4 }, () => start(db, dataDir)));
    expect(readdirSync(dataDir).filter((name) => name.startsWith("management-token"))).toEqual(["management-token"]);
    expect(await resolveToken(db, secretIn(join(dataDir, "management-token")))).toBeDefined();
    expect(await countTokens(db, "management")).toBe(1);
  });
});
