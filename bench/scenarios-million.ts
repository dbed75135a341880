/** An organization of 1,000,000 tags: paging, searching, and deleting many at once, while others go on working. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadStream, RequestSource, WireRequest } from "./load-types.ts";
import type { Goal, Scenario } from "./scenario.ts";
import {
  addWorkspaces,
  createOrganization,
  createTags,
  createWorkspaces,
  inParallel,
  numbered,
  slices,
  tagsBody,
  type Target,
} from "./seed.ts";

const organization = "million";
/** How many times 1,000 tags are deleted, each carried by 1,000 workspaces. */
const bulkDeletes = 2;

interface World {
  readonly tagCount: number;
  /** Without tags: reading one of them is what everybody else does meanwhile. */
  readonly lightWorkspaces: string[];
  readonly doomed: string[];
}

/** Fills the server (a few minutes) and returns the scenarios, in the order in which they must run. */
export async function prepareMillion(
  target: Target,
  tagCount: number,
  log: (text: string) => void,
): Promise<Scenario[]> {
  const world = await seed(target, tagCount, log);
  // Filling leaves a long log behind, whose checkpoint shares the server's core for some seconds.
  await sleep(5000);
  return describeScenarios(world);
}

async function seed(target: Target, tagCount: number, log: (text: string) => void): Promise<World> {
  await createOrganization(target, organization);
  const names = tagNames(tagCount);
  for (const [index, part] of slices(names, 100_000).entries()) {
    await createTags(target, organization, part);
    log(`${index * 100_000 + part.length} tags`);
  }
  const lightWorkspaces = await createWorkspaces(target, organization, numbered("light", 100));
  // Deleted tags are in an organization of their own, so the lists stay unchanged.
  await createOrganization(target, "doomed");
  const workspaces = await createWorkspaces(target, "doomed", numbered("workspace", 1000));
  const doomed = await createTags(target, "doomed", numbered("doomed", 1000 * bulkDeletes));
  await inParallel(doomed, 2, async (tag) => addWorkspaces(target, tag, workspaces));
  log(`${doomed.length * workspaces.length} uses of tags`);
  return { tagCount, lightWorkspaces, doomed };
}

/** Five hold `quokka`; every third holds `network`; every one holds `-`. */
function tagNames(tagCount: number): string[] {
  const words = ["network", "storage", "region"];
  return Array.from({ length: tagCount }, (_, index) => {
    const word = index % Math.floor(tagCount / 5) === 77 ? "quokka" : (words[index % words.length] ?? "");
    return `${word}-${String(index).padStart(7, "0")}`;
  });
}

function describeScenarios(world: World): Scenario[] {
  const list = `/api/v2/organizations/${organization}/tags`;
  const page = (number: number) => `${list}?page%5Bnumber%5D=${number}`;
  const lastPage = Math.ceil(world.tagCount / 20);
  const count = world.tagCount.toLocaleString("en-US");
  const light = lightRequests(world);
  const lightGoal: Goal = { stream: 1, metric: "p99", atMost: 20 };
  const search = (name: string, q: string, milliseconds: number) =>
    alone(name, one(read(`${list}?q=${q}`)), [{ metric: "p99", atMost: milliseconds }, lightGoal], light);
  return [
    crowd(`first page of ${count} tags`, read(list), [{ metric: "perSecond", atLeast: 13_333 }]),
    crowd(`last page of ${count} tags`, read(page(lastPage)), [{ metric: "perSecond", atLeast: 13_333 }]),
    alone(
      "a page in the middle",
      one(read(page(Math.floor(lastPage / 2)))),
      [{ metric: "p99", atMost: 30 }, lightGoal],
      light,
    ),
    search("search q of 6 letters, 5 hits", "quokka", 10),
    search("search q of 7 letters, every third tag", "network", 150),
    search("search q of 2 letters", "ne", 150),
    search("search q of 3 digits", "123", 150),
    search("search q without a hit", "wombat", 150),
    alone(
      "delete 1,000 tags that 1,000 workspaces carry",
      { kind: "once", requests: deletions(world) },
      [{ metric: "max", atMost: 50 }, lightGoal],
      light,
    ),
    // The rows that those deletes left are removed in the background now.
    alone("other requests while the rest is removed", light.source, [{ metric: "p99", atMost: 20 }], undefined, 500),
  ];
}

function deletions(world: World): WireRequest[] {
  return slices(world.doomed, 1000).map((ids) => ({
    method: "DELETE",
    path: "/api/v2/organizations/doomed/tags",
    body: JSON.stringify(tagsBody(ids)),
  }));
}

/** Load of other clients at the same time: 500 point reads a second. */
function lightRequests(world: World): LoadStream {
  const requests = world.lightWorkspaces.map((id) => read(`/api/v2/workspaces/${id}`));
  return { name: "light", connections: 8, rate: 500, source: { kind: "cycle", requests } };
}

function read(path: string): WireRequest {
  return { method: "GET", path };
}

function one(request: WireRequest): RequestSource {
  return { kind: "cycle", requests: [request] };
}

function crowd(name: string, request: WireRequest, goals: readonly Goal[]): Scenario {
  return { name, goals, streams: [{ name, connections: 32, source: one(request) }] };
}

function alone(
  name: string,
  source: RequestSource,
  goals: readonly Goal[],
  beside: LoadStream | undefined,
  rate?: number,
): Scenario {
  const first: LoadStream = {
    name,
    connections: rate === undefined ? 1 : 8,
    ...(rate === undefined ? {} : { rate }),
    source,
  };
  return { name, goals, streams: beside === undefined ? [first] : [first, beside] };
}
