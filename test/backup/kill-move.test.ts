/** A move that is killed, at any instant and before each of its steps, leaves one database that counts, and is ended by the next run. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { engines, temporaryDirectory, type Engine } from "../support/engines.ts";
import { IS_LONG, sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { ask, callerOf } from "../upgrades/caller.ts";
import { query } from "../upgrades/state.ts";
import { emptyPlace, tessera, type Ended, type Place } from "./command.ts";
import { move, write } from "./moving.ts";

const ROUNDS = sized(2, 20);
/** From the sync of what was copied to the end: of these steps the short form takes two, and one of those before. */
const LAST_STEPS = 7;
const CLIENTS = 3;
const random = randomOfRun();

const serve = (place: Place) => tessera("serve", "--listen", "127.0.0.1:0", ...place.where);
const isLeft = async ({ database }: Place) =>
  (await query(database, "select 1 from meta where name = 'moved'")).length > 0;

/** A database that goes from one engine to the other and back, with clients that write wherever it is served. */
class Wanderer {
  readonly acknowledged: string[] = [];
  readonly #token: string;
  #place: Place;
  #server: RunningServer;

  private constructor(place: Place, server: RunningServer) {
    this.#place = place;
    this.#server = server;
    this.#token = server.token;
  }

  static async begin(engine: Engine): Promise<Wanderer> {
    const place = await emptyPlace(engine);
    const server = await startServer(place);
    for (let number = 0; number < 10; number++) {
      const Rules = Array.from({ length: 1500 }, () => `key "${crypto.randomUUID()}" { policy = "read" }`).join("\n");
      await callerOf(server.url)("PUT", "/v1/acl/policy", { Name: `p-${number}`, Rules }, server.token);
    }
    return new Wanderer(place, server);
  }

  /**
   * Moves it to an empty place of the other engine: first by a command that is killed, then by one that is let.
   *
   * @param killed runs the first one
   */
  async moveOn(killed: (from: Place, to: Place) => Promise<Ended>): Promise<void> {
    const from = this.#place;
    const to = await emptyPlace(from.engine === "sqlite" ? "postgres" : "sqlite", from);
    const load = write(this.#server.url, this.#token, CLIENTS);
    while (load.acknowledged.length < 5) await sleep(2);
    const first = await killed(from, to);
    const wasLeft = await isLeft(from);
    if (first.status === null) await this.#expectOneThatCounts(to, wasLeft);
    if (!wasLeft) await this.#expectWrites(200);
    const second = await move(from, to, ["--cutover"]).ended;
    expect(second).toMatchObject({ status: 0 });
    expect(second.stdout).toMatch(wasLeft ? /^The database was already moved/ : /^Moved /);
    await this.#expectWrites(503);
    await load.stop();
    this.acknowledged.push(...load.acknowledged);
    await this.#server.stop();
    expect(await serve(from)).toMatchObject({ status: 2, stderr: expect.stringContaining("was moved to") });
    this.#place = to;
    this.#server = await startServer(to);
  }

  /** The source goes on, or the target has everything; and no server starts on what was not given. */
  async #expectOneThatCounts(to: Place, wasLeft: boolean): Promise<void> {
    if (!wasLeft) await this.#expectWrites(200);
    else await this.#expectWrites(503);
    const isBegun = await this.#isBegun(to);
    if (isBegun) {
      const stderr = expect.stringMatching(/the database was copied here|or a move to it/);
      expect(await serve(to)).toMatchObject({ status: 2, stderr });
    } else if (wasLeft) {
      const [row] = await query(to.database, "select count(*) as count from tokens");
      expect(Number(row?.["count"])).toBeGreaterThan(this.acknowledged.length);
    }
  }

  async #isBegun({ engine, database }: Place): Promise<boolean> {
    if (engine === "sqlite") {
      const path = database.slice("sqlite:".length);
      if (existsSync(`${path}.restoring`)) return true;
      if (!existsSync(path)) return false;
    } else {
      const [made] = await query(database, "select to_regclass('meta') is not null as made");
      if (made?.["made"] !== true) return false;
    }
    return (await query(database, "select 1 from meta where name = 'restoring'")).length > 0;
  }

  /** Polls: writes of a running server wait a moment for the lock of the killed command. */
  async #expectWrites(status: 200 | 503): Promise<void> {
    const put = () => ask(this.#server.url, "PUT", "/v1/acl/token", { Description: "asked" }, this.#token);
    await expect.poll(async () => (await put()).status, { timeout: 30_000, interval: 100 }).toBe(status);
  }

  /** Ends it. @returns IDs that were acknowledged to a client and are missing */
  async end(): Promise<string[]> {
    const { url } = this.#server;
    const listed = (await callerOf(url)("GET", "/v1/acl/tokens", undefined, this.#token)) as { AccessorID: string }[];
    const there = new Set(listed.map((each) => each.AccessorID));
    expect(await this.#server.stop()).toBe(0);
    const verified = await tessera("audit", "verify", ...this.#place.where);
    expect(verified).toMatchObject({ status: 0, stderr: "" });
    return this.acknowledged.filter((id) => !there.has(id));
  }
}

test("kill -9 at any instant, from one engine to the other and back under load, loses nothing that was acknowledged", async () => {
  const wanderer = await Wanderer.begin("sqlite");
  const usual: Partial<Record<Engine, number>> = {};
  for (let round = 0; round < ROUNDS + engines.length; round++) {
    await wanderer.moveOn(async (from, to) => {
      const running = move(from, to, ["--cutover"]);
      const usualMs = usual[from.engine];
      const began = performance.now();
      // The first of each engine is let, to know how long it takes.
      if (usualMs !== undefined) {
        await Promise.race([running.ended, sleep(usualMs * (0.2 + random()))]);
        running.kill();
      }
      const ended = await running.ended;
      if (usualMs === undefined) usual[from.engine] = performance.now() - began;
      return ended;
    });
  }
  expect(await wanderer.end()).toEqual([]);
});

test("kill -9 before each step of it, from one engine to the other and back, leaves one database that counts", async () => {
  const wanderer = await Wanderer.begin("sqlite");
  const steps: Record<Engine, string[]> = { sqlite: [], postgres: [] };
  const moveBefore = async (step: number, from: Place, to: Place) => {
    const file = join(temporaryDirectory(), "steps");
    const ended = await move(from, to, ["--cutover"], {
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "kill-at-step.ts")).href}`,
      KILL_STEPS_FILE: file,
      KILL_BEFORE_STEP: String(step),
    }).ended;
    const names = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    return { ended, names };
  };
  for (const engine of engines) {
    await wanderer.moveOn(async (from, to) => {
      const { ended, names } = await moveBefore(0, from, to);
      expect(ended).toMatchObject({ status: 0 });
      steps[engine] = names;
      return ended;
    });
  }
  expect(steps.sqlite.slice(-4)).toEqual(["fence", "commit", "sync", "delete marker"]);
  const chosen = Object.fromEntries(engines.map((engine) => [engine, chooseSteps(steps[engine].length)]));
  for (let place = 0; engines.some((engine) => place < (chosen[engine]?.length ?? 0)); place++) {
    for (const engine of engines) {
      const step = chosen[engine]?.[place] ?? steps[engine].length;
      await wanderer.moveOn(async (from, to) => {
        const { ended, names } = await moveBefore(step, from, to);
        expect({ ...ended, names }).toMatchObject({ status: null, names: steps[engine].slice(0, step - 1) });
        return ended;
      });
    }
  }
  expect(await wanderer.end()).toEqual([]);
});

/** Numbers of steps, from 1: all of them, or some. */
function chooseSteps(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  if (IS_LONG) return numbers;
  const [before, last] = [numbers.slice(0, -LAST_STEPS), numbers.slice(-LAST_STEPS)].map((some) =>
    some.toSorted(() => random() - 0.5),
  );
  return [...(before ?? []).slice(0, 1), ...(last ?? []).slice(0, 2)];
}
