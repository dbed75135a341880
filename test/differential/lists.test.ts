/** Both engines answer each list alike with each parameter and with pairs of them, of names of mixed case and scripts. */
import { beforeAll, expect, test } from "vitest";
import { readOperations } from "../support/openapi-document.ts";
import { randomOfRun } from "../support/seeded.ts";
import { ONE_ENGINES_OWN } from "./exceptions.ts";
import { makeWorld, ORGANIZATION, type World } from "./lists-world.ts";
import { samplesOf } from "./lists-samples.ts";
import { usePair } from "./pair.ts";

/** Number of pairs of parameters to ask of each list; the seed of the run draws the pairs. */
const PAIRS = 40;
/** Their lists are in the order of ids, which each server draws: a page of them holds other objects on each. */
const WITHOUT_PAGES: readonly string[] = ["/v1/acl/tokens", "/v1/acl/binding-rules"];
const OF_PAGES: readonly string[] = ["page-size", "after", "limit"];
/** Streams have no end; probes tell of the process. */
const NO_LISTS = /\/(events|readyz)$/;

const isOneEnginesOwn = (path: string): boolean => ONE_ENGINES_OWN.some(([route]) => route === `GET ${path}`);

const pair = usePair();
let world: World;
let lists: { path: string; parameters: string[] }[];

beforeAll(async () => {
  world = await makeWorld(pair);
  lists = readOperations(pair.document)
    .filter(({ method, path }) => method === "get" && !NO_LISTS.test(path) && !isOneEnginesOwn(path))
    .map(({ path, operation }) => ({
      path,
      parameters: (operation.parameters ?? [])
        .filter(
          ({ name, in: place }) => place === "query" && !(WITHOUT_PAGES.includes(path) && OF_PAGES.includes(name)),
        )
        .map(({ name }) => name),
    }))
    .filter(({ parameters }) => parameters.length > 0);
});

async function differencesOf(queries: readonly { path: string; query: readonly (readonly [string, string])[] }[]) {
  const found: string[] = [];
  let answered = 0;
  for (const { path, query } of queries) {
    const { answer, difference } = await pair.ask({ method: "GET", url: world.urlOf(path, query) });
    if (difference !== undefined) found.push(difference);
    if (answer.status === 200) answered += 1;
  }
  return { found, answered };
}

test("every parameter of a list has values here", () => {
  const without = lists.flatMap(({ path, parameters }) =>
    parameters.filter((name) => samplesOf(name, world).length === 0).map((name) => `${path}?${name}`),
  );
  expect(without).toEqual([]);
});

test("each list with each value of each parameter", async () => {
  const all = lists.flatMap(({ path, parameters }) => [
    { path, query: [] },
    ...parameters.flatMap((name) => samplesOf(name, world).map((value) => ({ path, query: [[name, value] as const] }))),
  ]);
  const { found, answered } = await differencesOf(all);
  expect(found).toEqual([]);
  // Most values are such as a list knows: else nothing would be compared but refusals.
  expect(answered).toBeGreaterThan(all.length / 2);
});

test("each list with pairs of parameters", async () => {
  const draw = randomOfRun();
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(draw() * values.length)] as Value;
  const all = lists.flatMap(({ path, parameters }) => {
    const pairs = parameters.flatMap((one, at) => parameters.slice(at + 1).map((other) => [one, other] as const));
    const drawn = pairs.map((each) => [draw(), each] as const).toSorted(([one], [other]) => one - other);
    return drawn.slice(0, PAIRS).map(([, names]) => ({
      path,
      query: names.map((name) => [name, pick(samplesOf(name, world))] as const),
    }));
  });
  const { found } = await differencesOf(all);
  expect(found).toEqual([]);
});

test("pages of one and two rows, walked to their end", async () => {
  const found: string[] = [];
  for (const [path, size] of [
    [`/api/v2/organizations/${ORGANIZATION}/tags`, 1],
    [`/api/v2/organizations/${ORGANIZATION}/workspaces`, 2],
    [`/api/v2/organizations/${ORGANIZATION}/projects`, 1],
    [`/api/v2/organizations/${ORGANIZATION}/tag-bindings`, 2],
  ] as const) {
    for (let page = 1; page < 40; page += 1) {
      const url = `${path}?page%5Bsize%5D=${size}&page%5Bnumber%5D=${page}`;
      const { answer, difference } = await pair.ask({ method: "GET", url });
      if (difference !== undefined) found.push(difference);
      if ((answer.body.data as unknown[]).length === 0) break;
    }
  }
  expect(found).toEqual([]);
});
