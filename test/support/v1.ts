/** The whole application on a fresh database with stored tokens, asked without a socket; for tests of access control. */
import type { InjectOptions } from "fastify";
import type { Compilable } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import { bootstrapTokens, type BootstrapOptions } from "../../src/acl/tokens/bootstrap.ts";
import { createSessionActivity, type SessionActivity } from "../../src/acl/sessions/activity.ts";
import { createTokenUses, type TokenUses } from "../../src/acl/tokens/uses.ts";
import { UseFlusher } from "../../src/use/flush.ts";
import { UseMemory } from "../../src/records/uses/memory.ts";
import { buildApp, type AppOptions } from "../../src/app.ts";
import { type ObjectLimitValues, objectLimitsOf } from "../../src/config/limit-options.ts";
import { closeGracefully } from "../../src/http/lifecycle.ts";
import { type ClockForGood, createTrustedClock } from "../../src/storage/clock/trusted.ts";
import type { Counter } from "../../src/storage/writes/counters.ts";
import type { Database, Transaction } from "../../src/storage/database.ts";
import { limitingObjects } from "../../src/storage/writes/object-limits.ts";
import { openDatabase } from "../../src/storage/open.ts";
import type { RowContent, ProvenTable } from "../../src/storage/proofs/proofs.ts";
import { byTheServer } from "../../src/storage/writes/recorded.ts";
import { isExpectedFailure } from "./expected-failures.ts";
import { expectNoSecretInRecords, noteSecretsOf } from "./made-secrets.ts";
import type { Answer } from "./api.ts";
import { checkBefore, isOfChecks } from "./checked-writes.ts";
import { temporaryDirectory } from "./engines.ts";
import { insertProven, proveRows, writePast } from "./proofs.ts";
import { expectSameStatements } from "./statements.ts";
import { fillFromTemplate } from "./template.ts";

const MEDIA_TYPE = "application/vnd.api+json";

/** SecretID of the first management token. */
export const MANAGEMENT = "0f6a3c1e-8d2b-4b7a-9c55-1e2d3f4a5b6c";
/** Prefix of the IDs of built-in objects. */
export const RESERVED = "00000000-0000-0000-0000-0000000000";
/** An ID that no object has. */
export const NOBODY = "11111111-2222-4333-8444-555555555555";

export interface V1Options {
  config?: Partial<AppOptions["config"] & ObjectLimitValues>;
  /** How the first token is made; the initial management token unless a test says otherwise. */
  bootstrap?: Partial<BootstrapOptions>;
}

export interface V1 {
  db: Database;
  /** Which tokens were used and are yet to be written down. */
  uses: TokenUses;
  /** Which permissions were used and are yet to be written down. */
  useMemory: UseMemory;
  /** Writes down which permissions were used. */
  flushUses(): Promise<void>;
  /** Which sessions were used and are yet to be written down. */
  activity: SessionActivity;
  dataDir: string;
  /** The `--database` value. */
  url: string;
  /** Lines of the log, at its most talkative. */
  log: string[];
  get(path: string, token?: string): Promise<Answer>;
  delete(path: string, token?: string): Promise<Answer>;
  put(path: string, body?: unknown, token?: string): Promise<Answer>;
  patch(path: string, body?: unknown, token?: string): Promise<Answer>;
  post(path: string, body?: unknown, token?: string): Promise<Answer>;
  /** A request to `/api/v2`. */
  api(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown, token?: string): Promise<Answer>;
  /** A request as it is given. */
  send(options: InjectOptions): Promise<Answer>;
  /** Listens on a free port of 127.0.0.1. @returns where, as a URL without a slash at its end */
  listen(): Promise<string>;
  /** Closes the application before its time. */
  close(): Promise<void>;
  /** A new policy with these rules; gives its ID. */
  policy(rules: string, name?: string): Promise<string>;
  /** A new role with this content; gives its ID. */
  role(content?: object): Promise<string>;
  /** A new token with this content. */
  token(content?: object): Promise<{ accessor: string; secret: string }>;
  /** SecretID of a new token with one policy of these rules. */
  tokenWith(rules: string): Promise<string>;
  /** A name that no other object has. */
  unique(prefix: string): string;
  /** Checks that two requests cost storage as many statements. */
  expectSameStatements(one: () => Promise<Answer>, other: () => Promise<Answer>): Promise<void>;
  /** Makes a transaction past the application and its record. */
  past(counter: Counter, work: (tx: Transaction) => Promise<void>): Promise<void>;
  /** Writes rows past the application, as a node of another version might, and proves them. */
  write(build: (sql: Transaction["sql"]) => Compilable): Promise<void>;
  /** Inserts many rows past the application, each with its proof; `write` would look at all that are there. */
  insert<T extends ProvenTable>(table: T, rows: readonly RowContent<T>[]): Promise<void>;
  /** Sets the clock, in milliseconds since the epoch; undefined for the real one. */
  setNow(now: number | undefined): void;
  now(): number;
  /** Watches the clock from now on as a server does, until the returned function is called: `setNow` can put it in doubt. */
  watchClock(): () => void;
}

/**
 * Opens the application before the tests of this file (or `describe`) and closes it after them.
 *
 * @param makeUrl gives the `--database` value of an empty database
 */
export function useV1(makeUrl: () => Promise<string>, options: V1Options = {}): V1 {
  let app: ReturnType<typeof buildApp> | undefined;
  let set: number | undefined;
  let names = 0;
  const log: string[] = [];
  let watched: ClockForGood | undefined;
  const now = () => set ?? Date.now();
  const forGood: ClockForGood = {
    now: () => watched?.now() ?? now(),
    isInDoubt: () => watched?.isInDoubt() === true,
  };
  const uses = createTokenUses();
  const activity = createSessionActivity();
  const useMemory = new UseMemory();
  let flusher: UseFlusher | undefined;
  const isChecked = isOfChecks();
  /** Writes so far, and those that go on. */
  const writes = { begun: 0, open: 0 };
  const flushUses = async () => (flusher ??= new UseFlusher(v1.db, useMemory)).flush();
  const v1 = {
    log,
    now,
    uses,
    useMemory,
    flushUses,
    activity,
    setNow: (value: number | undefined) => (set = value),
    watchClock() {
      watched = watchedClock(now);
      return () => (watched = undefined);
    },
  } as unknown as V1;

  beforeAll(async () => {
    v1.url = await makeUrl();
    fillFromTemplate(v1.url);
    v1.dataDir = temporaryDirectory();
    const opened = await openDatabase({ url: v1.url, dataDir: v1.dataDir, onFatal: fail, onWarning: () => undefined });
    // As a server has it, so that what runs in the background may not write past the record.
    v1.db = { ...limitingObjects(byTheServer(opened), objectLimitsOf(options.config ?? {})), forGood };
    const first = { dataDir: v1.dataDir, mode: "auto", initialManagementToken: MANAGEMENT } as const;
    const bootstrap = { ...first, ...options.bootstrap };
    await bootstrapTokens(v1.db, bootstrap, new Date(now()).toISOString());
    const { db } = v1;
    const appOptions: AppOptions = {
      config: {
        listen: { host: "127.0.0.1", port: 0 },
        publicUrl: undefined,
        trustedProxies: [],
        allowedHosts: [],
        accessLog: true,
        bootstrap: bootstrap.mode,
        ...options.config,
      },
      db,
      now,
      uses,
      useMemory,
      activity,
      // Instead of a minute: tests wait for what was refused.
      refusalWindowMs: 1000,
      logger: pino({ level: "trace" }, { write: (line: string) => void log.push(line) }),
    };
    app = buildApp(appOptions);
    await app.ready();
  });
  afterAll(async () => {
    if (app !== undefined) await closeGracefully(app);
    try {
      await expectNoSecretInRecords(v1.db);
    } finally {
      await v1.db.close();
    }
  });

  async function send(asked: InjectOptions): Promise<Answer> {
    if (app === undefined) throw new Error("the application is not open yet");
    const response = await app.inject({ ...asked, headers: { host: "localhost", ...asked.headers } });
    const answer = { status: response.statusCode, text: response.payload, headers: response.headers };
    if (!isExpectedFailure(answer.status, answer.text))
      expect(answer.status, `${response.payload}\n${log.at(-1)}`).not.toBe(500);
    noteSecretsOf(asked.url, asked.payload, answer);
    const isJson = /[/+]json/.test(String(response.headers["content-type"]));
    return { ...answer, body: isJson && response.payload !== "" ? response.json() : undefined };
  }

  function request(method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE", path: string, body: unknown, token: string) {
    const payload = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const headers = token === "" ? {} : { "x-service-token": token };
    const asked = { method, url: `/v1${path}`, headers, ...(payload === undefined ? {} : { payload }) };
    return method === "GET" || method === "POST" ? send(asked) : counted(send(asked));
  }

  async function counted(write: Promise<Answer>): Promise<Answer> {
    writes.begun++;
    writes.open++;
    return write.finally(() => writes.open--);
  }

  async function put(path: string, body: unknown = {}, token = MANAGEMENT): Promise<Answer> {
    const post = (url: string, asked: unknown) => request("POST", url, asked, token);
    const { begun, open } = writes;
    const compare = isChecked && token === MANAGEMENT ? await checkBefore(path, body, post) : undefined;
    const answer = await request("PUT", path, body, token);
    // Concurrent writes make both answers possible: the comparison needs a write of its own.
    if (open === 0 && writes.begun === begun + 1) compare?.(answer);
    return answer;
  }

  async function made(path: string, content: object): Promise<Answer["body"]> {
    const answer = await request("PUT", path, content, MANAGEMENT);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }

  return Object.assign(v1, {
    send,
    listen: async () => (await app?.listen({ host: "127.0.0.1", port: 0 })) ?? "",
    close: async () => (app === undefined ? undefined : closeGracefully(app)),
    get: (path: string, token = MANAGEMENT) => request("GET", path, undefined, token),
    delete: (path: string, token = MANAGEMENT) => request("DELETE", path, undefined, token),
    put,
    patch: (path: string, body: unknown = {}, token = MANAGEMENT) => request("PATCH", path, body, token),
    post: (path: string, body: unknown = {}, token = MANAGEMENT) => request("POST", path, body, token),
    api(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown, token = MANAGEMENT) {
      const type = method === "GET" ? {} : { "content-type": MEDIA_TYPE };
      const headers = { authorization: `Bearer ${token}`, ...type };
      const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
      return send({ method, url: `/api/v2${path}`, headers, ...payload });
    },
    unique: (prefix: string) => `${prefix}-${names++}`,
    async policy(rules: string, name = v1.unique("policy")) {
      return String((await made("/acl/policy", { Name: name, Rules: rules })).ID);
    },
    async role(content: object = {}) {
      return String((await made("/acl/role", { Name: v1.unique("role"), ...content })).ID);
    },
    async token(content: object = {}) {
      const { AccessorID, SecretID } = await made("/acl/token", content);
      return { accessor: String(AccessorID), secret: String(SecretID) };
    },
    async tokenWith(rules: string) {
      return (await v1.token({ Policies: [{ ID: await v1.policy(rules) }] })).secret;
    },
    past: (counter: Counter, work: (tx: Transaction) => Promise<void>) => writePast(v1.db, counter, work),
    async write(build: (sql: Transaction["sql"]) => Compilable) {
      await v1.past({ kind: "partition", name: "default" }, async (tx) => tx.write(build(tx.sql)));
      await proveRows(v1.db);
    },
    insert: <T extends ProvenTable>(table: T, rows: readonly RowContent<T>[]) => insertProven(v1.db, table, rows),
    expectSameStatements: (one: () => Promise<Answer>, other: () => Promise<Answer>) =>
      expectSameStatements(v1.db, one, other),
  });
}

function watchedClock(wall: () => number): ClockForGood {
  const untold = () => undefined;
  return createTrustedClock({
    wall,
    monotonic: () => performance.now(),
    lastTrusted: undefined,
    isAccepted: false,
    catchUp: undefined,
    onDoubt: untold,
    onBelieved: untold,
  });
}

function fail(error: Error): never {
  throw error;
}

/** Answer without the headers that differ between any two answers. */
export function told({ status, text, headers }: Answer) {
  const { "x-request-id": _id, "x-tessera-request-id": _own, date: _date, ...rest } = headers;
  return { status, text, headers: rest };
}
