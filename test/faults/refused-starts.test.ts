/** Incident 64: a start that is refused leaves the database as it found it, so that a restore into it goes through. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { begin, emptyPlace, tessera, type Place } from "../backup/command.ts";
import { engines, temporaryDirectory } from "../support/engines.ts";
import { migratedDatabaseUrl } from "../support/postgres-schema.ts";
import { makeKeyFile } from "../support/rotate-key.ts";
import { startServer } from "../support/server.ts";
import { query } from "../upgrades/state.ts";
import { countStartErrors, START_ERRORS } from "./start-errors.ts";

/** By why a server does not start: gives the options with which it is started, and does what else it takes. */
const REFUSALS: Readonly<Record<string, (place: Place) => string[] | Promise<string[]>>> = {
  "a master key that has sealed another database": ({ dataDir }) => {
    makePlace(dataDir);
    writeFileSync(join(dataDir, "master-key"), makeKeyFile().key.toString("base64"), { mode: 0o600 });
    writeFileSync(join(dataDir, "master-key.used"), "");
    return [];
  },
  "a key file that is missing": () => ["--key-file", join(temporaryDirectory(), "missing")],
  "a key file that is a folder": () => ["--key-file", temporaryDirectory()],
  "a key file that holds no key": () => ["--key-file", fileOf("no key")],
  "a key command that fails": () => ["--key-command", "false"],
  "a data directory that cannot be written": () => ["--data-dir", NOBODYS, "--key-file", aKey()],
  "a data directory that is a file": () => ["--data-dir", fileOf("none"), "--key-file", aKey()],
  "a port that is taken": async () => {
    const other = createServer().listen({ host: "127.0.0.1", port: 0 });
    await once(other, "listening");
    onTestFinished(async () => {
      other.close();
      await once(other, "close");
    });
    return ["--listen", `127.0.0.1:${(other.address() as AddressInfo).port}`];
  },
  "an address that this machine does not have": () => ["--listen", "192.0.2.1:8500"],
  "a certificate that is none": () => ["--tls-cert", fileOf("none"), "--tls-key", fileOf("none")],
  "a file for the address that cannot be written": () => [
    "--address-file",
    join(temporaryDirectory(), "missing", "file"),
  ],
  "a first token that is none": () => ["--initial-management-token-file", fileOf("")],
  "an option that there is not": () => ["--no-such-option"],
  "options that do not go together": () => ["--backup-every", "1h"],
};

/** A folder in which not even root may make a file. */
const NOBODYS = "/sys";

/** A start that is not refused goes on: ended with another status. */
const LIMITED = ["timeout", "30"];

let backup: string;
let source: Place;

beforeAll(async () => {
  source = await emptyPlace("sqlite");
  const server = await startServer(source);
  backup = join(temporaryDirectory(), "backup");
  expect(await tessera("backup", backup, ...source.where)).toMatchObject({ status: 0 });
  expect(await server.stop()).toBe(0);
});

describe.each(engines)("a start on %s that is refused leaves nothing", (engine) => {
  test.each(Object.keys(REFUSALS))("for %s", async (why) => {
    const place = await emptyPlace(engine);
    const args = (await REFUSALS[why]?.(place)) ?? [];
    const listen = args.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
    const where = args.includes("--data-dir") ? place.where.slice(0, 2) : place.where;
    const { status, stderr } = await begin(["serve", ...where, ...listen, ...args], LIMITED).ended;
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^tessera: [^\n]+\n$/)]);
    expect(await isUntouched(place)).toBe(true);
  });
});

test("incident 64: each place that may refuse a start is among them, or says how else it is known", () => {
  const places = Object.entries(START_ERRORS);
  expect(countStartErrors()).toEqual(Object.fromEntries(places.map(([file, proofs]) => [file, proofs.length])));
  for (const proof of places.flatMap(([, proofs]) => proofs)) {
    if ("case" in proof) expect(Object.keys(REFUSALS)).toContain(proof.case);
    // Cases with `filled` are those of refused-filled.test.ts.
    if ("test" in proof)
      expect(readFileSync(join(import.meta.dirname, "../..", proof.test), "utf8")).toContain("incident 64");
  }
});

test("incident 64: a schema alone stays one that counts as empty, where the first token cannot be written", async () => {
  const { dataDir } = await emptyPlace("postgres", source);
  const database = await migratedDatabaseUrl();
  const key = ["--key-file", join(dataDir, "master-key")];
  const where = ["--database", database, "--data-dir", NOBODYS, "--listen", "127.0.0.1:0"];
  const refused = await begin(["serve", ...where, ...key], LIMITED).ended;
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^tessera: cannot use \/sys \(\w+\)\. Check --data-dir and its permissions\n$/),
  });
  const restored = await tessera("restore", backup, "--database", database, "--data-dir", dataDir);
  expect(restored).toMatchObject({ status: 0, stderr: "" });
});

test("a schema in which nothing was written counts as empty, for a restore and for a move", async () => {
  for (const how of ["restore", "move"]) {
    const { dataDir } = await emptyPlace("postgres", source);
    const database = await migratedDatabaseUrl();
    const target = ["--data-dir", dataDir];
    const ended =
      how === "restore"
        ? await tessera("restore", backup, "--database", database, ...target)
        : await tessera("move", "--from", source.database, "--to", database, ...target);
    expect(ended).toMatchObject({ status: 0, stderr: "" });
    expect(await query(database, "select count(*) as count from tokens")).toEqual([{ count: 2 }]);
  }
});

function makePlace(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

/** A file with a key that has sealed nothing. */
function aKey(): string {
  return fileOf(makeKeyFile().key.toString("base64"));
}

function fileOf(text: string): string {
  const path = join(temporaryDirectory(), "file");
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  return path;
}

async function isUntouched({ engine, database }: Place): Promise<boolean> {
  if (engine === "sqlite") {
    const path = database.slice("sqlite:".length);
    return existsSync(dirname(path)) ? !existsSync(path) : true;
  }
  const found = await query(
    database,
    "select count(*) as count from information_schema.tables where table_schema = current_schema()",
  );
  return JSON.stringify(found) === JSON.stringify([{ count: 0 }]);
}
