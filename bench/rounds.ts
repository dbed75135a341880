/**
 * `node bench/rounds.ts [sqlite|postgres] [lists|tokens|pages|documents]`: one token asks for many different lists at once, of which none
 * can be shared; other tokens ask meanwhile for themselves. Told is how long their answers took, also in time that the
 * server's main thread worked, and the server's memory. The server has one thread that answers.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { residentMegabytes } from "./machine.ts";
import { call, createOrganization, inParallel, type Target } from "./seed.ts";
import { bench, log } from "./servers.ts";

const TOKENS = 2000;
const POLICIES = 2000;
/** Text that each entry contains: every search for a part of it finds all entries. */
const COMMON = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** 100 of them are a page of 4.8 MB. */
const WORKSPACES = 100;
const WORKSPACE_BYTES = 48_000;
const OTHERS = 4;
/** Pause in milliseconds in which garbage of earlier requests is collected, as far as possible. */
const QUIET_MS = 3000;

const SORTS = ["name", "-name", "created-at", "-created-at"];
/** Number of requests sent one after the other before the measurement. */
const WARMING = 60;

const part = (n: number): string => COMMON.slice(n % 20, 30 + Math.floor(n / 20));

const WORKSPACE_LISTS = "/api/v2/organizations/acme/workspaces?page[size]=100";

/** Requests that are sent at once. */
interface Attack {
  count: number;
  /** Returns a path; each is different. */
  path(n: number): string;
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  lists: { count: 300, path: (n) => `/v1/acl/policies?search=${part(n)}` },
  tokens: { count: 300, path: (n) => `/v1/acl/tokens?search=${part(n)}` },
  pages: { count: 300, path: (n) => `/v1/acl/policies?page-size=${700 - WARMING + n}` },
  documents: {
    count: 200,
    path: (n) => `${WORKSPACE_LISTS}&sort=${SORTS[n % 4]}&search[name]=${part(Math.floor(n / 4))}`,
  },
};

interface Sample {
  milliseconds: number;
  /** Part of the time in which the main thread worked. */
  worked: number;
}

/** The smallest number that so large a share of them does not pass. */
function nearest(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
}

/** Time that the main thread of a process has worked, in milliseconds. */
function workedMilliseconds(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

/** Sends requests without reading what it is told but for its end. @returns statuses of the answers */
async function askAll({ url, token }: Target, paths: readonly string[]): Promise<number[]> {
  const { hostname, port } = new URL(url);
  return Promise.all(
    paths.map(
      (path) =>
        new Promise<number>((resolve, reject) => {
          const socket = connect(Number(port), hostname);
          let head = "";
          socket.on("data", (chunk: Buffer) => {
            if (head.length < 12) head += chunk.toString("latin1", 0, 12);
          });
          socket.on("close", () => resolve(Number(head.slice(9, 12))));
          socket.on("error", reject);
          const target = encodeURI(path);
          socket.write(
            `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
          );
        }),
    ),
  );
}

/** One of the others: asks for its token until it is told to stop, on a connection of its own. */
async function askForSelf({ url, token, pid = 0 }: Target, isOver: () => boolean): Promise<Sample[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay();
  const samples: Sample[] = [];
  while (!isOver()) {
    const [began, worked] = [performance.now(), workedMilliseconds(pid)];
    socket.write(`GET /v1/acl/token/self HTTP/1.1\r\nHost: localhost\r\nX-Consul-Token: ${token}\r\n\r\n`);
    // The answer is short, and leaves in one piece.
    const [answer] = (await once(socket, "data")) as [Buffer];
    samples.push({ worked: workedMilliseconds(pid) - worked, milliseconds: performance.now() - began });
    if (!answer.toString("latin1", 0, 12).endsWith("200")) throw new Error(`another was answered ${answer.toString()}`);
    await sleep(2);
  }
  socket.destroy();
  return samples;
}

/**
 * The others are a process of their own, which goes before all others: whoever reads what is attacked with would
 * measure itself.
 */
async function serveOthers(others: Target[]): Promise<void> {
  let isOver = false;
  process.once("message", () => (isOver = true));
  const all = await Promise.all(others.map((each) => askForSelf(each, () => isOver)));
  process.send?.(all.flat(), undefined, undefined, () => process.exit());
}

async function fill(target: Target): Promise<{ attacker: Target; others: Target[] }> {
  const names = Array.from({ length: POLICIES }, (_, n) => n);
  await inParallel(names, 16, (n) =>
    call(target, "PUT", "/v1/acl/policy", {
      Name: `${COMMON}-${n}`,
      Description: COMMON,
      Rules: `key "k${n}" { policy = "read" }`,
    }),
  );
  await inParallel(names.slice(0, TOKENS), 16, (n) =>
    call(target, "PUT", "/v1/acl/token", { Description: COMMON, Policies: [{ Name: `${COMMON}-${n}` }] }),
  );
  await createOrganization(target, "acme");
  const patterns = Array.from({ length: Math.floor(WORKSPACE_BYTES / 950) }, () => "p".repeat(946));
  await inParallel(
    Array.from({ length: WORKSPACES }, (_, n) => n),
    8,
    (n) => {
      const attributes = { name: `${COMMON}-${n}`, "trigger-patterns": patterns };
      return call(target, "POST", "/api/v2/organizations/acme/workspaces", {
        data: { type: "workspaces", attributes },
      });
    },
  );
  const rules = 'acl = "read"\norganization_prefix "" { policy = "read" }\nworkspace_prefix "" { policy = "read" }';
  await call(target, "PUT", "/v1/acl/policy", { Name: "reader", Rules: rules });
  const made = async (body: object): Promise<Target> => {
    const { SecretID } = (await call(target, "PUT", "/v1/acl/token", body)) as { SecretID: string };
    return { ...target, token: SecretID };
  };
  const attacker = await made({ Policies: [{ Name: "reader" }] });
  return { attacker, others: await Promise.all(Array.from({ length: OTHERS }, () => made({}))) };
}

async function measure(name: string, { count, path }: Attack, attacker: Target, others: Target[]): Promise<void> {
  const { pid = 0 } = attacker;
  // Brings the server into the state of one that gets list requests one after the other: compiled code, cached
  // responses, a heap of that size.
  for (let n = 0; n < WARMING; n++) await askAll(attacker, [path(n)]);
  await sleep(QUIET_MS);
  const before = residentMegabytes(pid);
  let peak = before;
  const looking = setInterval(() => (peak = Math.max(peak, residentMegabytes(pid))), 20);
  const asking = fork(import.meta.filename, [], { env: { ...process.env, OTHERS: JSON.stringify(others) } });
  const told = once(asking, "message");
  // Without the right to it, the numbers are those of a client that has to wait too.
  if (process.getuid?.() === 0) setPriority(asking.pid ?? 0, -10);
  await sleep(500);
  const began = performance.now();
  const paths = Array.from({ length: count }, (_, n) => path(WARMING + n));
  const statuses = await askAll(attacker, paths);
  const took = performance.now() - began;
  asking.send("over");
  const [samples] = (await told) as [Sample[]];
  clearInterval(looking);
  await sleep(QUIET_MS);
  const after = residentMegabytes(pid);
  const quantile = (of: (sample: Sample) => number, q: number): number => nearest(samples.map(of), q);
  const worked = (q: number) => quantile((sample) => sample.worked, q).toFixed(1);
  const waited = (q: number) => quantile((sample) => sample.milliseconds, q).toFixed(1);
  const counts = [...new Set(statuses)].map(
    (status) => `${statuses.filter((each) => each === status).length} × ${status}`,
  );
  log(
    `${name}: ${counts.join(", ")} in ${(took / 1000).toFixed(1)} s; others ${samples.length} answers, main thread p50 ${worked(0.5)}, ` +
      `p99 ${worked(0.99)}, max ${worked(1)} ms, waited p50 ${waited(0.5)}, p99 ${waited(0.99)}, max ${waited(1)} ms; ` +
      `resident ${before.toFixed(0)} MB before, ${peak.toFixed(0)} at most, ${after.toFixed(0)} after`,
  );
}

const asked = process.env["OTHERS"];
if (asked !== undefined) await serveOthers(JSON.parse(asked) as Target[]);
else {
  await bench(async ({ target }) => {
    const { attacker, others } = await fill(target);
    const [, , , only] = process.argv;
    for (const [name, attack] of Object.entries(ATTACKS)) {
      if (only === undefined || only === name) await measure(name, attack, attacker, others);
    }
    return { rows: [], facts: [] };
  });
}
