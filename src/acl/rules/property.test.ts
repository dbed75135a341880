import { describe, expect, test } from "vitest";
import { compileAuthorizer, type PolicyRules } from "./authorizer.ts";
import { fold } from "./fold.ts";
import { parseRules } from "./parse.ts";
import { ACCESSES, LABELLED, SCALARS, type Access, type Permission, type Resource, type RuleResource } from "./rule.ts";
import type { Visibility } from "./visibility.ts";

/** A rule as the random sets hold it, before it is written down and parsed. */
interface Plain {
  resource: RuleResource;
  prefix: boolean;
  segment: string;
  policy: Permission;
  intentions?: Permission;
}

interface PlainPolicy {
  root: boolean;
  rules: Plain[];
}

interface Round {
  direct: PlainPolicy[];
  defaults: PlainPolicy[];
  defaultPolicy: "allow" | "deny";
}

/**
 * The rules as the documentation words them: no index, no merging ahead, every
 * rule looked at for every question. Slow and plain.
 */
function allowedNaively(round: Round, resource: Resource, segment: string, access: Access): boolean {
  if (resource === "intention" && segment === "*") {
    const answers = serviceNames(round).map((name) => allowsName(round, resource, name, access));
    return access === "read" ? answers.includes(true) : !answers.includes(false);
  }
  const folded = resource === "organization" || resource === "workspace" ? fold(segment) : segment;
  return allowsName(round, resource, folded, access);
}

function allowsName(round: Round, resource: Resource, name: string, access: Access): boolean {
  for (const policies of [round.direct, round.defaults]) {
    const rules = policies.flatMap(({ root, rules: all }) =>
      all
        .filter((rule) => root || !["operator", "keyring", "organization", "workspace"].includes(rule.resource))
        .map((rule) => (/^(organization|workspace)$/.test(rule.resource) ? lower(rule) : rule)),
    );
    const permission = decideNaively(rules, resource, name, access);
    if (permission === undefined) continue;
    if (access === "read" || access === "list") return permission !== "deny";
    return permission === "write";
  }
  return round.defaultPolicy === "allow" && !["acl", "organization", "workspace"].includes(resource);
}

function lower(rule: Plain): Plain {
  return { ...rule, segment: fold(rule.segment) };
}

function decideNaively(rules: Plain[], resource: Resource, name: string, access: Access): Permission | undefined {
  if (resource === "intention") return lookUp(rules, "service", name, intentionsAt);
  if (resource === "key" && access === "write-prefix") {
    const keys = rules.filter((rule) => rule.resource === "key" && rule.segment.startsWith(name));
    const below = keys.map((rule) => policyAt(keys, "key", rule.prefix, rule.segment));
    if (below.some((permission) => permission !== "write")) return "deny";
    return lookUpPrefix(rules, "key", name, policyAt);
  }
  if ((SCALARS as readonly string[]).includes(resource)) {
    const own = policyAt(rules, resource, false, "");
    return own ?? (/^(mesh|peering)$/.test(resource) ? policyAt(rules, "operator", false, "") : undefined);
  }
  const own = lookUp(rules, resource, name, policyAt);
  if (own !== undefined || resource !== "workspace" || !name.includes("/")) return own;
  return lookUp(rules, "organization", name.slice(0, name.indexOf("/")), policyAt);
}

type At = (rules: Plain[], resource: RuleResource, prefix: boolean, segment: string) => Permission | undefined;

function lookUp(rules: Plain[], resource: RuleResource, name: string, at: At): Permission | undefined {
  return at(rules, resource, false, name) ?? lookUpPrefix(rules, resource, name, at);
}

function lookUpPrefix(rules: Plain[], resource: RuleResource, name: string, at: At): Permission | undefined {
  for (let length = name.length; length >= 0; length--) {
    const found = at(rules, resource, true, name.slice(0, length));
    if (found !== undefined) return found;
  }
  return undefined;
}

function strongest(permissions: (Permission | undefined)[]): Permission | undefined {
  return (["deny", "write", "list", "read"] as const).find((permission) => permissions.includes(permission));
}

const policyAt: At = (rules, resource, prefix, segment) =>
  strongest(
    rules
      .filter((rule) => rule.resource === resource && rule.prefix === prefix && rule.segment === segment)
      .map((rule) => rule.policy),
  );

const intentionsAt: At = (rules, resource, prefix, segment) => {
  const here = rules.filter((rule) => rule.resource === resource && rule.prefix === prefix && rule.segment === segment);
  const said = strongest(here.map((rule) => rule.intentions));
  if (said !== undefined) return said;
  const policy = strongest(here.map((rule) => rule.policy));
  return policy === undefined || policy === "deny" ? policy : "read";
};

/** All names over the letters of the random segments, one longer than any of them, and one that no rule begins. */
function serviceNames(round: Round): string[] {
  const longest = Math.max(
    0,
    ...[...round.direct, ...round.defaults].flatMap(({ rules }) => rules.map(({ segment }) => segment.length)),
  );
  const names = [""];
  for (let from = 0, length = 0; length <= longest; length++) {
    const end = names.length;
    for (; from < end; from++) for (const letter of SERVICE_LETTERS) names.push(names[from] + letter);
  }
  return [...names, "no rule begins so"];
}

const SERVICE_LETTERS = ["a", "B"];
const LETTERS: Partial<Record<Resource, string[]>> = {
  service: SERVICE_LETTERS,
  intention: SERVICE_LETTERS,
  organization: ["a", "b", "B", "-"],
  workspace: ["a", "b", "B", "-", "/"],
  key: ["a", "/", "*"],
};

const random = seeded(20_261_120);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const many = <T>(most: number, make: () => T): T[] => Array.from({ length: Math.floor(random() * (most + 1)) }, make);

function randomSegment(resource: Resource, longest: number): string {
  const letters = LETTERS[resource] ?? ["a", "b"];
  const text = many(longest, () => pick(letters)).join("");
  return resource === "workspace" && random() < 0.7 ? `${pick(["a", "B", "ab"])}/${text}` : text;
}

function randomRule(resources: readonly RuleResource[]): Plain {
  const resource = pick(resources);
  const scalar = (SCALARS as readonly string[]).includes(resource);
  const permissions: Permission[] = ["read", "write", "deny", ...(resource === "key" ? (["list"] as const) : [])];
  return {
    resource,
    prefix: !scalar && random() < 0.5,
    segment: scalar ? "" : randomSegment(resource, resource === "service" ? 2 : 3),
    policy: pick(permissions),
    ...(resource === "service" && random() < 0.5 && { intentions: pick(["read", "write", "deny"] as const) }),
  };
}

/** Few resources in a set, so that its rules meet. */
function randomRound(candidates: readonly RuleResource[] = [...SCALARS, ...LABELLED]): Round {
  const resources = [pick(candidates), pick(candidates), pick(candidates)];
  if (resources.includes("workspace")) resources.push("organization");
  if (resources.includes("mesh") || resources.includes("peering")) resources.push("operator");
  const policy = (): PlainPolicy => ({ root: random() < 0.8, rules: many(8, () => randomRule(resources)) });
  return {
    direct: many(3, policy),
    defaults: many(2, policy),
    defaultPolicy: random() < 0.5 ? "allow" : "deny",
  };
}

/** Writes the rules down, in HCL, and has them parsed. */
function compile({ direct, defaults, defaultPolicy }: Round) {
  const policies = (plain: PlainPolicy[]): PolicyRules[] =>
    plain.map(({ root, rules }, id) => ({
      id: String(id),
      name: `policy-${id}`,
      links: [],
      root,
      rules: parseRules(rules.map(written).join("\n")),
    }));
  return compileAuthorizer({ direct: policies(direct), defaults: policies(defaults), defaultPolicy });
}

function written({ resource, prefix, segment, policy, intentions }: Plain): string {
  if ((SCALARS as readonly string[]).includes(resource)) return `${resource} = "${policy}"`;
  const fields = `policy = "${policy}"${intentions === undefined ? "" : ` intentions = "${intentions}"`}`;
  return `${resource}${prefix ? "_prefix" : ""} ${JSON.stringify(segment)} { ${fields} }`;
}

function sees(visibility: Visibility, name: string): boolean {
  if (visibility.except.includes(name)) return false;
  if (visibility.names.includes(name)) return true;
  return visibility.ranges.some(({ from, to }) => name >= from && (to === undefined || name < to));
}

describe("on 10,000 random sets of rules", () => {
  test("incidents 19, 20: every decision is the one that the plain reading gives, explained as it is made", () => {
    let asked = 0;
    for (let number = 0; number < 10_000; number++) {
      const round = randomRound();
      const authorizer = compile(round);
      const about = [...round.direct, ...round.defaults].flatMap(({ rules }) => rules.map(({ resource }) => resource));
      for (let question = 0; question < 6; question++) {
        let resource: Resource = about.length > 0 && question < 5 ? pick(about) : pick([...SCALARS, ...LABELLED]);
        if (resource === "service" && random() < 0.6) resource = "intention";
        const segment = resource === "intention" && random() < 0.3 ? "*" : randomSegment(resource, 4);
        const access = pick(ACCESSES.get(resource) ?? []);
        const got = authorizer.allows(resource, segment, access);
        const wanted = allowedNaively(round, resource, segment, access);
        if (got !== wanted) expect({ round, resource, segment, access, got }).toMatchObject({ got: wanted });
        expect(authorizer.explain(resource, segment, access).allow).toBe(wanted);
        asked++;
      }
    }
    expect(asked).toBe(60_000);
  });

  test("incident 18: what a list shows is what may be read one by one, over both layers", () => {
    for (let number = 0; number < 10_000; number++) {
      const round = randomRound(["organization", "workspace"]);
      const authorizer = compile(round);
      const organizations = authorizer.visibleOrganizations();
      const owner = pick(["a", "B", "ab", "b"]);
      const workspaces = authorizer.visibleWorkspaces(owner);
      for (let i = 0; i < 6; i++) {
        const name = fold(randomSegment("organization", 4));
        const got = { organization: sees(organizations, name), workspace: sees(workspaces, name) };
        const wanted = {
          organization: authorizer.allows("organization", name, "read"),
          workspace: authorizer.allows("workspace", `${owner}/${name}`, "read"),
        };
        expect({ name, owner, round, ...got }).toMatchObject(wanted);
      }
    }
  });

  test("visible ranges are in order and do not touch each other", () => {
    for (let number = 0; number < 10_000; number++) {
      const { ranges } = compile(randomRound(["organization"])).visibleOrganizations();
      const wrong = ranges.filter(({ from, to }, i) => {
        const next = ranges[i + 1];
        return (to !== undefined && from >= to) || (next !== undefined && (to === undefined || to >= next.from));
      });
      expect(wrong).toEqual([]);
    }
  });
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
