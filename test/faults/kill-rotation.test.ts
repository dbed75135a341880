/**
 * Tests that a kill loses nothing while keys are replaced, or sealed data is sealed again, and that the command can be
 * run again.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openForOperator } from "../../src/storage/operator/operator.ts";
import { readReseal } from "../../src/storage/keys/reseal.ts";
import { verifySealed, type Verified } from "../../src/storage/keys/verify.ts";
import { makeDatabaseUrl, temporaryDirectory, type Engine } from "../support/engines.ts";
import { sized } from "../support/length.ts";
import { letRotationAge, makeKeyFile, rotateKey, type KeyFile } from "../support/rotate-key.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const random = randomOfRun();
const ROUNDS = sized(2, 20);
const CLIENTS = 3;

interface Made {
  AccessorID: string;
  SecretID: string;
}

async function create(server: RunningServer, token: string, made: Made[]): Promise<void> {
  const answer = await fetch(`${server.url}/v1/acl/token`, {
    method: "PUT",
    headers: { "x-consul-token": token },
    body: JSON.stringify({ Description: "made under load" }),
  });
  // The write of an operator may be in the way for a moment; then nothing has happened.
  if (answer.status === 503) return;
  expect([answer.status, answer.status === 200 ? "" : await answer.clone().text()]).toEqual([200, ""]);
  made.push((await answer.json()) as Made);
}

/** Between two requests of a client: each of what is made is asked for in the end. */
const PAUSE_MS = 25;

/** Creates tokens until the server is gone. */
async function load(server: RunningServer, token: string, made: Made[]): Promise<void> {
  for (;;) {
    try {
      await create(server, token, made);
      await sleep(PAUSE_MS);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

async function verified(url: string, { key }: KeyFile): Promise<Verified | undefined> {
  const db = await openForOperator(url);
  try {
    return await verifySealed(db, key);
  } catch {
    return undefined;
  } finally {
    await db.close();
  }
}

test.each<Engine>(["sqlite", "postgres"])(
  "kill -9 of an operator and of the server at any step of a rotation under load leaves one of the two keys working, and loses nothing (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const place = ["--data-dir", dataDir, "--database", database];
    const start = ({ file }: KeyFile) => startServer({ database, dataDir, args: ["--key-file", file] });
    const made: Made[] = [];
    let current = makeKeyFile();
    let server = await start(current);
    const { token } = server;
    let clients: Promise<void>[] = [];
    const restart = async (by: KeyFile): Promise<void> => {
      await server.kill({ keepData: true });
      await Promise.all(clients);
      server = await start(by);
      clients = Array.from({ length: CLIENTS }, () => load(server, token, made));
    };
    await restart(current);
    const began = performance.now();
    await rotateKey(place, ["--key-file", current.file]);
    const usualMs = performance.now() - began;
    for (let round = 0; round < ROUNDS; round++) {
      const next = makeKeyFile();
      const begin = ["--key-file", current.file, "--new-key-file", next.file];
      await rotateKey(place, begin, usualMs * (0.3 + random()));
      if (random() < 0.5) await restart(current);
      expect(await verified(database, current)).toMatchObject({ damaged: [] });
      expect(await rotateKey(place, begin)).toMatchObject({ code: 0, stderr: "" });
      for (const key of [current, next]) expect(await verified(database, key)).toMatchObject({ damaged: [] });
      await restart(next);
      await letRotationAge(database);
      const finish = ["--key-file", next.file, "--finish"];
      await rotateKey(place, finish, usualMs * (0.3 + random()));
      if (random() < 0.5) await restart(next);
      expect(await verified(database, next)).toMatchObject({ damaged: [] });
      const again = await rotateKey(place, finish);
      if (again.code !== 0) expect(again.stderr).toContain("no master key rotation is running");
      expect(await verified(database, current)).toBeUndefined();
      current = next;
    }
    await restart(current);
    // However slow the machine is, somebody writes all the time.
    expect(made.length).toBeGreaterThan(ROUNDS);
    for (const { AccessorID, SecretID } of made) {
      const self = await fetch(`${server.url}/v1/acl/token/self`, { headers: { "x-consul-token": SecretID } });
      expect(await self.json()).toMatchObject({ AccessorID, SecretID });
    }
    await server.kill({ keepData: true });
    await Promise.all(clients);
  },
);

/** Takes back that all is sealed anew, as if nobody had asked for it. @returns whether somebody had, and data keys that seal then */
async function takeResealBack(url: string): Promise<{ isAsked: boolean; sealing: number }> {
  const db = await openForOperator(url);
  try {
    const isAsked = (await readReseal(db)) !== undefined;
    const keys = db.sql.selectFrom("data_keys").select("id").where("purpose", "=", "data");
    const sealing = (await keys.where("retired_at", "is", null).execute()).length;
    await db.inTransaction({ kind: "root" }, async (tx) => {
      tx.write(tx.sql.deleteFrom("reseals"));
      tx.write(tx.sql.updateTable("data_keys").set({ retired_at: null }).where("purpose", "=", "data"));
    });
    return { isAsked, sealing };
  } finally {
    await db.close();
  }
}

test.each<Engine>(["sqlite", "postgres"])(
  "kill -9 of the operator who asks that all is sealed anew has all of it asked for, or nothing, and it can be asked again (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const key = makeKeyFile();
    const server = await startServer({ database, dataDir, args: ["--key-file", key.file] });
    await create(server, server.token, []);
    expect(await server.stop()).toBe(0);
    const place = ["--data-dir", dataDir, "--database", database];
    const ask = ["--reseal", "--key-file", key.file];
    const began = performance.now();
    expect(await rotateKey(place, ask)).toMatchObject({ code: 0 });
    const usualMs = performance.now() - began;
    expect(await takeResealBack(database)).toEqual({ isAsked: true, sealing: 0 });
    for (let round = 0; round < ROUNDS; round++) {
      const killed = await rotateKey(place, ask, usualMs * (0.5 + 0.6 * random()));
      expect(await verified(database, key)).toMatchObject({ damaged: [] });
      const again = await rotateKey(place, ask);
      if (again.code !== 0) expect(again.stderr).toContain("re-encryption is already running");
      expect(await rotateKey(place, ["--verify", "--key-file", key.file])).toMatchObject({ code: 0 });
      expect({ killed: killed.code, ...(await takeResealBack(database)) }).toMatchObject({ isAsked: true, sealing: 0 });
    }
  },
);

test.each<Engine>(["sqlite", "postgres"])(
  "kill -9 of the server while everything is sealed anew loses nothing, and the next one goes on (%s)",
  async (engine) => {
    const dataDir = temporaryDirectory();
    const database = engine === "sqlite" ? `sqlite:${join(dataDir, "tessera.db")}` : await makeDatabaseUrl(engine);
    const key = makeKeyFile();
    const start = () => startServer({ database, dataDir, args: ["--key-file", key.file] });
    let server = await start();
    const { token } = server;
    const made: Made[] = [];
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let number = 0; number < sized(200, 1000); number++) await create(server, token, made);
      }),
    );
    const begun = await rotateKey(
      ["--data-dir", dataDir, "--database", database],
      ["--reseal", "--key-file", key.file],
    );
    expect(begun).toMatchObject({ code: 0, stderr: "" });
    for (let round = 0; round < ROUNDS; round++) {
      const clients = Array.from({ length: CLIENTS }, () => load(server, token, made));
      await sleep(random() * 1500);
      await server.kill({ keepData: true });
      await Promise.all(clients);
      expect(await verified(database, key)).toMatchObject({ damaged: [] });
      server = await start();
    }
    const db = await openForOperator(database);
    // The rest waits for the time after which old keys are deleted.
    await expect
      .poll(async () => (await readReseal(db)) ?? {}, { timeout: 60_000, interval: 100 })
      .toMatchObject({ column_name: "", found: 0, damaged: 0 });
    const retired = await db.sql.selectFrom("data_keys").select("id").where("retired_at", "is not", null).execute();
    const sealed = await db.sql.selectFrom("tokens").select("secret_sealed as text").execute();
    const old = new Set(retired.map(({ id }) => id));
    expect(sealed.filter(({ text }) => old.has(text.slice(0, text.indexOf("."))))).toEqual([]);
    await db.close();
    expect(await verified(database, key)).toMatchObject({ damaged: [] });
    for (const { AccessorID, SecretID } of made) {
      const self = await fetch(`${server.url}/v1/acl/token/self`, { headers: { "x-consul-token": SecretID } });
      expect(await self.json()).toMatchObject({ AccessorID, SecretID });
    }
    await server.kill();
  },
);
