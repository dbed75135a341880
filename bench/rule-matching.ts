/**
 * Benchmark of binding rules in a login, in process: `node --expose-gc bench/rule-matching.ts`. Targets at 10,000
 * rules: compiled within 150 ms, no turn of the event loop over 10 ms, 30 MB; 10 ms a login where no test can be looked
 * up. Run it by hand, without other load on the machine.
 */
import { memoryUsage } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import {
  compileBindingRules,
  type CompiledBindingRules,
  type StoredBindingRule,
} from "../src/acl/bindings/compiled-binding-rules.ts";
import { explainBindingRules } from "../src/acl/bindings/explain-binding-rule.ts";
import { createRegularExpressions } from "../src/acl/bindings/regular-expressions.ts";
import type { VerifiedIdentity } from "../src/identities/validator.ts";
import type { IdentityValue } from "../src/selectors/identity.ts";
import { describeMachine } from "./machine.ts";

const { lazy: regularExpressions } = createRegularExpressions();

const LONGEST_MS = 1000;
const COPIES = 5;

/** A selector for each number; the identities of numbers that have a rule match it. */
interface Shape {
  what: string;
  selector: (i: number) => string;
  /** One name for all unless said. */
  name?: (i: number) => string;
}

const TEAMS = 500;
const identityOf = (i: number): VerifiedIdentity => {
  const claims = {
    team: `team-${i % TEAMS}`,
    env: `env-${i % 7}`,
    repository: `acme/app-${i}`,
    ref: `refs/heads/release-${i}`,
  };
  const groups = [...Array.from({ length: 20 }, (_, n) => `staff-${n}`), `group-${i}`];
  return {
    fields: new Map<string, IdentityValue>([
      ["value", new Map(Object.entries(claims))],
      ["list", new Map([["groups", groups]])],
    ]),
    variables: new Map(Object.entries(claims).map(([name, value]) => [`value.${name}`, value])),
  };
};

const THREE_TESTS: Shape = {
  what: "three tests joined by `and`",
  selector: (i) =>
    `value.team == "team-${i % TEAMS}" and value.env == "env-${i % 7}" and value.repository == "acme/app-${i}"`,
  name: (i) => (i % 2 === 0 ? "${value.team}" : `app-${i}`),
};
const OTHERS: readonly Shape[] = [
  { what: "`in` of a list", selector: (i) => `"group-${i}" in list.groups` },
  { what: "only `or`", selector: (i) => `value.team == "x-${i}" or value.repository == "acme/app-${i}"` },
  {
    what: "`or` that needs nothing",
    selector: (i) => `value.team == "x-${i}" or value.ref != "refs/heads/release-${i}"`,
  },
  { what: "only `!=`", selector: (i) => `value.team != "team-${i}"` },
  { what: "only `!=`, each of a name", selector: (i) => `value.team != "team-${i}"`, name: (i) => `app-${i}` },
  { what: "only `matches`, literal", selector: (i) => `value.ref matches "^refs/heads/release-${i}$"` },
  { what: "only `matches`, prefix", selector: (i) => `value.repository matches "^acme/app-${i}(-.*)?$"` },
  { what: "only `matches`, two", selector: (i) => `value.ref matches "^refs/heads/(main|release-${i})$"` },
  { what: "only `matches`, open", selector: (i) => `value.ref matches "^refs/[a-z]+/release-${i}$"` },
];

/** Through bytes, as a database gives them: strings that share nothing. */
const fresh = (text: string): string => Buffer.from(text).toString();

function rulesOf({ selector, name }: Shape, count: number): StoredBindingRule[] {
  return Array.from({ length: count }, (_, i) => ({
    id: fresh(`00000000-0000-4000-8000-${String(i).padStart(12, "0")}`),
    selector: fresh(selector(i)),
    bindType: "service",
    bindName: fresh(name?.(i) ?? "web"),
    bindVars: undefined,
    modifyIndex: i + 1,
  }));
}

/** Microseconds a login, and how many rules gave something. */
function timeLogins(compiled: CompiledBindingRules, count: number): { micros: number; bound: number } {
  const identities = Array.from({ length: 1000 }, (_, i) => identityOf((i * 7919) % count));
  let logins = 0;
  let bound = 0;
  const start = performance.now();
  let elapsed = 0;
  while (elapsed < LONGEST_MS && logins < 200_000) {
    for (const identity of identities) {
      bound += compiled.matching(identity).length;
      logins++;
      elapsed = performance.now() - start;
      if (elapsed > LONGEST_MS) break;
    }
  }
  return { micros: (elapsed * 1000) / logins, bound: bound / logins };
}

/** Milliseconds in all, and of the longest time in which nothing else could run. */
async function timeWork(work: () => Promise<unknown>): Promise<{ millis: number; longest: number }> {
  let longest = 0;
  let last = performance.now();
  let ticking = true;
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (ticking) setImmediate(tick);
  };
  setImmediate(tick);
  const start = performance.now();
  await work();
  const millis = performance.now() - start;
  longest = Math.max(longest, performance.now() - last);
  ticking = false;
  return { millis, longest };
}

const timed = ({ millis, longest }: { millis: number; longest: number }): string =>
  `${millis.toFixed(1)} ms, longest turn ${longest.toFixed(1)} ms`;

/** Patterns that are as large as they may be, for claims that every one of them must be run on. */
async function reportHeavy(): Promise<void> {
  const selector = (i: number): string =>
    `value.ref matches "(?:a?){1000}(?:a?){${1 + (i % 900)}}(?:a?){${1 + Math.floor(i / 900)}}[b-z]"`;
  const compiled = await compileBindingRules(rulesOf({ what: "", selector }, 10_000), regularExpressions);
  for (const length of [1, 100, 32_000]) {
    const fields = new Map([["value", new Map([["ref", "a".repeat(length)]])]]);
    const work = () => compiled.matchingInTurns({ fields, variables: new Map() });
    console.log(`one login, 10,000 heavy patterns, claim of ${length}: ${timed(await timeWork(work))}`);
  }
}

function reportLogins(what: string, compiled: CompiledBindingRules, count: number): void {
  const { micros, bound } = timeLogins(compiled, count);
  console.log(
    `${micros.toFixed(2).padStart(10)} µs  ${String(count).padStart(6)} rules  ${what}; ${bound.toFixed(1)} bound`,
  );
}

async function reportCompiling(): Promise<void> {
  for (let i = 0; i < COPIES; i++) {
    const rules = rulesOf(THREE_TESTS, 10_000);
    console.log(`compiling 10,000: ${timed(await timeWork(() => compileBindingRules(rules, regularExpressions)))}`);
  }
  const rules = rulesOf(THREE_TESTS, 10_000);
  const before = await compileBindingRules(rules, regularExpressions);
  const changed = rules.map((rule, i) => (i === 5000 ? { ...rule, modifyIndex: 20_000, selector: "a == b" } : rule));
  console.log(
    `again, one changed: ${timed(await timeWork(() => compileBindingRules(changed, regularExpressions, before)))}`,
  );
  const identity = identityOf(77);
  console.log(`explaining 10,000: ${timed(await timeWork(() => explainBindingRules(before, identity)))}`);
}

/** Bytes in use, after garbage collection. */
async function settledHeap(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await sleep(20);
  }
  return memoryUsage().heapUsed;
}

async function reportMemory(shape: Shape): Promise<void> {
  const before = await settledHeap();
  const copies: CompiledBindingRules[] = [];
  for (let i = 0; i < COPIES; i++) copies.push(await compileBindingRules(rulesOf(shape, 10_000), regularExpressions));
  const used = ((await settledHeap()) - before) / COPIES / 1e6;
  const said = (copies[0]?.bytes ?? 0) / 1e6;
  console.log(`10,000 rules, ${shape.what}: ${used.toFixed(1)} MB used, ${said.toFixed(1)} MB said`);
}

console.log(describeMachine());
await reportCompiling();
for (const count of [10, 1000, 10_000]) {
  const compiled = await compileBindingRules(rulesOf(THREE_TESTS, count), regularExpressions);
  reportLogins(THREE_TESTS.what, compiled, count);
}
for (const shape of OTHERS) {
  reportLogins(shape.what, await compileBindingRules(rulesOf(shape, 10_000), regularExpressions), 10_000);
}
await reportHeavy();
for (const shape of [THREE_TESTS, ...OTHERS]) await reportMemory(shape);
