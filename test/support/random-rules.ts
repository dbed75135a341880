/** Random rules in random places, as they are written down, and random questions that meet them. */
import { compileAuthorizer } from "../../src/rights/rules/compile.ts";
import type { Authorizer } from "../../src/rights/rules/authorizer.ts";
import { parseRules } from "../../src/rights/rules/parse.ts";
import {
  LABELLED,
  SCALARS,
  SCOPES,
  type Permission,
  type PolicyRules,
  type Resource,
  type RuleResource,
} from "../../src/rights/rules/rule.ts";
import type { Visibility } from "../../src/rights/rules/visibility.ts";
import { DEFAULT_SCOPE, type Scope } from "../../src/rights/scope.ts";
import { SERVICE_LETTERS, type Block, type Plain, type PlainPolicy, type Round } from "./naive-rules.ts";
import type { Random } from "./seeded.ts";

const LETTERS: Partial<Record<Resource, string[]>> = {
  service: SERVICE_LETTERS,
  intention: SERVICE_LETTERS,
  organization: ["a", "b", "B", "-"],
  workspace: ["a", "b", "B", "-", "/"],
  key: ["a", "/", "*"],
};

/** Names of namespaces and partitions, which begin with each other. */
export const NAMES: Readonly<Record<"namespace" | "partition", readonly string[]>> = {
  namespace: ["default", "ten", "tenant", "tenants", "te", "a", "zz", "t-1"],
  partition: ["default", "other", "oth", "z"],
};

const scope = (partition: string, namespace: string): Scope => ({ partition, namespace });
/** The first most often, where all lies that says nothing else. */
const PLACES = [
  ...Array.from({ length: 6 }, () => DEFAULT_SCOPE),
  ...["default", "ten", "tenant"].flatMap((namespace) => [scope("default", namespace), scope("other", namespace)]),
];
const HOMES = [...PLACES, ...Array.from({ length: 6 }, () => DEFAULT_SCOPE)];

/** Resources of rules. */
export const RULED = [...SCALARS, ...LABELLED, ...SCOPES];

/** Draws rules. All that it draws follows from the generator that it is given. */
export class RandomRules {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  readonly pick = <T>(list: readonly T[]): T => list[Math.floor(this.random() * list.length)] as T;

  readonly many = <T>(most: number, make: () => T): T[] =>
    Array.from({ length: Math.floor(this.random() * (most + 1)) }, make);

  readonly segment = (resource: Resource, longest: number): string => {
    if (resource === "namespace" || resource === "partition") return this.#block(NAMES[resource]).segment;
    const letters = LETTERS[resource] ?? ["a", "b"];
    const text = this.many(longest, () => this.pick(letters)).join("");
    return resource === "workspace" && this.random() < 0.7 ? `${this.pick(["a", "B", "ab"])}/${text}` : text;
  };

  /** Few resources in a set, so that its rules meet. */
  readonly round = (candidates: readonly RuleResource[] = RULED): Round => {
    const resources = [this.pick(candidates), this.pick(candidates), this.pick(candidates)];
    if (resources.includes("workspace")) resources.push("organization");
    if (resources.some((each) => /^(mesh|peering|namespace|partition)$/.test(each))) resources.push("operator");
    const policy = (): PlainPolicy => {
      const home = this.pick(HOMES);
      const isSynthetic = this.random() < 0.2;
      return { home, isSynthetic, rules: this.many(8, () => ({ ...this.#rule(resources), ...this.#blocks() })) };
    };
    return {
      scope: this.pick(PLACES),
      direct: this.many(3, policy),
      defaults: this.many(2, policy),
      defaultPolicy: this.random() < 0.5 ? "allow" : "deny",
    };
  };

  #rule(resources: readonly RuleResource[]): Plain {
    const resource = this.pick(resources);
    const scalar = (SCALARS as readonly string[]).includes(resource);
    const permissions: Permission[] = ["read", "write", "deny", ...(resource === "key" ? (["list"] as const) : [])];
    return {
      resource,
      prefix: !scalar && this.random() < 0.5,
      segment: scalar ? "" : this.segment(resource, resource === "service" ? 2 : 3),
      policy: this.pick(permissions),
      ...(resource === "service" &&
        this.random() < 0.5 && { intentions: this.pick(["read", "write", "deny"] as const) }),
    };
  }

  #block(names: readonly string[]): Block {
    const prefix = this.random() < 0.5;
    const segment = this.pick(prefix ? ["", ...names.map((name) => name.slice(0, 2)), ...names] : names);
    return { prefix, segment: this.random() < 0.2 ? segment.toUpperCase() : segment };
  }

  #blocks(): Pick<Plain, "partition" | "namespace"> {
    const block = (kind: keyof typeof NAMES): Block => ({
      ...this.#block(NAMES[kind].slice(0, 3)),
      ...(this.random() < 0.3 && { policy: this.pick(["read", "write", "deny"]) }),
    });
    return {
      ...(this.random() < 0.2 && { partition: block("partition") }),
      ...(this.random() < 0.3 && { namespace: block("namespace") }),
    };
  }
}

/** Writes the rules down, in HCL, and has them parsed. */
export function compileRound({ direct, defaults, defaultPolicy }: Round): Authorizer {
  return compileAuthorizer({ direct: policiesOf(direct), defaults: policiesOf(defaults), defaultPolicy });
}

/** The policies as they are compiled. */
export function policiesOf(plain: readonly PlainPolicy[]): PolicyRules[] {
  return plain.map(({ rules, ...policy }, id) => ({
    ...policy,
    id: String(id),
    name: `policy-${id}`,
    links: [],
    rules: rules.flatMap((rule) => parseRules(written(rule))),
  }));
}

/** A rule as text, in the blocks that it stands in. */
export function written({ partition, namespace, ...rule }: Plain): string {
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

/** Whether names as a list knows them have one of them. */
export function sees(visibility: Visibility, name: string): boolean {
  if (visibility.except.includes(name)) return false;
  if (visibility.names.includes(name)) return true;
  return visibility.ranges.some(({ from, to }) => name >= from && (to === undefined || name < to));
}
