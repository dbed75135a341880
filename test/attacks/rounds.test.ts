/**
 * Many different lists of one token at once. The test counts and does not time: the clock of the server advances by a
 * fixed time with every look at it, so that a share of a round is a fixed number of pieces.
 */
import { setImmediate as turn } from "node:timers/promises";
import { beforeAll, expect, test, vi } from "vitest";
import { callerNow } from "../../src/callers.ts";
import { STREAM_BYTES } from "../../src/http/sending/sending.ts";
import { LIST_PLACES, listsInPlaces, listTurns } from "../../src/list-work.ts";
import { forEachEngine } from "../support/engines.ts";
import { MANAGEMENT, useV1 } from "../support/v1.ts";

vi.setConfig({ testTimeout: 120_000 });

const POLICIES = 300;
const LISTS = 300;
const COMMON = "abcdefghijklmnopqrstuvwxyz0123456789-abcdefghijklmnopqrstuvwxyz0123456789";
/** A look at the clock takes so long, of the 5 ms that lists have of a round. */
const LOOK_MS = 2;
/**
 * Looks that use up a share, and so the most pieces of a round: one look begins the share, and each piece takes one.
 */
const MOST_PIECES = 4;
/** Rounds whose shares an answer to somebody else may wait for: at 5 ms each they are the 20 ms of the goal. */
const MOST_ROUNDS = 4;

forEachEngine((engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let attacker = "";
  let other = "";

  beforeAll(async () => {
    await v1.api("POST", "/organizations", { data: ORGANIZATION });
    for (let n = 0; n < POLICIES; n++) {
      await v1.put("/acl/policy", { Name: `${COMMON}-${n}`, Description: COMMON.repeat(3) });
    }
    const rules = 'acl = "read"\norganization_prefix "" { policy = "read" }\nworkspace_prefix "" { policy = "read" }';
    [attacker, other] = await Promise.all([v1.tokenWith(rules), v1.tokenWith(rules)]);
  });

  /** Different parts of what all policies are called. */
  const listOf = (n: number): string => `/acl/policies?search=${COMMON.slice(n % 20, 40 + Math.floor(n / 20))}`;

  /** Bytes of answers that are being sent. */
  async function sendingNow(): Promise<number> {
    const { text } = await v1.send({ method: "GET", url: "/metrics", headers: { "x-service-token": MANAGEMENT } });
    return Number(/^tessera_http_sending_bytes (\d+)$/m.exec(text)?.[1]);
  }

  /** Watches what lists take of each round while some work is done. */
  async function watch<T>(work: (seen: { readonly pieces: number }) => Promise<T>) {
    const { pause } = listTurns;
    const real = performance.now.bind(performance);
    let looks = 0;
    vi.spyOn(performance, "now").mockImplementation(() => real() + LOOK_MS * looks++);
    const seen = {
      rounds: 0,
      pieces: 0,
      running: 0,
      waiting: 0,
      callers: [] as (string | undefined)[],
    };
    vi.spyOn(listTurns, "pause").mockImplementation(async () => {
      await pause();
      seen.pieces += 1;
      seen.running = Math.max(seen.running, listsInPlaces.running());
      seen.waiting = Math.max(seen.waiting, listsInPlaces.waiting());
      seen.callers.push(callerNow()?.owner?.name);
    });
    let isOver = false;
    const round = (): void => {
      seen.rounds += 1;
      if (!isOver) setImmediate(round);
    };
    setImmediate(round);
    const result = await work(seen).finally(() => {
      isOver = true;
      vi.restoreAllMocks();
    });
    return { ...seen, result };
  }

  test("incident 70: 300 different lists of one token share one part of each round, and few of them are held", async () => {
    const { rounds, pieces, running, waiting, result } = await watch(() =>
      Promise.all(Array.from({ length: LISTS }, (_, n) => v1.get(listOf(n), attacker))),
    );
    expect(new Set(result.map(({ status }) => status))).toEqual(new Set([200]));
    const whole = result.map(({ body }) => (body as unknown as object[]).length);
    expect(new Set(whole)).toEqual(new Set([POLICIES]));
    // Each begins, reads five slices, and writes as many pieces.
    expect(pieces).toBeGreaterThanOrEqual(LISTS * 15);
    expect(pieces / rounds).toBeLessThanOrEqual(MOST_PIECES);
    expect(running).toBe(LIST_PLACES.ofToken);
    expect(waiting).toBeGreaterThan(LISTS / 2);
    expect([listsInPlaces.running(), listsInPlaces.waiting()]).toEqual([0, 0]);
  });

  test("incident 70: the lists of another token are made in turn with them, and what is no list waits for none", async () => {
    const ended: string[] = [];
    const ask = (name: string, path: string, token: string) =>
      v1.get(path, token).then(({ status }) => ended.push(`${name} ${status}`));
    await watch(async () => {
      const many = Array.from({ length: 60 }, (_, n) => ask("many", `${listOf(n)}&pretty`, attacker));
      // Looked at in each turn: they do not wait for long.
      while (listsInPlaces.waiting() <= 50) await turn();
      await ask("self", "/acl/token/self", other);
      expect(listsInPlaces.waiting()).toBeGreaterThan(20);
      await Promise.all([ask("few", listOf(0), other), ask("few", listOf(1), other)]);
      expect(listsInPlaces.waiting()).toBeGreaterThan(20);
      await Promise.all(many);
    });
    expect(ended.filter((name) => name === "many 200")).toHaveLength(60);
    expect(ended.lastIndexOf("few 200")).toBeLessThan(30);
  });

  test("incident 70: between a request of another token and its answer few pieces are made, and few texts are held", async () => {
    const [waited, sending]: [number[], number[]] = [[], []];
    const pathOf = (n: number): string => `/acl/policies?search=${COMMON.slice(n % 20, 39 - Math.floor(n / 20))}`;
    const { rounds, pieces, result } = await watch(async (seen) => {
      let left = LISTS;
      const lists = Array.from({ length: LISTS }, (_, n) => v1.get(pathOf(n), attacker).finally(() => (left -= 1)));
      while (left > 0) {
        const before = seen.pieces;
        expect((await v1.get("/acl/token/self", other)).status).toBe(200);
        waited.push(seen.pieces - before);
        if (waited.length % 10 === 0) sending.push(await sendingNow());
        await turn();
      }
      return Promise.all(lists);
    });
    expect(new Set(result.map(({ status }) => status))).toEqual(new Set([200]));
    expect(pieces).toBeGreaterThanOrEqual(LISTS * 15);
    expect(waited.length).toBeGreaterThan(LISTS / 10);
    expect(pieces / rounds).toBeLessThanOrEqual(MOST_PIECES);
    // On PostgreSQL rounds go by while the database answers, and their number is the machine's.
    if (engine === "sqlite") expect(Math.max(...waited)).toBeLessThanOrEqual(MOST_ROUNDS * MOST_PIECES);
    expect(sending.length).toBeGreaterThan(0);
    // A list counts for the buffer of a stream while it is sent.
    expect(Math.max(...sending)).toBeLessThanOrEqual(2 * LIST_PLACES.ofToken * STREAM_BYTES);
  });

  test("incident 70: pages share the same part, and say what they always did", async () => {
    const alone = await v1.get("/acl/policies?page-size=290", attacker);
    const { rounds, pieces, running, result } = await watch(() =>
      Promise.all(Array.from({ length: 60 }, (_, n) => v1.get(`/acl/policies?page-size=${231 + n}`, attacker))),
    );
    expect(pieces / rounds).toBeLessThanOrEqual(MOST_PIECES);
    expect(running).toBe(LIST_PLACES.ofToken);
    const all = alone.body as unknown as object[];
    for (const [n, { body, headers }] of result.entries()) {
      expect(body).toEqual(all.slice(0, 231 + n));
      expect(headers["x-service-next"]).toMatch(/./);
    }
  });

  test("incident 70: long pages of workspaces are held by few, and made by groups", async () => {
    const attributes = (n: number) => ({
      name: `long-${n}`,
      // Every third is short, and comes with the page.
      "trigger-patterns": Array.from({ length: n % 3 === 0 ? 1 : 40 }, () => "p".repeat(900)),
    });
    for (let n = 0; n < 30; n++) {
      const data = { type: "workspaces", attributes: attributes(n) };
      expect((await v1.api("POST", "/organizations/acme/workspaces", { data })).status).toBe(201);
    }
    const pathOf = (n: number): string =>
      `/organizations/acme/workspaces?page[size]=${30 + n}&sort=${n % 2 === 0 ? "name" : "-name"}`;
    const { running, waiting, result } = await watch(() =>
      Promise.all(Array.from({ length: 40 }, (_, n) => v1.api("GET", pathOf(n), undefined, attacker))),
    );
    expect(running).toBe(LIST_PLACES.ofToken);
    expect(waiting).toBeGreaterThan(30);
    for (const [n, { status, body }] of result.entries()) {
      expect(status).toBe(200);
      const shown = (body.data as { attributes: object }[]).map(({ attributes: each }) => each);
      const wanted = Array.from({ length: 30 }, (_, index) => attributes(index));
      wanted.sort((a, b) => (a.name < b.name ? -1 : 1));
      if (n % 2 === 1) wanted.reverse();
      expect(shown).toMatchObject(wanted);
    }
  });

  test("incident 70: lists that are made while they are sent take their turns and places too", async () => {
    const organizations = Array.from({ length: 60 }, (_, n) => ({ ...ORGANIZATION.attributes, name: `tenant-${n}` }));
    for (const attributes of organizations)
      await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
    for (const path of ["/api/v2/organizations", "/api/v2/organizations/acme/tags/export"]) {
      const headers = { authorization: `Bearer ${attacker}`, accept: "application/x-ndjson, application/vnd.api+json" };
      const send = () => v1.send({ method: "GET", url: path, headers });
      const alone = await send();
      const { rounds, pieces, running, waiting, result } = await watch(() =>
        Promise.all(Array.from({ length: 40 }, send)),
      );
      expect(new Set(result.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(result.map(({ text }) => text))).toEqual(new Set([alone.text]));
      expect(pieces / rounds).toBeLessThanOrEqual(MOST_PIECES);
      expect([path, running, waiting > 20]).toEqual([path, LIST_PLACES.ofToken, true]);
    }
  });
});

const ORGANIZATION = { type: "organizations", attributes: { name: "acme", email: "a@b.cd" } };
