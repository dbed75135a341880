/**
 * How long one decision takes in process: `node bench/decisions.ts`. Targets:
 * 1 µs at 10 rules, 2 µs at 10,000. Run by hand, alone on the machine.
 */
import { DEFAULT_SCOPE, type Scope } from "../src/rights/scope.ts";
import { memoryUsage } from "node:process";
import type { Authorizer } from "../src/rights/rules/authorizer.ts";
import { compileAuthorizer } from "../src/rights/rules/compile.ts";
import type { PolicyRules, Access, Resource, Rule } from "../src/rights/rules/rule.ts";
import { MANAGEMENT_RULES } from "../src/rights/rules/builtin.ts";
import { decide } from "../src/rights/rules/decide.ts";
import { parseRules } from "../src/rights/rules/parse.ts";
import { NO_FACTS } from "../src/rights/rules/question.ts";
import { describeMachine } from "./machine.ts";

const DECISIONS = 1_000_000;
/** Names are made anew for each decision, as they come from requests: no hash of theirs is known yet. */
const FRESH_NAMES = 50_000;

function compile(rules: readonly Rule[]): Authorizer {
  const policy = { id: "a", name: "bench", home: DEFAULT_SCOPE, links: [], rules };
  return compileAuthorizer({ direct: [policy], defaults: [], defaultPolicy: "deny" });
}

const key = (prefix: boolean, segment: string): Rule => ({ resource: "key", prefix, segment, policy: "write" });
const numbered = (i: number): string => `service/team-${i % 97}/app-${i}`;

/** Microseconds per decision, the making of the names taken off. */
function measure(
  authorizer: Authorizer,
  resource: Resource,
  access: Access,
  nameOf: (i: number) => string,
  scope: Scope = DEFAULT_SCOPE,
): number {
  let allowed = 0;
  let elapsed = 0;
  for (let done = 0; done < DECISIONS; done += FRESH_NAMES) {
    // Through bytes, as a body is read: flat strings that share nothing.
    const names = Array.from({ length: FRESH_NAMES }, (_, i) => Buffer.from(nameOf(done + i)).toString());
    const start = performance.now();
    for (const name of names)
      if (decide(authorizer, { resource, segment: name, access, scope }, NO_FACTS).allow) allowed++;
    elapsed += performance.now() - start;
  }
  if (allowed > DECISIONS) throw new Error("unreachable: keeps the loop from being optimized away");
  return (elapsed * 1000) / DECISIONS;
}

function report(what: string, rules: readonly Rule[], nameOf: (i: number) => string, access: Access = "write"): void {
  const micros = measure(compile(rules), "key", access, nameOf);
  console.log(`${micros.toFixed(3).padStart(8)} µs  ${String(rules.length).padStart(6)} rules  ${what}`);
}

const many = <T = Rule>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

console.log(describeMachine());
const management = compile(parseRules(MANAGEMENT_RULES));
console.log(
  `${measure(management, "acl", "read", String).toFixed(3).padStart(8)} µs  acl:read of the management policy`,
);
console.log(
  `${measure(management, "workspace", "write", (i) => `acme/app-${i}`)
    .toFixed(3)
    .padStart(8)} µs  a workspace, the same`,
);

for (const count of [10, 10_000]) {
  report(
    "exact, found",
    many(count, (i) => key(false, numbered(i))),
    (i) => numbered(i % count),
  );
  report(
    "prefixes side by side, found",
    many(count, (i) => key(true, `${numbered(i)}/`)),
    (i) => `${numbered(i % count)}/config`,
  );
  report(
    "prefixes side by side, missed",
    many(count, (i) => key(true, `${numbered(i)}/`)),
    (i) => `service/team-${i}`,
  );
  report(
    "exact and prefixes, found",
    many(count, (i) => key(i % 2 === 0, numbered(i))),
    (i) => `${numbered(i % count)}/x`,
  );
  report(
    "deleting trees",
    many(count, (i) => key(true, `${numbered(i)}/`)),
    (i) => `${numbered(i % count)}/a/`,
    "write-prefix",
  );
}

console.log("Two layers, 100 rules each:");
const layer = (name: string, from: number): PolicyRules => ({
  id: name,
  name,
  home: DEFAULT_SCOPE,
  links: [],
  rules: many(100, (i) => key(true, numbered(from + i))),
});
const layered = compileAuthorizer({
  direct: [layer("own", 0)],
  defaults: [layer("given", 100)],
  defaultPolicy: "deny",
});
for (const [what, from] of [
  ["decided by an own rule", 0],
  ["decided by a default", 100],
] as const) {
  const micros = measure(layered, "key", "write", (i) => `${numbered(from + (i % 100))}/x`);
  console.log(`${micros.toFixed(3).padStart(8)} µs  ${what}`);
}
const team = { partition: "default", namespace: "team" };
console.log(
  `${measure(management, "acl", "read", String, team).toFixed(3).padStart(8)} µs  acl:read in another namespace`,
);

console.log("Layers of 3 rules each, of namespaces whose names begin alike:");
const longName = "team-alpha-production-europe-1";
for (const depth of [3, 8, 30]) {
  const blocks = many(depth, (i) => `namespace_prefix "${longName.slice(0, i)}" { ${keysOf(i)} }`);
  const there = { partition: "default", namespace: longName };
  const rights = compile(parseRules(blocks.join("\n")));
  const micros = measure(rights, "key", "write", (i) => `service/0-${i % 3}/x`, there);
  console.log(`${micros.toFixed(3).padStart(8)} µs  ${String(depth).padStart(6)} layers, decided by the last`);
}
function keysOf(depth: number): string {
  return [0, 1, 2].map((i) => `key_prefix "service/${depth}-${i}/" { policy = "write" }`).join("\n");
}

console.log("Prefixes in each other (of one letter, each one longer than the one before):");
const chains = many(10_000, (i) => key(true, `${String(i % 100)}-${"a".repeat(Math.floor(i / 100))}`));
report("100 chains of 100, deep", chains, (i) => `${i % 100}-${"a".repeat(100)}`);
report("100 chains of 100, left half way", chains, (i) => `${i % 100}-${"a".repeat(50)}b`);
// The longest that 4 MiB of rules have room for.
for (const depth of [1000, 2800]) {
  const chain = many(depth, (i) => key(true, "a".repeat(i)));
  report(`a chain of ${depth}, a short name`, chain, (i) => `${"a".repeat(i % 40)}b`);
  report(`a chain of ${depth}, a name of 255`, chain, () => `${"a".repeat(254)}b`);
  report(`a chain of ${depth}, a name of ${depth}`, chain, () => `${"a".repeat(depth - 1)}b`);
}
const combed = many(10_000, (i) => key(true, `${"b".repeat(i % 200)}a${Math.floor(i / 200)}`));
report("a comb: b…ba beside each other", combed, () => "b".repeat(220));

console.log("Compiling, and memory:");
for (const [what, make] of [
  ["exact", (i: number) => key(false, numbered(i))],
  ["prefixes", (i: number) => key(true, numbered(i))],
  [
    "services",
    (i: number): Rule => ({ resource: "service", prefix: i % 2 === 0, segment: numbered(i), policy: "write" }),
  ],
] as const) {
  const rules = many(20_000, make);
  const copies: Authorizer[] = [];
  globalThis.gc?.();
  const before = memoryUsage().heapUsed + memoryUsage().arrayBuffers;
  const start = performance.now();
  for (let i = 0; i < 20; i++) copies.push(compile(rules));
  const millis = (performance.now() - start) / 20;
  globalThis.gc?.();
  const used = (memoryUsage().heapUsed + memoryUsage().arrayBuffers - before) / 20 / 1024;
  const said = (copies[0]?.bytes ?? 0) / 1024;
  console.log(`20,000 ${what}: ${millis.toFixed(1)} ms, ${used.toFixed(0)} KiB used, ${said.toFixed(0)} KiB said`);
}
