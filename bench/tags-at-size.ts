/**
 * `node bench/tags-at-size.ts [sqlite|postgres] [--workspaces N]`: keys and values, jobs and alike names in an organization
 * of 100,000 workspaces and as many tags.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./median.ts";
import type { Fact } from "./report.ts";
import { call, createOrganization, createTags, inParallel, numbered, type Target } from "./seed.ts";
import { bench, log } from "./servers.ts";

const ORGANIZATION = "/api/v2/organizations/acme";
const ROUNDS = 21;

function size(): number {
  const at = process.argv.indexOf("--workspaces");
  return at < 0 ? 100_000 : Number(process.argv[at + 1]);
}

function bindings(...pairs: (readonly [string, string])[]) {
  return { data: pairs.map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } })) };
}

/** Half of the workspaces inherit `env=prod`, half say it themselves: `prod`, or of each tenth one `dev`. */
async function fill(target: Target, count: number): Promise<void> {
  await createOrganization(target, "acme");
  const keyed = {
    type: "projects",
    attributes: { name: "Keyed" },
    relationships: { "tag-bindings": bindings(["env", "prod"]) },
  };
  const made = (await call(target, "POST", `${ORGANIZATION}/projects`, { data: keyed })) as { data: { id: string } };
  const project = { data: { type: "projects", id: made.data.id } };
  log(`${count} workspaces`);
  await inParallel([...numbered("workspace", count).entries()], 32, async ([at, name]) => {
    const own = bindings(["env", at % 10 === 1 ? "dev" : "prod"], ["team", `team-${at % 100}`]);
    const relationships = at % 2 === 0 ? { project } : { "tag-bindings": own };
    await call(target, "POST", `${ORGANIZATION}/workspaces`, {
      data: { type: "workspaces", attributes: { name }, relationships },
    });
  });
  log(`${count} tags`);
  await createTags(target, "acme", numbered("tag", count));
}

async function once(target: Target, path: string): Promise<number> {
  const began = performance.now();
  await call(target, "GET", `${ORGANIZATION}/${path}`);
  return performance.now() - began;
}

/** Milliseconds until an answer, of requests of which none was asked before: the first, and the median of the others. */
async function timed(target: Target, name: string, path: (round: number) => string): Promise<Fact[]> {
  const first = await once(target, path(0));
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) times.push(await once(target, path(round)));
  return [
    { name: `${name}, the first page`, value: first, unit: "ms" },
    { name: `${name}, another page`, value: median(times), unit: "ms" },
  ];
}

/** How long 20 workspaces take, and the same with what applies to them: in turns, of pages side by side. */
async function effective(target: Target): Promise<Fact[]> {
  const plain: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < 10 * ROUNDS; round += 1) {
    const page = 2 * round + 2;
    plain.push(await once(target, `workspaces?page[number]=${page}`));
    whole.push(await once(target, `workspaces?include=effective_tag_bindings&page[number]=${page + 1}`));
  }
  return [
    { name: "20 workspaces", value: median(plain), unit: "ms" },
    { name: "20 workspaces with what applies", value: median(whole), unit: "ms" },
  ];
}

async function reads(target: Target): Promise<Fact[]> {
  const tagged = (more: string) => (round: number) => `workspaces?${more}&page[number]=${round + 1}`;
  const env = "filter[tagged][0][key]=env";
  const facts = [
    await timed(
      target,
      "by a key of its own, 1 of 100",
      tagged("filter[tagged][0][key]=team&filter[tagged][0][value]=team-7"),
    ),
    await timed(target, "by a key that half inherit, and most have", tagged(`${env}&filter[tagged][0][value]=prod`)),
    await timed(target, "by a key with a value that 1 of 10 has", tagged(`${env}&filter[tagged][0][value]=dev`)),
    await timed(target, "by two keys", tagged(`${env}&filter[tagged][0][value]=prod&filter[tagged][1][key]=team`)),
    await effective(target),
  ];
  return facts.flat();
}

/** Adds one tag to all workspaces, while somebody reads one of them again and again. */
async function job(target: Target): Promise<Fact[]> {
  const attributes = { action: "add", tags: [{ name: "everywhere" }], filter: {} };
  const began = performance.now();
  const made = (await call(target, "POST", `${ORGANIZATION}/tag-jobs`, { data: { type: "tag-jobs", attributes } })) as {
    data: { id: string };
  };
  const times: number[] = [];
  for (;;) {
    for (let read = 0; read < 50; read += 1) {
      const start = performance.now();
      await call(target, "GET", `${ORGANIZATION}/workspaces/workspace-${String(read).padStart(5, "0")}`);
      times.push(performance.now() - start);
      await sleep(5);
    }
    const { data } = (await call(target, "GET", `/api/v2/tag-jobs/${made.data.id}`)) as {
      data: { attributes: { status: string } };
    };
    if (data.attributes.status === "done") break;
    if (data.attributes.status === "failed") throw new Error(JSON.stringify(data));
  }
  const [seconds, p99] = [
    (performance.now() - began) / 1000,
    times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)],
  ];
  return [
    { name: "a tag to all workspaces", value: seconds, unit: "s" },
    { name: "p99 of reads meanwhile", value: p99 ?? 0, unit: "ms" },
  ];
}

await bench(async ({ target }) => {
  await fill(target, size());
  const facts = await reads(target);
  facts.push(...(await timed(target, "alike among all names", (round) => `tags/alike?page[number]=${round + 1}`)));
  facts.push(...(await job(target)));
  return { rows: [], facts };
});
