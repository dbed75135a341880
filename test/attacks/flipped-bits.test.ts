/** Bits of the closed database file are flipped, wherever they lie: what the server then decides is what it decided before, or nothing. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { randomOfRun } from "../support/seeded.ts";
import { bootstrapTokens } from "../../src/acl/tokens/bootstrap.ts";
import { buildApp } from "../../src/app.ts";
import { closeGracefully } from "../../src/http/lifecycle.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { temporaryDirectory } from "../support/engines.ts";

const MANAGEMENT = "0f6a3c1e-8d2b-4b7a-9c55-1e2d3f4a5b6c";
const TRIALS = 12;
const MOST_TRIALS = 200;
const FLIPS = 8;
/** The first page holds the schema: a start that cannot read it is refused. */
const PAGE = 4096;

interface Question {
  secret: string;
  key: string;
  access: string;
}

interface Running {
  put(path: string, body: object, token?: string): Promise<{ status: number; text: string; body: never }>;
  allows(question: Question): Promise<boolean | number>;
  close(): Promise<void>;
}

/** @throws what a start ends with on a file that is damaged */
async function start(dataDir: string): Promise<Running> {
  const url = `sqlite:${join(dataDir, "tessera.db")}`;
  const ignore = () => undefined;
  const db = await openDatabase({ url, dataDir, onFatal: ignore, onWarning: ignore });
  const config = {
    listen: { host: "127.0.0.1", port: 0 },
    publicUrl: undefined,
    trustedProxies: [],
    allowedHosts: [],
    accessLog: false,
  };
  const app = buildApp({ config, db });
  const close = async () => {
    await closeGracefully(app);
    await db.close();
  };
  try {
    const first = { dataDir, mode: "auto", initialManagementToken: MANAGEMENT } as const;
    await bootstrapTokens(db, first, new Date().toISOString());
    await app.ready();
  } catch (error) {
    await close();
    throw error;
  }
  const request = async (method: "PUT" | "POST", path: string, body: object, token: string) => {
    const headers = { host: "localhost", "x-service-token": token };
    const answer = await app.inject({ method, url: `/v1${path}`, headers, payload: JSON.stringify(body) });
    const isJson = String(answer.headers["content-type"]).includes("json");
    return { status: answer.statusCode, text: answer.payload, body: (isJson ? answer.json() : undefined) as never };
  };
  return {
    close,
    put: (path, body, token = MANAGEMENT) => request("PUT", path, body, token),
    async allows({ secret, key, access }) {
      const asked = [{ Resource: "key", Segment: key, Access: access }];
      const { status, body } = await request("POST", "/internal/acl/authorize", asked, secret);
      return status === 200 ? (body as { Allow: boolean }[])[0]?.Allow === true : status;
    },
  };
}

/** Tokens with policies that allow and that deny, directly, by a role and by a namespace's defaults. */
async function fill(dataDir: string): Promise<Question[]> {
  const server = await start(dataDir);
  const questions: Question[] = [];
  const made = async (path: string, body: object) => {
    const answer = await server.put(path, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { ID: string; SecretID: string };
  };
  for (let n = 0; n < 12; n++) {
    const allow = await made("/acl/policy", { Name: `allow-${n}`, Rules: `key_prefix "" { policy = "write" }` });
    const deny = await made("/acl/policy", { Name: `deny-${n}`, Rules: `key "secret" { policy = "deny" }` });
    const role = await made("/acl/role", { Name: `role-${n}`, Policies: [{ ID: deny.ID }] });
    const grants = n % 2 === 0 ? { Roles: [{ ID: role.ID }] } : { Policies: [{ ID: deny.ID }] };
    const { Policies = [] } = grants as { Policies?: object[] };
    const { SecretID } = await made("/acl/token", { ...grants, Policies: [{ ID: allow.ID }, ...Policies] });
    for (const [key, access] of [
      ["secret", "read"],
      ["open", "write"],
    ] as const) {
      questions.push({ secret: SecretID, key, access });
    }
  }
  await server.close();
  return questions;
}

test("incident 53: eight flipped bits never make another right: the same answer, an error, or no start", async () => {
  const dataDir = temporaryDirectory();
  const path = join(dataDir, "tessera.db");
  const questions = await fill(dataDir);
  const whole = readFileSync(path);
  const random = randomOfRun();
  const next = (below: number) => Math.floor(random() * below);
  const met = { same: 0, refused: 0, notStarted: 0 };
  // Most bits are of nothing that is asked about: it goes on until some were.
  for (let trial = 0; trial < TRIALS || (met.refused === 0 && trial < MOST_TRIALS); trial++) {
    const copy = Buffer.from(whole);
    for (let flip = 0; flip < FLIPS; flip++) {
      const at = PAGE + next(copy.length - PAGE);
      copy[at] = (copy[at] ?? 0) ^ (1 << next(8));
    }
    writeFileSync(path, copy);
    const server = await start(dataDir).catch(() => undefined);
    if (server === undefined) {
      met.notStarted += 1;
      continue;
    }
    for (const question of questions) {
      const answer = await server.allows(question);
      const right = question.key === "open";
      expect(answer, `trial ${trial}: ${JSON.stringify(question)}`).toSatisfy(
        (value) => value === right || value === 503 || value === 403,
      );
      met[answer === right ? "same" : "refused"] += 1;
    }
    await server.close();
  }
  // Both outcomes must occur: the test had something to find.
  expect(met.refused).toBeGreaterThan(0);
  expect(met.same).toBeGreaterThan(0);
});

test("incident 53: a rule that became another by one bit is refused, with the row's name in the log", async () => {
  const dataDir = temporaryDirectory();
  const path = join(dataDir, "tessera.db");
  const [question] = await fill(dataDir);
  const file = readFileSync(path);
  // One bit makes of `"secret"` another key, of which the policy says nothing.
  for (let at = file.indexOf('key "secret"'); at !== -1; at = file.indexOf('key "secret"', at + 1)) {
    file[at + 5] = (file[at + 5] ?? 0) ^ 4;
  }
  writeFileSync(path, file);
  const server = await start(dataDir);
  expect(await server.allows(question as Question)).toBe(503);
  await server.close();
});
