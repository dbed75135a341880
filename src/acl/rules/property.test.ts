import { describe, expect, test } from "vitest";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { deciding } from "../authorize.ts";
import { DEFAULT_SCOPE, type Scope } from "../scope.ts";
import { compileAuthorizer } from "./compile.ts";
import {
  type PolicyRules,
  ACCESSES,
  LABELLED,
  SCALARS,
  SCOPES,
  type Permission,
  type Resource,
  type RuleResource,
} from "./rule.ts";
import { fold } from "./fold.ts";
import { parseRules } from "./parse.ts";
import type { Visibility } from "./visibility.ts";
import { sized } from "../../../test/support/length.ts";
import {
  allowedNaively,
  seenNaively,
  SERVICE_LETTERS,
  type Block,
  type Plain,
  type PlainPolicy,
  type Round,
} from "../../../test/support/naive-rules.ts";

const ROUNDS = sized(2000, 50_000);

const LETTERS: Partial<Record<Resource, string[]>> = {
  service: SERVICE_LETTERS,
  intention: SERVICE_LETTERS,
  organization: ["a", "b", "B", "-"],
  workspace: ["a", "b", "B", "-", "/"],
  key: ["a", "/", "*"],
};

const random = randomOfRun();
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const many = <T>(most: number, make: () => T): T[] => Array.from({ length: Math.floor(random() * (most + 1)) }, make);

/** Names of namespaces and partitions, which begin with each other. */
const NAMES: Readonly<Record<"namespace" | "partition", readonly string[]>> = {
  namespace: ["default", "ten", "tenant", "tenants", "te", "a", "zz", "t-1"],
  partition: ["default", "other", "oth", "z"],
};

function randomSegment(resource: Resource, longest: number): string {
  if (resource === "namespace" || resource === "partition") return randomBlock(NAMES[resource]).segment;
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
const PLACES = [
  ...Array.from({ length: 6 }, () => DEFAULT_SCOPE),
  ...["default", "ten", "tenant"].flatMap((namespace) => [scope("default", namespace), scope("other", namespace)]),
];
const HOMES = [...PLACES, ...Array.from({ length: 6 }, () => DEFAULT_SCOPE)];

function randomBlock(names: readonly string[]): Block {
  const prefix = random() < 0.5;
  const segment = pick(prefix ? ["", ...names.map((name) => name.slice(0, 2)), ...names] : names);
  return { prefix, segment: random() < 0.2 ? segment.toUpperCase() : segment };
}

function randomBlocks(): Pick<Plain, "partition" | "namespace"> {
  const block = (kind: keyof typeof NAMES): Block => ({
    ...randomBlock(NAMES[kind].slice(0, 3)),
    ...(random() < 0.3 && { policy: pick(["read", "write", "deny"]) }),
  });
  return {
    ...(random() < 0.2 && { partition: block("partition") }),
    ...(random() < 0.3 && { namespace: block("namespace") }),
  };
}

const ALL = [...SCALARS, ...LABELLED, ...SCOPES];

/** Few resources in a set, so that its rules meet. */
function randomRound(candidates: readonly RuleResource[] = ALL): Round {
  const resources = [pick(candidates), pick(candidates), pick(candidates)];
  if (resources.includes("workspace")) resources.push("organization");
  if (resources.some((each) => /^(mesh|peering|namespace|partition)$/.test(each))) resources.push("operator");
  const policy = (): PlainPolicy => {
    const home = pick(HOMES);
    const isSynthetic = random() < 0.2;
    return { home, isSynthetic, rules: many(8, () => ({ ...randomRule(resources), ...randomBlocks() })) };
  };
  return {
    scope: pick(PLACES),
    direct: many(3, policy),
    defaults: many(2, policy),
    defaultPolicy: random() < 0.5 ? "allow" : "deny",
  };
}

/** Writes the rules down, in HCL, and has them parsed. */
function compile({ scope: asked, direct, defaults, defaultPolicy }: Round) {
  const policies = (plain: PlainPolicy[]): PolicyRules[] =>
    plain.map(({ rules, ...policy }, id) => ({
      ...policy,
      id: String(id),
      name: `policy-${id}`,
      links: [],
      rules: parseRules(rules.map(written).join("\n")),
    }));
  return compileAuthorizer({ direct: policies(direct), defaults: policies(defaults), defaultPolicy }).in(asked);
}

function written({ partition, namespace, ...rule }: Plain): string {
  const inner = namespace === undefined ? writtenRule(rule) : inBlock("namespace", namespace, writtenRule(rule));
  return partition === undefined ? inner : inBlock("partition", partition, inner);
}

function inBlock(kind: string, { prefix, segment, policy }: Block, inner: string): string {
  const own = policy === undefined ? "" : `policy = "${policy}" `;
  return `${kind}${prefix ? "_prefix" : ""} ${JSON.stringify(segment)} { ${own}${inner} }`;
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

describe(`on ${ROUNDS} random sets of rules`, () => {
  test("incidents 19, 20: every decision is the one that the plain reading gives, explained as it is made", () => {
    let asked = 0;
    for (let number = 0; number < ROUNDS; number++) {
      const round = randomRound();
      const authorizer = compile(round);
      const about = [...round.direct, ...round.defaults].flatMap(({ rules }) => rules.map(({ resource }) => resource));
      for (let question = 0; question < 6; question++) {
        let resource: Resource = about.length > 0 && question < 4 ? pick(about) : pick(question < 5 ? SCOPES : ALL);
        if (resource === "service" && random() < 0.6) resource = "intention";
        const isScope = resource === "namespace" || resource === "partition";
        const there = isScope ? authorizer.in(deciding(resource, round.scope)) : authorizer;
        const segment = resource === "intention" && random() < 0.3 ? "*" : randomSegment(resource, 4);
        const access = pick(ACCESSES.get(resource) ?? []);
        const got = there.allows(resource, segment, access);
        const wanted = allowedNaively(round, resource, segment, access);
        if (got !== wanted) expect({ round, resource, segment, access, got }).toMatchObject({ got: wanted });
        expect(there.explain(resource, segment, access).allow).toBe(wanted);
        asked++;
      }
    }
    expect(asked).toBe(6 * ROUNDS);
  });

  test("incident 18: what a list shows is what may be read one by one, over both layers", () => {
    for (let number = 0; number < ROUNDS; number++) {
      const round = randomRound(["organization", "workspace"]);
      const authorizer = compile(round);
      const organizations = authorizer.visibleOrganizations();
      const owner = pick(["a", "B", "ab", "b"]);
      const workspaces = authorizer.visibleWorkspaces(owner);
      const writable = authorizer.visibleWorkspaces(owner, "write");
      for (let i = 0; i < 6; i++) {
        const name = fold(randomSegment("organization", 4));
        const got = {
          organization: sees(organizations, name),
          workspace: sees(workspaces, name),
          written: sees(writable, name),
        };
        const wanted = {
          organization: authorizer.allows("organization", name, "read"),
          workspace: authorizer.allows("workspace", `${owner}/${name}`, "read"),
          written: authorizer.allows("workspace", `${owner}/${name}`, "write"),
        };
        expect({ name, owner, round, ...got }).toMatchObject(wanted);
      }
    }
  });

  test("an organization is seen by workspaces where one of any name in it may be read", () => {
    const isIn = (range: { from: string; to: string | undefined }, name: string) =>
      range.from <= name && (range.to === undefined || name < range.to);
    for (let number = 0; number < ROUNDS; number++) {
      const round = randomRound(["organization", "workspace"]);
      const authorizer = compile(round);
      const { whole, parts } = authorizer.workspaceSight();
      for (let i = 0; i < 6; i++) {
        const [owner, name] = [fold(randomSegment("organization", 3)), fold(randomSegment("organization", 4))];
        const wanted = authorizer.allows("workspace", `${owner}/${name}`, "read");
        const ofOwner = parts.filter(({ organization }) => organization === owner);
        const got = sees(whole, owner) || ofOwner.some((range) => isIn(range, name));
        expect({ owner, name, round, got }).toMatchObject({ got: wanted });
        const alone = authorizer.workspaceSight(owner.toUpperCase());
        expect(alone.parts).toEqual(ofOwner);
        expect(sees(alone.whole, owner)).toBe(sees(whole, owner));
      }
    }
  });

  test("a namespace may be seen where the plain reading says so, explained as it is decided", () => {
    let seen = 0;
    for (let number = 0; number < ROUNDS; number++) {
      const round = roundAboutNamespaces();
      const authorizer = compile(round);
      for (let i = 0; i < 4; i++) {
        const asked = scope(pick(["default", "other", "z"]), pick(NAMES.namespace));
        const got = authorizer.seesNamespace(asked);
        const wanted = seenNaively(round, asked);
        if (got !== wanted) expect({ round, asked, got }).toMatchObject({ got: wanted });
        expect(authorizer.explainSight(asked).allow).toBe(wanted);
        seen += Number(wanted);
      }
    }
    // Neither answer is rare.
    expect(seen).toBeGreaterThan(0.5 * ROUNDS);
    expect(seen).toBeLessThan(3.5 * ROUNDS);
  });

  test("incident 18: lists show the namespaces that may be read one by one, and of each what may be read there", () => {
    for (let number = 0; number < ROUNDS; number++) {
      const round = roundAboutNamespaces();
      const authorizer = compile(round);
      const partition = pick(["default", "other", "z"]);
      const visible = authorizer.visibleNamespaces(partition);
      const withAcl = authorizer.aclNamespaces(partition);
      for (const name of NAMES.namespace) {
        const one = scope(partition, name);
        const got = { seen: sees(visible, name), acl: sees(withAcl, name) };
        const wanted = { seen: authorizer.seesNamespace(one), acl: authorizer.in(one).allows("acl", "", "read") };
        if (got.seen !== wanted.seen || got.acl !== wanted.acl) expect({ round, one, ...got }).toMatchObject(wanted);
      }
      expect([...outOfOrder(visible), ...outOfOrder(withAcl)]).toEqual([]);
    }
  });

  test("visible ranges are in order and do not touch each other", () => {
    for (let number = 0; number < ROUNDS; number++) {
      expect(outOfOrder(compile(randomRound(["organization"])).visibleOrganizations())).toEqual([]);
    }
  });
});

/** Rules of what lies in namespaces; mostly where no rule is about `operator`, which shows all of them. */
function roundAboutNamespaces(): Round {
  const inside: RuleResource[] = ["acl", "key", "node", "service", "session", "mesh", "namespace"];
  const round = randomRound(random() < 0.1 ? [...inside, "operator"] : inside);
  const isShown = ({ resource }: Plain): boolean => resource !== "operator" || random() < 0.05;
  const fewer = (policies: PlainPolicy[]): PlainPolicy[] =>
    policies.map((policy) => ({ ...policy, rules: policy.rules.filter(isShown) }));
  const defaultPolicy = random() < 0.1 ? "allow" : "deny";
  return { ...round, direct: fewer(round.direct), defaults: fewer(round.defaults), defaultPolicy };
}

/** Ranges that are empty, or that the next one touches. */
function outOfOrder({ ranges }: Visibility): Visibility["ranges"] {
  return ranges.filter(({ from, to }, i) => {
    const next = ranges[i + 1];
    return (to !== undefined && from >= to) || (next !== undefined && (to === undefined || to >= next.from));
  });
}
