import { setTimeout as sleep } from "node:timers/promises";
import { readPostgres } from "../faults/stored-state.ts";
import { withClient } from "../support/postgres-schema.ts";
import { bodyOf, doneAnswer, type Caller } from "./caller.ts";
import type { FinalState, Stored } from "./history.ts";
import type { Answer } from "./http-client.ts";
import { ROLES_PATH } from "./role-actions.ts";
import type { Stage } from "./stage.ts";
import { tagsIn, tagsPath } from "./tag-actions.ts";
import { ENDED } from "./value-actions.ts";

/** Nothing may have been written for so long. */
const STILL_MS = 500;
const UNTIL_MS = 20_000;
const LOOK_MS = 100;
/** How often a node is asked that does not answer: its connections may just have been cut. */
const ATTEMPTS = 100;

/** Tables whose rows have an index of their partition's counter. */
const INDEXED = ["policies", "roles", "tokens", "auth_methods", "binding_rules"];
const NAMED = ["policies", "roles", "auth_methods"];

/** Each finds what must not be, as `stored-state.ts` does for tags. */
const CHECKS: readonly (readonly [what: string, sql: string])[] = [
  ...INDEXED.flatMap((table): [string, string][] => [
    [
      `${table} newer than their partition's counter`,
      `select t.partition || ' ' || t.modify_index as name from ${table} t where t.modify_index >
         coalesce((select c.value from counters c where c.name = 'partition/' || t.partition), 0)`,
    ],
    [
      `${table} newer than the index of their table`,
      `select t.partition || ' ' || t.modify_index as name from ${table} t where t.modify_index >
         coalesce((select i.value from table_indexes i
           where i.name = t.partition || '/' || t.namespace || '/${table.replaceAll("_", "-")}'), 0)`,
    ],
  ]),
  ...NAMED.map((table): [string, string] => [
    `${table} of one name`,
    `select min(name) as name from ${table} group by partition, namespace, name_key having count(*) > 1`,
  ]),
  [
    "an index of a table above the counter",
    `select i.name from table_indexes i where i.value >
       coalesce((select c.value from counters c where c.name = 'partition/' || split_part(i.name, '/', 1)), 0)`,
  ],
  ["tags of one name", "select min(name) as name from tags group by organization_id, name having count(*) > 1"],
  [
    "a tag of no organization",
    "select t.name from tags t where not exists (select 1 from organizations o where o.id = t.organization_id)",
  ],
  [
    "a workspace of no project",
    "select w.name from workspaces w where not exists (select 1 from projects p where p.id = w.project_id)",
  ],
  [
    "a link of no workspace",
    `select l.tag_id as name from workspace_tags l
       where not exists (select 1 from workspaces w where w.id = l.workspace_id)`,
  ],
];

/** Waits until nothing is written any more: requests that nobody waits for may still be under way. */
export async function untilStill(url: string): Promise<void> {
  const deadline = performance.now() + UNTIL_MS;
  await withClient(url, async (client) => {
    const look = async (): Promise<string> =>
      JSON.stringify([
        (await client.query("select name, value from counters order by name")).rows,
        (await client.query("select id from purges order by id")).rows,
      ]);
    let last = await look();
    for (let since = performance.now(); performance.now() - since < STILL_MS; await sleep(LOOK_MS)) {
      const now = await look();
      if (now !== last) [last, since] = [now, performance.now()];
      if (performance.now() > deadline) throw new Error(`still written to after ${UNTIL_MS} ms`);
    }
  });
}

/**
 * Reads what every node shows, and recounts what the database holds.
 *
 * @param url of the present primary
 * @param contradictions that were found before
 */
export async function readFinalState(
  caller: Caller,
  nodes: number,
  stage: Stage,
  url: string,
  contradictions: readonly string[],
): Promise<FinalState> {
  const shown = await readShown(caller, nodes, stage);
  const recounted = [...(await readPostgres(url)).faults, ...(await recount(url))];
  return { ...shown, contradictions: [...contradictions, ...recounted] };
}

/** Waits until every job has ended that was taken on. @returns those that have not, after long enough */
export async function unendedJobs(caller: Caller, { values }: Stage): Promise<string[]> {
  const deadline = performance.now() + UNTIL_MS;
  for (;;) {
    const answer = await read(caller, 0, `/api/v2/organizations/${values.organization}/tag-jobs?page%5Bsize%5D=100`);
    const jobs = bodyOf<{ data: { id: string; attributes: { status: string } }[] }>(answer).data;
    const left = jobs.filter(({ attributes }) => !ENDED.has(attributes.status));
    if (left.length === 0) return [];
    if (performance.now() > deadline)
      return left.map(({ id, attributes }) => `the job ${id} is ${attributes.status} in the end`);
    await sleep(LOOK_MS);
  }
}

/** Reads the final state from every node. */
export async function readShown(
  caller: Caller,
  nodes: number,
  stage: Stage,
): Promise<Pick<FinalState, "nodes" | "registers">> {
  const numbers = Array.from({ length: nodes }, (_, node) => node);
  const shown: FinalState["nodes"][number][] = [];
  const registers: FinalState["registers"][number][] = [];
  for (const node of numbers) {
    const roles = await read(caller, node, ROLES_PATH);
    const tags = await read(caller, node, tagsPath(stage.organization));
    shown.push({ pools: { roles: rolesOf(roles), tags: tagsOf(tags) }, indexes: { roles: roles.index ?? 0 } });
    registers.push(await readRegisters(caller, node, stage));
  }
  return { nodes: shown, registers };
}

function rolesOf(answer: Answer): Stored[] {
  const roles = bodyOf<{ ID: string; Name: string; ModifyIndex: number }[]>(answer);
  return roles.map(({ ID: id, Name: name, ModifyIndex: version }) => ({ name, id, version }));
}

function tagsOf(answer: Answer): Stored[] {
  return tagsIn(answer).map(({ id, attributes }) => ({ name: attributes.name, id, version: 0 }));
}

async function readRegisters(caller: Caller, node: number, { registers }: Stage) {
  const found: Record<string, { value: string; version: number }> = {};
  for (const { name, id } of registers) {
    const answer = await read(caller, node, `/v1/acl/policy/${id}`);
    const { Description: value, ModifyIndex: version } = bodyOf<{ Description: string; ModifyIndex: number }>(answer);
    found[name] = { value, version };
  }
  return found;
}

async function read(caller: Caller, node: number, path: string): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const reply = await caller.ask({ method: "GET", path, node });
    const answer = doneAnswer(reply);
    if (answer !== undefined) return answer;
    if (attempt === ATTEMPTS) throw new Error(`node ${node} does not answer ${path}: ${JSON.stringify(reply)}`);
    await sleep(LOOK_MS);
  }
}

async function recount(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const found: string[] = [];
    for (const [what, sql] of CHECKS) {
      const { rows } = await client.query<{ name: string }>(sql);
      const some = rows.slice(0, 5).map(({ name }) => name);
      if (some.length > 0) found.push(`${what}: ${some.join(", ")}`);
    }
    return found;
  });
}
