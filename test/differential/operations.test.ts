/** Both engines answer every operation alike, whoever asks, of what is there and of what is not. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ATTACKERS, makeAttackers, makeVictim } from "../wall/attackers.ts";
import { attacksOn, type Attack, type Prey } from "../wall/requests.ts";
import { NOBODY } from "../support/v1.ts";
import { NOT_ASKED, ONE_ENGINES_OWN } from "./exceptions.ts";
import { usePair, type Asked } from "./pair.ts";

const pair = usePair();
let attacks: Attack[];

beforeAll(async () => {
  const made: Record<string, Prey>[] = [];
  for (const side of pair.sides) {
    await makeAttackers(side);
    made.push(await makeVictim(side));
  }
  const [left = {}, right = {}] = made;
  for (const [place, prey] of Object.entries(left)) {
    for (const [kind, id] of Object.entries(prey)) pair.names.link(id, right[place]?.[kind as keyof Prey] ?? "");
  }
  const { first, last } = attacksOn(left);
  attacks = [...first, ...last].filter(
    ({ route }) => !route.endsWith("/events") && !ONE_ENGINES_OWN.some(([own]) => own === route),
  );
});

async function differencesOf(all: readonly Asked[]): Promise<string[]> {
  const found: string[] = [];
  for (const asked of all) {
    const { difference } = await pair.ask(asked);
    if (difference !== undefined) found.push(difference);
  }
  return found;
}

/** Also by another method than DELETE. */
const deletes = ({ method, route }: Attack): boolean => method === "DELETE" || route.endsWith("/safe-delete");
const writes = (): Attack[] => attacks.filter((attack) => attack.method !== "GET" && !deletes(attack));
const reads = (): Attack[] => attacks.filter(({ method }) => method === "GET");
/** Objects inside another one go before it. */
const deletions = (): Attack[] =>
  attacks
    .filter((attack) => deletes(attack) && !attack.route.includes("/v1/partition"))
    .toSorted((one, other) => other.url.split("/").length - one.url.split("/").length);

test.each(Object.entries(ATTACKERS))("as %s", async (_who, token) => {
  expect(await differencesOf([...reads(), ...writes()].map((attack) => ({ ...attack, token })))).toEqual([]);
});

test("by a token that is none", async () => {
  expect(await differencesOf(attacks.map((attack) => ({ ...attack, token: NOBODY })))).toEqual([]);
});

test("with bodies that are none, of no known form, and of wrong types", async () => {
  const bodies = ["{", "[]", '{"data":{"type":"strange","attributes":{"name":1}},"Name":1}', "", "null"];
  const all = writes().flatMap((attack) => bodies.map((body) => ({ ...attack, body })));
  expect(await differencesOf(all)).toEqual([]);
});

test("of what is not there", async () => {
  const strange = (url: string) =>
    url
      .replaceAll(/-[1-9A-HJ-NP-Za-km-z]{16}\b/g, "-1111111111111111")
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, NOBODY)
      .replaceAll("/victim", "/nobody");
  expect(await differencesOf(attacks.map((attack) => ({ ...attack, url: strange(attack.url) })))).toEqual([]);
});

test("with an index that is not that of the object", async () => {
  const all = attacks.filter(({ method, route }) => method !== "GET" && route.includes(" /v1/"));
  const wrong = all.map((attack) => ({ ...attack, url: `${attack.url}${attack.url.includes("?") ? "&" : "?"}cas=1` }));
  expect(await differencesOf(wrong)).toEqual([]);
});

test("with parameters that are no values of theirs", async () => {
  const wrong = ["ns=a%20b", "cas=strange", "page%5Bsize%5D=0", "page-size=0"];
  const all = attacks.flatMap((attack) =>
    wrong.map((each) => ({ ...attack, url: `${attack.url}${attack.url.includes("?") ? "&" : "?"}${each}` })),
  );
  const noWrite = all.filter(
    ({ method, url }) => method === "GET" || (url.includes("/v1/") && /cas=|ns=a%20b/.test(url)),
  );
  expect(await differencesOf(noWrite)).toEqual([]);
});

test("by who may do everything", async () => {
  expect(await differencesOf([...reads(), ...writes(), ...writes(), ...reads(), ...deletions(), ...reads()])).toEqual(
    [],
  );
});

test("in the life of an organization", async () => {
  const organization = await create({ type: "organizations", attributes: { name: "Life", email: "life@example.com" } });
  const tags = { data: ["zeta", "alpha:1", "beta_2"].map((name) => ({ type: "tags", attributes: { name } })) };
  const workspace = await create(
    { type: "workspaces", attributes: { name: "Work" }, relationships: { tags } },
    `/${organization.name}/workspaces`,
  );
  const ofWorkspace = `/api/v2/workspaces/${workspace.id}`;
  const all: Asked[] = [
    { method: "GET", url: `/api/v2/organizations/${organization.name}/tags?sort=strange` },
    { method: "GET", url: `/api/v2/organizations/${organization.name}/tags?filter[strange]=1` },
    { method: "DELETE", url: `/api/v2/organizations/${organization.name}/tags`, body: { data: [] } },
    { method: "DELETE", url: `${ofWorkspace}/relationships/tags`, body: { data: tags.data.slice(0, 1) } },
    { method: "DELETE", url: ofWorkspace },
    { method: "GET", url: ofWorkspace },
  ];
  expect(await differencesOf(all)).toEqual([]);
});

/** Makes something on both engines. */
async function create(data: object, path = ""): Promise<{ id: string; name: string }> {
  const { answer, difference } = await pair.ask({
    method: "POST",
    url: `/api/v2/organizations${path}`,
    body: { data },
  });
  expect(difference).toBeUndefined();
  expect(answer.status, answer.text).toBe(201);
  return { id: answer.body.data.id, name: answer.body.data.attributes.name };
}

test("every status of an operation that the suite has seen was asked here, on both engines", () => {
  const seen = JSON.parse(readFileSync(join(import.meta.dirname, "seen.json"), "utf8")) as string[];
  const excepted = new Set(NOT_ASKED.flatMap(([, pairs]) => pairs));
  expect(seen.filter((each) => !pair.asked.has(each) && !excepted.has(each))).toEqual([]);
});
