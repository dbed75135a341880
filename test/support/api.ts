/** The whole application on a fresh database, asked without a socket; for tests of features. */
import type { InjectOptions } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import type { Actor } from "../../src/rights/actor.ts";
import { DEFAULT_SCOPE } from "../../src/rights/scope.ts";
import { expectNoSecretInRecords, noteSecretsOf } from "./made-secrets.ts";
import { ALL_RIGHTS, compileRights, type Rule } from "./rights.ts";
import { buildApp, type AppOptions } from "../../src/app.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { temporaryDirectory } from "./engines.ts";
import { expectSameStatements } from "./statements.ts";
import { fillFromTemplate } from "./template.ts";

const MEDIA_TYPE = "application/vnd.api+json";

/** An answer: its JSON body is read as whatever the test expects. */
export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of a body by asserting it
  body: any;
  text: string;
  headers: Record<string, unknown>;
}

export interface Api {
  db: Database;
  get(path: string, token?: string): Promise<Answer>;
  post(path: string, data?: unknown, token?: string): Promise<Answer>;
  put(path: string, data?: unknown, token?: string): Promise<Answer>;
  patch(path: string, data?: unknown, token?: string): Promise<Answer>;
  delete(path: string, data?: unknown, token?: string): Promise<Answer>;
  /** A request as it is given; a path outside `/api/v2` starts with `//`. */
  send(options: InjectOptions): Promise<Answer>;
  /** Makes a token with just these rights and gives its secret. */
  tokenWith(...rules: Rule[]): string;
  /** Makes a token in a namespace of the partition `default`, which need not exist. */
  tokenIn(namespace: string, ...rules: Rule[]): string;
  /** Changes the rights of a token. Without rules, the token is deleted. */
  setRights(secret: string, ...rules: Rule[]): void;
  /** Actor of a token, by its AccessorID. */
  actorOf(accessorId: string): Promise<Actor | undefined>;
  /** Checks that two requests cost storage as many statements. */
  expectSameStatements(one: () => Promise<Answer>, other: () => Promise<Answer>): Promise<void>;
  /** A new organization with a name of its own. */
  organization(): Promise<string>;
  /** A new workspace; gives its id. */
  workspace(organization: string, name: string, tags?: string[]): Promise<string>;
  /** Sets the clock, in milliseconds since the epoch; undefined for the real one. */
  setNow(now: number | undefined): void;
}

/** Secret of the token that may do everything. */
export const ROOT = "root-token";

/**
 * Opens the application before the tests of this file (or `describe`) and closes it after them.
 *
 * @param makeUrl gives the `--database` value of an empty database
 */
export function useApi(makeUrl: () => Promise<string>): Api {
  const tokens = new Map<string, Actor>([[ROOT, actor("root", ALL_RIGHTS)]]);
  let app: ReturnType<typeof buildApp> | undefined;
  let now: number | undefined;
  let names = 0;
  const api = { setNow: (value: number | undefined) => (now = value) } as unknown as Api;

  beforeAll(async () => {
    const fail = (error: Error) => {
      throw error;
    };
    const url = await makeUrl();
    fillFromTemplate(url);
    const dataDir = temporaryDirectory();
    const db = await openDatabase({
      url,
      dataDir,
      onFatal: fail,
      onWarning: () => undefined,
    });
    api.db = db;
    const options: AppOptions = {
      config: {
        listen: { host: "127.0.0.1", port: 0 },
        publicUrl: undefined,
        trustedProxies: [],
        allowedHosts: [],
        accessLog: false,
      },
      db,
      actorForToken: (secret) => Promise.resolve(tokens.get(secret)),
      now: () => now ?? Date.now(),
      refusalWindowMs: 1000,
      // Faults of the server show up beside the test that met them.
      logger: pino({ level: "error" }),
    };
    app = buildApp(options);
    await app.ready();
  });
  afterAll(async () => {
    await app?.close();
    try {
      await expectNoSecretInRecords(api.db);
    } finally {
      await api.db.close();
    }
  });

  async function send(options: InjectOptions): Promise<Answer> {
    if (app === undefined) throw new Error("the application is not open yet");
    const response = await app.inject({
      ...options,
      headers: { host: "localhost", ...options.headers },
    });
    const answer = { status: response.statusCode, text: response.payload, headers: response.headers };
    expect(answer.status, response.payload).toBeLessThan(500);
    noteSecretsOf(options.url, options.payload, answer);
    const isJson = /[/+]json/.test(String(response.headers["content-type"]));
    return { ...answer, body: isJson && response.payload !== "" ? response.json() : undefined };
  }

  function request(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE") {
    return (path: string, data?: unknown, token = ROOT) =>
      send({
        method,
        url: `/api/v2${path}`,
        headers: { authorization: `Bearer ${token}`, ...(method === "GET" ? {} : { "content-type": MEDIA_TYPE }) },
        ...(data === undefined ? {} : { payload: JSON.stringify(data) }),
      });
  }

  return Object.assign(api, {
    send,
    get: (path: string, token?: string) => request("GET")(path, undefined, token),
    post: request("POST"),
    put: request("PUT"),
    patch: request("PATCH"),
    delete: request("DELETE"),
    tokenWith: (...rules: Rule[]) => api.tokenIn(DEFAULT_SCOPE.namespace, ...rules),
    tokenIn(namespace: string, ...rules: Rule[]) {
      const secret = `token-${tokens.size}`;
      tokens.set(secret, { ...actor(secret, compileRights(rules)), scope: { ...DEFAULT_SCOPE, namespace } });
      return secret;
    },
    setRights(secret: string, ...rules: Rule[]) {
      if (rules.length === 0) tokens.delete(secret);
      else tokens.set(secret, actor(secret, compileRights(rules)));
    },
    actorOf: (accessorId: string) =>
      Promise.resolve([...tokens.values()].find((token) => token.accessorId === accessorId)),
    expectSameStatements: (one: () => Promise<Answer>, other: () => Promise<Answer>) =>
      expectSameStatements(api.db, one, other),
    async organization() {
      const name = `org-${names++}`;
      const attributes = { name, email: `${name}@example.com` };
      expect(await api.post("/organizations", { data: { type: "organizations", attributes } })).toMatchObject({
        status: 201,
      });
      return name;
    },
    async workspace(organization: string, name: string, tags: string[] = []) {
      const data = {
        type: "workspaces",
        attributes: { name },
        relationships: { tags: { data: tags.map((tag) => ({ type: "tags", attributes: { name: tag } })) } },
      };
      const answer = await api.post(`/organizations/${organization}/workspaces`, { data });
      expect(answer, answer.text).toMatchObject({ status: 201 });
      return String(answer.body.data.id);
    },
  });
}

function actor(accessorId: string, rights: Actor["rights"]): Actor {
  return {
    accessorId,
    anonymous: false,
    rights,
    rightsKey: accessorId,
    scope: DEFAULT_SCOPE,
    expiresAt: undefined,
    login: undefined,
    restsOn: [],
  };
}

/** `data` of a request that names tags by name. */
export function tagNames(...names: string[]) {
  return { data: names.map((name) => ({ type: "tags", attributes: { name } })) };
}

/** `data` of a request that gives keys, with values or without. */
export function bindings(...pairs: [key: string, value?: string][]) {
  return { data: pairs.map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } })) };
}

/** `data` of a request that names objects by id. */
export function ids(type: "tags" | "workspaces", list: readonly string[]) {
  return { data: list.map((id) => ({ type, id })) };
}
