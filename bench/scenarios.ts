/** The everyday scenarios: an organization of 2,000 tags and 1,000 workspaces. */
import type { RequestSource, WireRequest } from "./load-types.ts";
import type { Scenario } from "./scenario.ts";
import {
  addWorkspaces,
  createOrganization,
  createTags,
  createWorkspaces,
  inParallel,
  numbered,
  slices,
  tagsBody,
  workspacesBody,
  type Target,
} from "./seed.ts";

const connections = 32;
const organization = "bench";
/** Tags that lose their place in the pool while they are in use; kept apart so that the list stays at 2,000. */
const otherOrganization = "bench-bulk";
const bulkRuns = 60;

interface World {
  readonly tags: string[];
  readonly workspaces: string[];
  readonly otherWorkspaces: string[];
  readonly tagsToFill: string[];
  readonly tagsToDelete: string[];
}

/** Fills the server and returns the scenarios, in the order in which they must run. */
export async function prepareScenarios(target: Target): Promise<Scenario[]> {
  return describeScenarios(await seed(target));
}

async function seed(target: Target): Promise<World> {
  await createOrganization(target, organization);
  await createOrganization(target, otherOrganization);
  const tags = await createTags(target, organization, tagNames(2000));
  const workspaces = await createWorkspaces(target, organization, numbered("workspace", 1000));
  const otherWorkspaces = await createWorkspaces(target, otherOrganization, numbered("workspace", 500));
  const tagsToFill = await createTags(target, otherOrganization, numbered("fill", bulkRuns));
  const tagsToDelete = await createTags(target, otherOrganization, numbered("doomed", 20 * bulkRuns));
  // The first tag is the one that 1,000 workspaces carry.
  await addWorkspaces(target, tags[0] ?? "", workspaces);
  // Each of these on ten workspaces, of which none may carry more than 1,000.
  const used = tagsToDelete.map((tag, index) => ({ tag, first: (10 * index) % otherWorkspaces.length }));
  await inParallel(used, 4, ({ tag, first }) => addWorkspaces(target, tag, otherWorkspaces.slice(first, first + 10)));
  return { tags, workspaces, otherWorkspaces, tagsToFill, tagsToDelete };
}

/** Names as teams choose them; every hundredth holds the word that the search looks for. */
function tagNames(count: number): string[] {
  const words = ["network", "storage", "team", "region", "stage"];
  return Array.from({ length: count }, (_, index) => {
    const word = index % 100 === 0 ? "payroll" : (words[index % words.length] ?? "");
    return `${word}-${String(index).padStart(4, "0")}`;
  });
}

function describeScenarios(world: World): Scenario[] {
  const tag = world.tags[0] ?? "";
  const tagList = `/api/v2/organizations/${organization}/tags`;
  const carriers = `/api/v2/organizations/${organization}/workspaces?search%5Btags%5D=payroll-0000`;
  return [
    get("read a workspace by id", cycle(world.workspaces.map((id) => read(`/api/v2/workspaces/${id}`)))),
    get("read a tag by id", cycle(world.tags.map((id) => read(`/api/v2/tags/${id}`)))),
    ...["unchanged", "the first after a change"].flatMap((when) => {
      const isCold = when !== "unchanged";
      const of = (path: string) => (isCold ? inManyWords(path) : cycle([read(path)]));
      return [
        get(`list 20 of 2,000 tags, ${when}`, of(tagList), isCold ? 0.2 : 0.4),
        get(`search q, 2,000 tags, ${when}`, of(`${tagList}?q=payroll`), isCold ? 0.1 : 0.4),
        get(`workspaces that carry a tag, 20 of 1,000, ${when}`, of(carriers), isCold ? 0.083 : 0.4),
        get(
          `the same from the tag's side, ${when}`,
          of(`/api/v2/tags/${tag}/relationships/workspaces`),
          isCold ? 0.083 : 0.4,
        ),
      ];
    }),
    get("attach one tag to a random workspace", attachments(world), 0.3),
    bulk("add 500 workspaces to a tag", 10, fillings(world)),
    bulk("delete 20 tags in use", 2, deletions(world)),
  ];
}

function attachments(world: World): RequestSource {
  const body = JSON.stringify(tagsBody(["{b}"]));
  const request = { method: "POST", path: "/api/v2/workspaces/{a}/relationships/tags", body };
  // The first tag is on every workspace already.
  return { kind: "pairs", request, a: world.workspaces, b: world.tags.slice(1), start: 0 };
}

function fillings(world: World): WireRequest[] {
  const body = JSON.stringify(workspacesBody(world.otherWorkspaces));
  return world.tagsToFill.map((id) => ({ method: "POST", path: `/api/v2/tags/${id}/relationships/workspaces`, body }));
}

function deletions(world: World): WireRequest[] {
  const path = `/api/v2/organizations/${otherOrganization}/tags`;
  return slices(world.tagsToDelete, 20).map((ids) => ({
    method: "DELETE",
    path,
    body: JSON.stringify(tagsBody(ids)),
  }));
}

function read(path: string): WireRequest {
  return { method: "GET", path };
}

function cycle(requests: readonly WireRequest[]): RequestSource {
  return { kind: "cycle", requests };
}

/** More ways to ask for the same than answers are kept: each is made anew, as the first one after a change is. */
function inManyWords(path: string): RequestSource {
  const begun = `${path}${path.includes("?") ? "&" : "?"}`;
  const more = Array.from({ length: 20_000 }, (_, index) => {
    const [low, high] = [index % 150, Math.floor(index / 150)];
    return `${"&".repeat(low)}page%5Bnumber%5D=1${"&".repeat(high + 1)}page%5Bsize%5D=20`;
  });
  return cycle(more.map((end) => read(begun + end)));
}

function get(name: string, source: RequestSource, share?: number): Scenario {
  const goals = share === undefined ? [] : [{ metric: "share" as const, atLeast: share }];
  return { name, goals, streams: [{ name, connections, source }] };
}

/** Requests that each can be sent only once, one after the other; their median has to stay below the goal. */
function bulk(name: string, milliseconds: number, requests: readonly WireRequest[]): Scenario {
  const stream = { name, connections: 1, source: { kind: "once" as const, requests } };
  return { name, goals: [{ metric: "p50", atMost: milliseconds }], streams: [stream] };
}
