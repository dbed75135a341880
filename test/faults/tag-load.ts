/** Load on the pool of tags: clients that create, link and delete tags in bulk, and keep book of what was answered. */
import { setTimeout as sleep } from "node:timers/promises";
import { connectClient, type Answer, type ApiClient } from "./api-client.ts";

/** One request and what came of it. */
export interface Attempt {
  readonly client: number;
  /** Names that are there afterwards; all of them or none. */
  readonly creates: readonly string[];
  /** Names that are gone afterwards; all of them or none. */
  readonly deletes: readonly string[];
  /** `unknown` until an answer comes, and when it says so; `refused` had no effect. */
  outcome: "unknown" | "done" | "refused";
  /** Names that its answer showed. */
  seen: readonly string[];
  status: number;
  port: number;
  /** Whether the answer told when to try again. */
  retryAfter: boolean;
}

export interface TagLoad {
  readonly attempts: readonly Attempt[];
  /** Answers so far that were 2xx. */
  done(): number;
  /** Every client finishes what it does and makes no further request until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  /** Directs the clients to another address, of the same server after a restart. */
  moveTo(url: string): void;
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly url: string;
  readonly token: string;
  readonly organization: string;
  readonly clients: number;
  /** Begins the names of this load, so that two loads may share an organization. */
  readonly prefix?: string;
  /** Tags that one request creates. */
  readonly batch?: number;
}

const document = (name: string) => ({ type: "tags", attributes: { name } });

/** Number of turns for one workspace: each adds two tags, and no workspace reaches its limit of tags. */
const TURNS_OF_A_WORKSPACE = 50;

/** Makes an organization and, in it, a workspace; returns the workspace's id. */
export async function makeOrganization(url: string, token: string, name: string): Promise<string> {
  const client = connectClient(url, token);
  const attributes = { name, email: "owner@example.com" };
  const made = await client.send("POST", "/api/v2/organizations", { data: { type: "organizations", attributes } });
  if (made.status !== 201) throw new Error(`organization: ${made.status} ${made.text}`);
  const workspace = { data: { type: "workspaces", attributes: { name: "loaded" } } };
  const answer = await client.send("POST", `/api/v2/organizations/${name}/workspaces`, workspace);
  if (answer.status !== 201) throw new Error(`workspace: ${answer.status} ${answer.text}`);
  client.close();
  return (JSON.parse(answer.text) as { data: { id: string } }).data.id;
}

/** Starts the load. Each client waits for an answer before it asks again. */
export function startTagLoad(options: LoadOptions & { readonly workspace: string }): TagLoad {
  const { token, organization, workspace, clients, prefix = "p", batch = 20 } = options;
  const attempts: Attempt[] = [];
  let url = options.url;
  let stopped = false;
  let paused: Promise<void> | undefined;
  let release = () => undefined as void;
  let idle = 0;

  async function attempt(
    client: ApiClient,
    number: number,
    effect: Pick<Attempt, "creates" | "deletes">,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer | undefined> {
    const entry: Attempt = {
      client: number,
      ...effect,
      outcome: "unknown",
      seen: [],
      status: 0,
      port: 0,
      retryAfter: false,
    };
    attempts.push(entry);
    const answer = await client.send(method, path, body).catch(() => undefined);
    if (answer === undefined) return undefined;
    entry.status = answer.status;
    entry.port = answer.port;
    entry.retryAfter = answer.headers["retry-after"] !== undefined;
    if (answer.status >= 200 && answer.status < 300) entry.outcome = "done";
    else if (!/unknown/.test(answer.text)) entry.outcome = "refused";
    if (entry.outcome === "done") entry.seen = namesIn(answer.text, prefix);
    return answer;
  }

  /**
   * A workspace carries only so many tags. It is made on a connection of its own: of the clients' connections each answer
   * is one of an attempt. @returns undefined where none could be made now
   */
  async function anotherWorkspace(at: string, name: string): Promise<string | undefined> {
    const client = connectClient(at, token);
    const data = { type: "workspaces", attributes: { name } };
    const path = `/api/v2/organizations/${organization}/workspaces`;
    const answer = await client.send("POST", path, { data }).catch(() => undefined);
    client.close();
    return answer?.status === 201 ? (JSON.parse(answer.text) as { data: { id: string } }).data.id : undefined;
  }

  async function runClient(number: number): Promise<void> {
    const pool = `/api/v2/organizations/${organization}/tags`;
    let at = url;
    let client = connectClient(at, token);
    let carrier = workspace;
    for (let turn = 0; !stopped; turn++) {
      if (paused !== undefined) {
        idle += 1;
        await paused;
        idle -= 1;
        continue;
      }
      if (at !== url) {
        client.close();
        at = url;
        client = connectClient(at, token);
      }
      const names = Array.from({ length: batch }, (_, i) => `${prefix}-${number}-${turn}-${i}`);
      const made = await attempt(client, number, { creates: names, deletes: [] }, "POST", pool, {
        data: names.map(document),
      });
      // An address where nobody listens fails at once.
      if (made === undefined || made.status === 503) await sleep(20);
      const linked = [`${prefix}-${number}-${turn}-linked`, `${prefix}-${number}-${turn}-born`];
      if (turn % TURNS_OF_A_WORKSPACE === 0)
        carrier = (await anotherWorkspace(at, `${prefix}-${number}-${turn}`)) ?? carrier;
      const links = `/api/v2/workspaces/${carrier}/relationships/tags`;
      await attempt(client, number, { creates: linked, deletes: [] }, "POST", links, { data: linked.map(document) });
      if (made?.status !== 201) continue;
      const tags = (JSON.parse(made.text) as { data: { id: string; attributes: { name: string } }[] }).data.slice(
        0,
        batch / 2,
      );
      const data = tags.map(({ id }) => ({ type: "tags", id }));
      const gone = tags.map((tag) => tag.attributes.name);
      await attempt(client, number, { creates: [], deletes: gone }, "DELETE", pool, { data });
      await attempt(client, number, { creates: [], deletes: [] }, "GET", `${pool}?page%5Bsize%5D=100&q=-${turn}-`);
    }
    client.close();
  }

  const running = Promise.all(Array.from({ length: clients }, (_, i) => runClient(i)));
  return {
    attempts,
    done: () => attempts.filter((entry) => entry.outcome === "done").length,
    async pause() {
      paused ??= new Promise((resolve) => (release = resolve));
      while (idle < clients && !stopped) await sleep(5);
    },
    resume() {
      paused = undefined;
      release();
    },
    moveTo(other) {
      url = other;
    },
    async stop() {
      stopped = true;
      release();
      await running;
    },
  };
}

function namesIn(text: string, prefix: string): string[] {
  return [...text.matchAll(new RegExp(`"name":"(${prefix}-[a-z0-9-]+)"`, "g"))].map((match) => match[1] ?? "");
}

/** Finds contradictions to the attempts: lost, half applied, or applied though refused. Empty if there are none. */
export function findContradictions(attempts: readonly Attempt[], present: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const mayBeGone = new Set<string>();
  for (const { deletes, outcome } of attempts) {
    if (outcome !== "refused") for (const name of deletes) mayBeGone.add(name);
    const there = deletes.filter((name) => present.has(name)).length;
    if (outcome === "done" && there > 0) faults.push(`came back: ${deletes.join(" ")}`);
    if (outcome === "unknown" && there !== 0 && there !== deletes.length)
      faults.push(`half deleted: ${deletes.join(" ")}`);
  }
  for (const { creates, outcome, seen } of attempts) {
    const kept = creates.filter((name) => !mayBeGone.has(name));
    const there = kept.filter((name) => present.has(name)).length;
    if (outcome === "done" && there < kept.length) faults.push(`lost: ${creates.join(" ")}`);
    if (outcome === "refused" && there > 0) faults.push(`refused but there: ${creates.join(" ")}`);
    if (outcome === "unknown" && there !== 0 && there !== kept.length)
      faults.push(`half created: ${creates.join(" ")}`);
    for (const name of seen)
      if (!present.has(name) && !mayBeGone.has(name)) faults.push(`was shown but is lost: ${name}`);
  }
  return faults;
}
