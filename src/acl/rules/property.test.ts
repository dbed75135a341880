import { describe, expect, test } from "vitest";
import { compileAuthorizer, type PolicyRules } from "./authorizer.ts";
import { DEFAULT_SCOPE, type Scope } from "../scope.ts";
import { fold } from "./fold.ts";
import { parseRules } from "./parse.ts";
import { ACCESSES, LABELLED, SCALARS, type Permission, type Resource, type RuleResource } from "./rule.ts";
import type { Visibility } from "./visibility.ts";
import {
  allowedNaively,
  SERVICE_LETTERS,
  type Block,
  type Plain,
  type PlainPolicy,
  type Round,
} from "../../../test/support/naive-rules.ts";

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

const scope = (partition: string, namespace: string): Scope => ({ partition, namespace });
/** The first most often, where all lies that says nothing else. */
const SCOPES = [
  ...Array.from({ length: 6 }, () => DEFAULT_SCOPE),
  ...["default", "ten", "tenant"].flatMap((namespace) => [scope("default", namespace), scope("other", namespace)]),
];
const HOMES = [...SCOPES, ...Array.from({ length: 6 }, () => DEFAULT_SCOPE)];

function randomBlocks(): Pick<Plain, "partition" | "namespace"> {
  const block = (names: string[]): Block => {
    const prefix = random() < 0.5;
    return { prefix, segment: pick(prefix ? ["", ...names.map((name) => name.slice(0, 2)), ...names] : names) };
  };
  return {
    ...(random() < 0.2 && { partition: block(["default", "other"]) }),
    ...(random() < 0.3 && { namespace: block(["default", "ten", "tenant"]) }),
  };
}

/** Few resources in a set, so that its rules meet. */
function randomRound(candidates: readonly RuleResource[] = [...SCALARS, ...LABELLED]): Round {
  const resources = [pick(candidates), pick(candidates), pick(candidates)];
  if (resources.includes("workspace")) resources.push("organization");
  if (resources.includes("mesh") || resources.includes("peering")) resources.push("operator");
  const policy = (): PlainPolicy => {
    const home = pick(HOMES);
    return { home, rules: many(8, () => ({ ...randomRule(resources), ...randomBlocks() })) };
  };
  return {
    scope: pick(SCOPES),
    direct: many(3, policy),
    defaults: many(2, policy),
    defaultPolicy: random() < 0.5 ? "allow" : "deny",
  };
}

/** Writes the rules down, in HCL, and has them parsed. */
function compile({ scope: asked, direct, defaults, defaultPolicy }: Round) {
  const policies = (plain: PlainPolicy[]): PolicyRules[] =>
    plain.map(({ home, rules }, id) => ({
      id: String(id),
      name: `policy-${id}`,
      links: [],
      home,
      rules: parseRules(rules.map(written).join("\n")),
    }));
  return compileAuthorizer({ direct: policies(direct), defaults: policies(defaults), defaultPolicy }).in(asked);
}

function written({ partition, namespace, ...rule }: Plain): string {
  const inner = namespace === undefined ? writtenRule(rule) : inBlock("namespace", namespace, writtenRule(rule));
  return partition === undefined ? inner : inBlock("partition", partition, inner);
}

function inBlock(kind: string, { prefix, segment }: Block, inner: string): string {
  return `${kind}${prefix ? "_prefix" : ""} ${JSON.stringify(segment)} { ${inner} }`;
}

function writtenRule({ resource, prefix, segment, policy, intentions }: Plain): string {
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
