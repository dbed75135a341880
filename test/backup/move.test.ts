/** A database that is moved is all there at its new place, and nobody goes on with what is left of it. */
import { renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { moveDatabase } from "../../src/backup/move.ts";
import { describeSnapshot } from "../../src/backup/write.ts";
import { migrationsOf } from "../../src/storage/operator/loading.ts";
import { withoutCredentials } from "../../src/storage/postgres/hosts.ts";
import { openPostgresLoading } from "../../src/storage/postgres/loading.ts";
import { openPostgresMoving } from "../../src/storage/postgres/moving.ts";
import { openSqliteLoading } from "../../src/storage/sqlite/loading.ts";
import { openSqliteMoving } from "../../src/storage/sqlite/moving.ts";
import { StartError } from "../../src/storage/start-error.ts";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { makeKeyFile } from "../support/rotate-key.ts";
import { expectCountsTrue } from "../support/counted.ts";
import { startServer } from "../support/server.ts";
import { ask, callerOf } from "../upgrades/caller.ts";
import { query } from "../upgrades/state.ts";
import { emptyPlace, tessera, type Place } from "./command.ts";
import { move, write } from "./moving.ts";

function pathOf({ database }: Place): string {
  return database.slice("sqlite:".length);
}

/** A move that comes to an end when it is about to take its step, as when it is killed there. */
async function moveUntil(step: "leave" | "give" | "named", from: Place, to: Place): Promise<void> {
  const cutover = { cutover: false };
  const moving =
    from.engine === "sqlite"
      ? await openSqliteMoving(pathOf(from), cutover)
      : await openPostgresMoving(from.database, cutover);
  const header = await describeSnapshot(moving);
  const migrations = migrationsOf(header.migrations);
  const loading =
    to.engine === "sqlite"
      ? openSqliteLoading(pathOf(to), migrations, () => undefined, header)
      : await openPostgresLoading(to.database, migrations, header);
  const end = () => Promise.reject(new Error("killed"));
  const shown = to.engine === "sqlite" ? to.database : withoutCredentials(to.database);
  const outcome = moveDatabase(
    step === "leave" ? { ...moving, leave: end } : moving,
    header,
    step === "leave" ? loading : { ...loading, give: end },
    { to: shown, now: new Date(), onRows: () => undefined },
  );
  await expect(outcome).rejects.toThrow("killed");
  await moving.close();
}

describe.each(engines)("a database on %s", (engine: Engine) => {
  const other: Engine = engine === "sqlite" ? "postgres" : "sqlite";

  test.each([other, engine])(
    "that is moved to %s under load has every acknowledged write there, and takes none any more",
    async (into: Engine) => {
      const source = await emptyPlace(engine);
      const server = await startServer(source);
      onTestFinished(async () => void (await server.stop()));
      const { url, token } = server;
      const load = write(url, token, 8);
      while (load.acknowledged.length < 200) await sleep(10);
      const target = await emptyPlace(into, source);
      const moved = await move(source, target, ["--cutover"]).ended;
      expect(moved).toMatchObject({ status: 0, stderr: expect.stringContaining("reject writes for at most") });
      expect(moved.stdout).toMatch(/^Moved [\d,]+ rows of \d+ tables to [^\n]*\nVerified the row count and SHA-256/);
      const before = load.acknowledged.length;
      await sleep(500);
      await load.stop();
      expect(load.acknowledged.length).toBe(before);
      expect(load.refusals.length).toBeGreaterThan(0);
      expect([...new Set(load.refusals.map(({ status, retryAfter }) => `${status} ${retryAfter}`))]).toEqual(["503 1"]);
      expect(await expectCountsTrue((text) => query(target.database, text))).toBeGreaterThan(before);
      const copy = await startServer(target);
      onTestFinished(async () => void (await copy.stop()));
      const listed = (await callerOf(copy.url)("GET", "/v1/acl/tokens", undefined, token)) as { AccessorID: string }[];
      const there = new Set(listed.map((each) => each.AccessorID));
      expect(load.acknowledged.filter((id) => !there.has(id))).toEqual([]);
      await callerOf(copy.url)("PUT", "/v1/acl/token", { Description: "after" }, token);
      const [record] = await query(target.database, "select action from audit_records where kind = 'database'");
      expect(record).toMatchObject({ action: "move" });
      // Reads go on where they were; who asks for what is written finds it at the new place.
      expect((await ask(url, "GET", "/v1/acl/token/self", undefined, token)).status).toBe(200);
      const again = await tessera("serve", "--listen", "127.0.0.1:0", ...source.where);
      expect(again).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/^tessera: [^\n]*(?:was moved to|another server uses )/),
      });
    },
  );

  test("that nobody uses is moved, and no server starts on it, which says where it went without any password", async () => {
    const source = await emptyPlace(engine);
    expect(await (await startServer(source)).stop()).toBe(0);
    const target = await emptyPlace(other, source);
    expect(await move(source, target).ended).toMatchObject({ status: 0, stderr: "" });
    const refused = await tessera("serve", "--listen", "127.0.0.1:0", ...source.where);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(
      /^tessera: the database was moved to (?:sqlite|postgres):[^\n@]*\. Set --database to this address\n$/,
    );
    const twice = await move(source, await emptyPlace(other, source)).ended;
    expect(twice).toMatchObject({ status: 2, stderr: expect.stringContaining("was moved to") });
    expect(await (await startServer(target)).stop()).toBe(0);
    // The old database can still be backed up, and its backup restores to a usable database.
    const file = `${temporaryDirectory()}/left`;
    expect(await tessera("backup", file, ...source.where)).toMatchObject({ status: 0 });
    const restored = await emptyPlace(engine, source);
    expect(await tessera("restore", file, ...restored.where)).toMatchObject({ status: 0 });
    expect(await (await startServer(restored)).stop()).toBe(0);
  });

  test("that takes longer to be moved than writes may be refused is given back, and nothing is at the target", async () => {
    const source = await emptyPlace(engine);
    const server = await startServer(source);
    onTestFinished(async () => void (await server.stop()));
    const target = await emptyPlace(other, source);
    const path = (place: Place) => place.database.slice("sqlite:".length);
    for (const enough of [0, 10, Infinity]) {
      const cutover = { cutover: true };
      const moving =
        engine === "sqlite"
          ? await openSqliteMoving(path(source), cutover)
          : await openPostgresMoving(source.database, cutover);
      let asked = 0;
      // Time passes: what is asked so often is asked too late.
      const checkTime = () => {
        if (++asked > enough) throw new StartError("too late");
      };
      const header = await describeSnapshot(moving);
      const migrations = migrationsOf(header.migrations);
      const loading =
        other === "sqlite"
          ? openSqliteLoading(path(target), migrations, () => undefined, header)
          : await openPostgresLoading(target.database, migrations, header);
      const options = { to: "elsewhere", now: new Date(), onRows: () => undefined };
      const outcome = moveDatabase({ ...moving, checkTime }, header, loading, options);
      const late = await outcome.then(
        () => undefined,
        (error: unknown) => error,
      );
      await moving.close();
      expect(late).toEqual(enough === Infinity ? undefined : new StartError("too late"));
      const { status } = await ask(server.url, "PUT", "/v1/acl/token", { Description: "more" }, server.token);
      expect(status).toBe(enough === Infinity ? 503 : 200);
    }
  });

  const ends = [other, engine].flatMap((into) => (["leave", "give", "named"] as const).map((step) => ({ into, step })));
  test.each(ends)(
    "of which the move to $into ends before the step $step has a server start on one of both only, and the next run ends it",
    async ({ into, step }) => {
      const source = await emptyPlace(engine);
      expect(await (await startServer(source)).stop()).toBe(0);
      const target = await emptyPlace(into, source);
      await moveUntil(step, source, target);
      if (step === "named" && into === "sqlite") renameSync(`${pathOf(target)}.restoring`, pathOf(target));
      const serve = (place: Place) => tessera("serve", "--listen", "127.0.0.1:0", ...place.where);
      const refused = await serve(target);
      expect(refused).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/the database was copied here|or a move to it/),
      });
      if (step === "leave") expect(await (await startServer(source)).stop()).toBe(0);
      else expect(await serve(source)).toMatchObject({ status: 2, stderr: expect.stringContaining("was moved to") });
      // Nothing else comes over what may be the only one that counts.
      const stranger = await emptyPlace(engine);
      expect(await (await startServer(stranger)).stop()).toBe(0);
      const taken = await move(stranger, target).ended;
      expect(taken).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/another moved database|not empty/),
      });
      const again = await move(source, target).ended;
      expect(again).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(
          step === "leave" ? /^Moved / : /^The database was already moved [^\n]* can start/,
        ),
      });
      const third = await move(source, target).ended;
      expect(third).toMatchObject({ status: 0, stdout: expect.stringContaining("; nothing to do") });
      expect(await serve(source)).toMatchObject({ status: 2, stderr: expect.stringContaining("was moved to") });
      expect(await (await startServer(target)).stop()).toBe(0);
    },
  );

  describe("that a server uses", () => {
    let source: Place;
    let server: Awaited<ReturnType<typeof startServer>>;
    beforeAll(async () => {
      source = await emptyPlace(engine);
      server = await startServer(source);
      return async () => void (await server.stop());
    });
    const put = () => ask(server.url, "PUT", "/v1/acl/token", { Description: "more" }, server.token);

    test("is refused without --cutover, or with another master key, and to a place that is not empty, and goes on", async () => {
      const target = await emptyPlace(other, source);
      const served = await move(source, target).ended;
      expect(served).toMatchObject({ status: 2, stderr: expect.stringMatching(/in use by [^\n]*--cutover[^\n]*\n$/) });
      const { file } = makeKeyFile();
      const key = await move(source, target, ["--cutover", "--key-file", file]).ended;
      expect(key).toMatchObject({ status: 2, stderr: expect.stringContaining("wrong master key for the database") });
      const full = await emptyPlace(other, source);
      expect(await (await startServer(full)).stop()).toBe(0);
      const notEmpty = await move(source, full, ["--cutover"]).ended;
      expect(notEmpty).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("is not empty, and a database can only be moved to an empty database"),
      });
      expect((await put()).status).toBe(200);
    });

    test("goes on when the move is killed, and can be moved again to the same place", async () => {
      const call = callerOf(server.url);
      for (let number = 0; number < 20; number++) {
        const Rules = Array.from({ length: 1500 }, () => `key "${crypto.randomUUID()}" { policy = "read" }`).join("\n");
        await call("PUT", "/v1/acl/policy", { Name: `p-${number}`, Rules }, server.token);
      }
      const target = await emptyPlace(other, source);
      for (const delay of [300, 500, 700, 900]) {
        const running = move(source, target, ["--cutover"]);
        await sleep(delay);
        running.kill();
        await running.ended;
        // It may have left the source: then the target has everything.
        if ((await query(source.database, "select 1 from meta where name = 'moved'")).length > 0) break;
        let answer = await put();
        for (let tries = 0; answer.status === 503 && tries < 100; tries++) {
          await sleep(100);
          answer = await put();
        }
        expect(answer.status).toBe(200);
      }
      expect(await move(source, target, ["--cutover"]).ended).toMatchObject({ status: 0 });
      expect((await put()).status).toBe(503);
      const copy = await startServer(target);
      expect(await copy.stop()).toBe(0);
    });
  });
});
