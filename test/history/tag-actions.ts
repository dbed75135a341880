import { bodyOf, doneAnswer, type Action, type Caller } from "./caller.ts";
import type { Answer } from "./http-client.ts";
import type { Contents, Operation } from "./history.ts";
import type { Random } from "./random.ts";
import type { Stage } from "./stage.ts";

interface StoredTag {
  readonly id: string;
  readonly attributes: { readonly name: string };
}

/** Few enough for one page: pages of a list are read one by one and make no snapshot. */
const NAMES = Array.from({ length: 60 }, (_, number) => `tag-${String(number).padStart(2, "0")}`);

/** The whole pool of an organization, in one page. */
export function tagsPath(organization: string): string {
  return `/api/v2/organizations/${organization}/tags?page%5Bsize%5D=100`;
}

/** The tags of an answer. */
export function tagsIn(answer: Answer): readonly StoredTag[] {
  return bodyOf<{ data: StoredTag[] }>(answer).data;
}

/** Creates and deletes tags in bulk, links them to workspaces, and lists the pool. */
export function tagActions(caller: Caller, { organization, workspaces }: Stage): readonly Action[] {
  const { random } = caller;
  const pool = `/api/v2/organizations/${organization}/tags`;
  /** As the last answer showed them. */
  let known: readonly StoredTag[] = [];

  async function create(): Promise<void> {
    const names = pickSome(random, NAMES, random.between(3, 10));
    const operation: Operation = { kind: "create", pool: "tags", names };
    const body = { data: names.map((name) => ({ type: "tags", attributes: { name } })) };
    await caller.perform(operation, { method: "POST", path: pool, body }, (answer) => ({
      ...operation,
      ids: tagsIn(answer).map(({ id }) => id),
    }));
  }

  async function remove(): Promise<void> {
    if (known.length === 0) return list();
    const chosen = pickSome(random, known, random.between(1, 5));
    known = known.filter((tag) => !chosen.includes(tag));
    const ids = chosen.map(({ id }) => id);
    const operation: Operation = { kind: "delete", pool: "tags", names: chosen.map(nameOf), ids };
    await caller.perform(operation, { method: "DELETE", path: pool, body: references(ids) });
  }

  async function list(): Promise<void> {
    const operation: Operation = { kind: "list", pool: "tags" };
    const asked = { method: "GET", path: tagsPath(organization) } as const;
    const reply = await caller.perform(operation, asked, (answer) => ({ ...operation, found: contentsOf(answer) }));
    const answer = doneAnswer(reply);
    if (answer !== undefined) known = tagsIn(answer);
  }

  /**
   * Adds tags to a workspace or removes them. The server counts this on the tag; the recount at the end checks the
   * count.
   */
  async function link(method: "POST" | "DELETE"): Promise<void> {
    if (known.length === 0) return list();
    const ids = pickSome(random, known, random.between(1, 4)).map(({ id }) => id);
    const path = `/api/v2/workspaces/${random.pick(workspaces)}/relationships/tags`;
    await caller.ask({ method, path, body: references(ids) });
  }

  return [
    { weight: 4, run: create },
    { weight: 4, run: remove },
    { weight: 4, run: list },
    { weight: 3, run: () => link("POST") },
    { weight: 2, run: () => link("DELETE") },
  ];
}

function references(ids: readonly string[]): unknown {
  return { data: ids.map((id) => ({ type: "tags", id })) };
}

function nameOf(tag: StoredTag): string {
  return tag.attributes.name;
}

function contentsOf(answer: Answer): Contents {
  return Object.fromEntries(tagsIn(answer).map((tag) => [nameOf(tag), 0]));
}

/** Up to `count` different entries. */
function pickSome<T>(random: Random, list: readonly T[], count: number): T[] {
  const chosen = new Set<T>();
  for (let turn = 0; turn < count; turn++) chosen.add(random.pick(list));
  return [...chosen];
}
