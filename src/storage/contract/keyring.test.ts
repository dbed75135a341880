import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import type { Database } from "../database.ts";
import { StartError } from "../start-error.ts";
import { openForTest } from "../../../test/support/storage.ts";

const SECRET = "0b9e4f6e-0c5f-4f0a-9a77-1f35c1a1a001";

/** Every byte that the database holds, as text: its files on SQLite, its rows on PostgreSQL. */
async function dump(db: Database, url: string): Promise<string> {
  if (db.engine === "sqlite") {
    const path = url.slice("sqlite:".length);
    return ["", "-wal", "-shm", ".lock"].map((suffix) => readFileSync(`${path}${suffix}`, "latin1")).join("");
  }
  const tables = ["data_keys", "tokens", "meta", "counters"] as const;
  return JSON.stringify(await Promise.all(tables.map((table) => db.sql.selectFrom(table).selectAll().execute())));
}

/** With another character in its middle: of the last one, not every bit counts. */
function withOtherByte(sealed: string): string {
  const middle = Math.floor(sealed.length / 2);
  return `${sealed.slice(0, middle)}${sealed[middle] === "A" ? "B" : "A"}${sealed.slice(middle + 1)}`;
}

async function storeToken(db: Database): Promise<void> {
  const sealed = await db.keyring.seal(SECRET, "tokens/secret/a");
  await db.inTransaction({ kind: "root" }, async (tx) => {
    const secret = { secret_lookup: db.keyring.lookup(SECRET), secret_sealed: sealed };
    const scope = { namespace: "default", partition: "default", create_index: 1, modify_index: 1 };
    const grants = { policies: "[]", roles: "[]", service_identities: "[]", node_identities: "[]" };
    const method = { auth_method: "", auth_method_namespace: "", method_id: "" };
    const rest = { ...grants, ...method, templated_policies: "[]", is_local: 0, hash: "" };
    const never = { expiration_time: "", expires_at: null };
    const known = { accessor_id: "a", description: "known", created_at: "", proof: "" };
    const enabled = { disabled_at: "", disabled_proof: "" };
    tx.write(tx.sql.insertInto("tokens").values({ ...known, ...scope, ...secret, ...rest, ...never, ...enabled }));
  });
}

forEachEngine((_engine, makeUrl) => {
  test("a sealed secret opens at its own place and at no other", async () => {
    const { keyring } = await openForTest(await makeUrl());
    const sealed = await keyring.seal(SECRET, "tokens/secret/a");
    expect(await keyring.open(sealed, "tokens/secret/a")).toBe(SECRET);
    await expect(keyring.open(sealed, "tokens/secret/b")).rejects.toThrow();
    await expect(keyring.open(sealed, "")).rejects.toThrow();
    await expect(keyring.open(withOtherByte(sealed), "tokens/secret/a")).rejects.toThrow();
    await expect(keyring.open(`none${sealed}`, "tokens/secret/a")).rejects.toThrow();
    await expect(keyring.open("", "tokens/secret/a")).rejects.toThrow();
  });

  test("the same secret is sealed differently each time and found under the same value", async () => {
    const { keyring } = await openForTest(await makeUrl());
    const sealed = await Promise.all(Array.from({ length: 20 }, () => keyring.seal(SECRET, "tokens/secret/a")));
    expect(new Set(sealed).size).toBe(20);
    expect(keyring.lookup(SECRET)).toBe(keyring.lookup(SECRET));
    expect(keyring.lookup(SECRET)).not.toBe(keyring.lookup(SECRET.toUpperCase()));
    expect(keyring.lookup(SECRET)).toMatch(/^[\w-]{43}$/);
  });

  test("secrets of any length and script come back", async () => {
    const { keyring } = await openForTest(await makeUrl());
    for (const secret of ["", "x", "grüße 🔑", "a".repeat(50_000)]) {
      expect(await keyring.open(await keyring.seal(secret, "p"), "p")).toBe(secret);
    }
  });

  test("a secret opens after a restart, and each start seals under a new data key", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    const sealed: string[] = [];
    for (let start = 0; start < 3; start++) {
      const db = await openForTest(url, { dataDir });
      sealed.push(await db.keyring.seal(SECRET, "p"));
      for (const text of sealed) expect(await db.keyring.open(text, "p")).toBe(SECRET);
      await db.close();
    }
    expect(new Set(sealed.map((text) => text.split(".")[0])).size).toBe(3);
  });

  test("a start alone makes no data key", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    for (let start = 0; start < 2; start++) {
      const db = await openForTest(url, { dataDir });
      const keys = await db.sql.selectFrom("data_keys").select("purpose").execute();
      expect(keys).toEqual([{ purpose: "lookup" }]);
      await db.close();
    }
  });

  test("the database alone contains no secret and no key that opens one", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    const db = await openForTest(url, { dataDir });
    await storeToken(db);
    const master = readFileSync(join(dataDir, "master-key"), "utf8").trim();
    const bytes = await dump(db, url);
    expect(bytes).toContain("known");
    for (const secret of [
      SECRET,
      SECRET.replaceAll("-", ""),
      master,
      Buffer.from(master, "base64").toString("latin1"),
    ]) {
      expect(bytes).not.toContain(secret);
    }
    await db.close();
    await expect(openForTest(url, { dataDir: temporaryDirectory() })).rejects.toThrow(StartError);
  });

  test("incident 54: an empty database beside a master key that has sealed another is refused, unless it is allowed", async () => {
    const dataDir = temporaryDirectory();
    const keyFile = join(temporaryDirectory(), "key");
    writeFileSync(keyFile, randomBytes(32).toString("base64"), { mode: 0o600 });
    const url = await makeUrl();
    await (await openForTest(url, { dataDir, keyFile })).close();
    await (await openForTest(url, { dataDir, keyFile })).close();
    const empty = await makeUrl();
    const start = openForTest(empty, { dataDir, keyFile });
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(/missing or empty, but the master key \S+ belongs to an earlier database/);
    // Another data directory, as of a new machine, makes no difference: the key is the same.
    await expect(openForTest(empty, { dataDir: temporaryDirectory(), keyFile })).rejects.toThrow(StartError);
    await (await openForTest(empty, { dataDir, keyFile, allowEmpty: true })).close();
    await openForTest(empty, { dataDir, keyFile });
  });

  test("a database that has secrets does not open without its master key", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    await (await openForTest(url, { dataDir })).close();
    rmSync(join(dataDir, "master-key"));
    const start = openForTest(url, { dataDir });
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(
      /master key .* not found, but the database contains encrypted secrets\. Set --key-file/,
    );
    expect(existsSync(join(dataDir, "master-key"))).toBe(false);
  });

  test("a database does not open with another master key", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    await (await openForTest(url, { dataDir })).close();
    writeFileSync(join(dataDir, "master-key"), randomBytes(32).toString("base64"));
    const start = openForTest(url, { dataDir });
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(/wrong master key for this database/);
  });

  test("a key file is taken as base64 or hexadecimal text, and nothing else is", async () => {
    const url = await makeUrl();
    const folder = temporaryDirectory();
    const key = randomBytes(32);
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const options = () => ({ dataDir: temporaryDirectory() });
    const one = await openForTest(url, { ...options(), keyFile: file("base64", `${key.toString("base64")}\n`) });
    const sealed = await one.keyring.seal(SECRET, "p");
    await one.close();
    const two = await openForTest(url, { ...options(), keyFile: file("hex", key.toString("hex").toUpperCase()) });
    expect(await two.keyring.open(sealed, "p")).toBe(SECRET);
    await two.close();
    for (const text of ["", "short", key.toString("hex").slice(1), key.subarray(1).toString("base64")]) {
      await expect(openForTest(url, { ...options(), keyFile: file("bad", text) })).rejects.toThrow(StartError);
    }
    await expect(openForTest(url, { ...options(), keyFile: join(folder, "none") })).rejects.toThrow(
      /key file \S+ not found/,
    );
  });

  test("the master key that a first start makes is readable by its owner only, and named in a warning", async () => {
    const dataDir = join(temporaryDirectory(), "new", "data");
    const warnings: string[] = [];
    await openForTest(await makeUrl(), { dataDir, onWarning: (text) => warnings.push(text) });
    expect(statSync(join(dataDir, "master-key")).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(warnings).toEqual([expect.stringContaining(join(dataDir, "master-key"))]);
  });

  test("a data directory that others may write to, and a key file that they may read, are named in a warning each", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    const keyFile = join(temporaryDirectory(), "key");
    writeFileSync(keyFile, randomBytes(32).toString("hex"));
    const warningsAt = async (directoryMode: number, fileMode: number) => {
      chmodSync(dataDir, directoryMode);
      chmodSync(keyFile, fileMode);
      const warnings: string[] = [];
      const db = await openForTest(url, { dataDir, keyFile, onWarning: (text) => warnings.push(text) });
      await db.close();
      return warnings;
    };
    expect(await warningsAt(0o770, 0o640)).toEqual([
      expect.stringMatching(`${dataDir} is accessible to other users.*770`),
      expect.stringMatching(`${keyFile} is accessible to other users.*640`),
    ]);
    expect(await warningsAt(0o755, 0o400)).toEqual([]);
  });
});
