/** Tests that limits on objects hold after a move: the counts were copied, or made again as the objects arrived. */
import { expect, test, vi } from "vitest";
import { engines, type Engine } from "../support/engines.ts";
import { expectCountsTrue } from "../support/counted.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { ask, callerOf } from "../upgrades/caller.ts";
import { query } from "../upgrades/state.ts";
import { emptyPlace, type Place } from "./command.ts";
import { move } from "./moving.ts";

vi.setConfig({ testTimeout: 180_000 });
const ACME = "/api/v2/organizations/acme";

interface Kind {
  option: string;
  path: string;
  method: "PUT" | "POST";
  body: (name: string) => unknown;
  /** Asks the database how many there are, past what it counted. */
  rows: string;
  refused: 403 | 422;
}

const named = (type: string, name: string) => ({ type, attributes: { name } });
const KINDS: readonly Kind[] = [
  {
    option: "max-tokens-per-namespace",
    path: "/v1/acl/token",
    method: "PUT",
    body: (name) => ({ Description: name }),
    rows: "tokens where partition = 'default' and namespace = 'default'",
    refused: 403,
  },
  {
    option: "max-roles-per-namespace",
    path: "/v1/acl/role?ns=team",
    method: "PUT",
    body: (name) => ({ Name: name }),
    rows: "roles where partition = 'default' and namespace = 'team'",
    refused: 403,
  },
  {
    option: "max-namespaces",
    path: "/v1/namespace",
    method: "PUT",
    body: (name) => ({ Name: name }),
    rows: "namespaces where partition = 'default'",
    refused: 403,
  },
  {
    option: "max-workspaces-per-organization",
    path: `${ACME}/workspaces`,
    method: "POST",
    body: (name) => ({ data: named("workspaces", name) }),
    rows: "workspaces",
    refused: 422,
  },
  {
    option: "max-tags-per-organization",
    path: `${ACME}/tags`,
    method: "POST",
    body: (name) => ({ data: [named("tags", name)] }),
    rows: "tags",
    refused: 422,
  },
];
/** How many more of each kind a server may make at a place. */
const ROOM = 2;

/** Some of each kind, of which some are gone again. */
async function fill({ url, token }: RunningServer): Promise<void> {
  const call = callerOf(url);
  await call("PUT", "/v1/namespace", { Name: "team" }, token);
  const organization = { data: { type: "organizations", attributes: { name: "acme", email: "a@example.com" } } };
  await call("POST", "/api/v2/organizations", organization, token);
  for (const { path, method, body } of KINDS)
    for (let at = 0; at < 4; at++) await call(method, path, body(`first-${at}`), token);
  const made = (await call("PUT", "/v1/acl/token", {}, token)) as { AccessorID: string };
  await call("DELETE", `/v1/acl/token/${made.AccessorID}`, undefined, token);
  await call("DELETE", `${ACME}/workspaces/first-0`, undefined, token);
}

async function countRows({ database }: Place, rows: string): Promise<number> {
  const [row] = await query(database, `select count(*) as count from ${rows}`);
  return Number(row?.["count"]);
}

/** Starts a server that has room for a few more of each kind, and makes more than that. */
async function expectLimitsHold(place: Place, token: string, stage: string): Promise<void> {
  await expectCountsTrue((text) => query(place.database, text));
  const limits = await Promise.all(KINDS.map(async ({ rows }) => (await countRows(place, rows)) + ROOM));
  const args = KINDS.flatMap(({ option }, index) => [`--${option}`, String(limits[index])]);
  const server = await startServer({ ...place, args });
  for (const { option, path, method, body, refused } of KINDS) {
    const statuses: number[] = [];
    let last: unknown;
    for (let at = 0; at <= ROOM; at++) {
      const answer = await ask(server.url, method, path, body(`${stage}-${at}`), token);
      statuses.push(answer.status);
      last = answer.body;
    }
    const made = method === "PUT" ? 200 : 201;
    expect([option, statuses]).toEqual([option, [made, made, refused]]);
    expect(JSON.stringify(last)).toContain(`(--${option})`);
  }
  expect(await server.stop()).toBe(0);
  expect(await Promise.all(KINDS.map(({ rows }) => countRows(place, rows)))).toEqual(limits);
}

test.each(engines)("limits hold on what was moved from %s to the other engine, and back", async (engine: Engine) => {
  const source = await emptyPlace(engine);
  const server = await startServer(source);
  const { token } = server;
  await fill(server);
  expect(await server.stop()).toBe(0);
  const other = await emptyPlace(engine === "sqlite" ? "postgres" : "sqlite", source);
  expect(await move(source, other).ended).toMatchObject({ status: 0 });
  await expectLimitsHold(other, token, "there");
  const back = await emptyPlace(engine, source);
  expect(await move(other, back).ended).toMatchObject({ status: 0 });
  await expectLimitsHold(back, token, "back");
});
