import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_SCOPE, type Scope } from "../scope.ts";
import type { Authorizer } from "./authorizer.ts";
import { compileAuthorizer } from "./compile.ts";
import { decide } from "./decide.ts";
import { NO_FACTS } from "./question.ts";
import { type PolicyRules, ACCESSES, type Access, type Resource } from "./rule.ts";
import { parseInSteps, type Grammar } from "./parse.ts";
import { atOnce } from "../../turns.ts";

/** Rules in their JSON spelling: a scalar's text, or the fields or inner rules of each label. */
interface RulesObject {
  [kind: string]: string | RulesObject;
}

/** A line of `cases/*.json`. Rules are one policy, or a list of policies; `hcl` is a text that is taken as it is. */
interface Case {
  why: string;
  rules?: RulesObject | RulesObject[];
  hcl?: string;
  /** By which the text is read; as it is written now unless it says so. */
  grammar?: Grammar;
  defaults?: RulesObject;
  defaultPolicy?: "allow" | "deny";
  /** Whether the policies lie in the default namespace; they do unless this says no. */
  root?: boolean;
  /** Scope of the policies, when it matters. */
  home?: Scope;
  /** Scope of the policy of the defaults. Default: the scope of the other policies. */
  defaultsHome?: Scope;
  /** Whether identities make the policies. */
  synthetic?: boolean;
  /** Scope of the question. Default: the scope of the policies. */
  scope?: Scope;
  resource: Resource;
  segment?: string;
  access: Access;
  wanted: boolean;
}

const directory = join(import.meta.dirname, "cases");
const files = readdirSync(directory).map((file) => ({
  file,
  cases: JSON.parse(readFileSync(join(directory, file), "utf8")) as Case[],
}));

function decideCase(one: Case, print: (rules: RulesObject) => string): boolean {
  const home = one.home ?? (one.root === false ? { partition: "default", namespace: "tenant" } : DEFAULT_SCOPE);
  const policyIn =
    (where: Scope) =>
    (text: string, index: number): PolicyRules => ({
      id: String(index),
      name: `policy-${index}`,
      rules: atOnce(parseInSteps(text, "enterprise", { grammar: one.grammar ?? "present" })),
      home: where,
      links: [{ kind: "direct" }],
      isSynthetic: one.synthetic === true,
    });
  const direct = one.hcl === undefined ? [one.rules ?? {}].flat().map(print) : [one.hcl];
  const defaults = one.defaults === undefined ? [] : [print(one.defaults)];
  const authorizer = compileAuthorizer({
    direct: direct.map(policyIn(home)),
    defaults: defaults.map(policyIn(one.defaultsHome ?? home)),
    defaultPolicy: one.defaultPolicy ?? "deny",
  });
  return ask(authorizer, one.scope ?? home, one);
}

/** As the server asks. */
function ask(authorizer: Authorizer, scope: Scope, { resource, segment = "", access }: Case): boolean {
  return decide(authorizer, { resource, segment, access, scope }, NO_FACTS).allow;
}

describe.each(files)("$file", ({ cases }) => {
  test.each(cases.map((one) => [one.why, one] as const))("%s", (_why, one) => {
    expect(decideCase(one, (rules) => JSON.stringify(rules))).toBe(one.wanted);
    expect(decideCase(one, printHcl)).toBe(one.wanted);
  });
});

describe("the cases", () => {
  const all = files.flatMap(({ cases }) => cases);

  test("are at least 300, each described, each for an access that its resource has", () => {
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(all.filter(({ why }) => why.length < 10)).toEqual([]);
    expect(all.filter(({ resource, access }) => ACCESSES.get(resource)?.includes(access) !== true)).toEqual([]);
  });

  test("ask for every access of every resource, and get both answers", () => {
    const wanted = [...ACCESSES].flatMap(([resource, accesses]) =>
      accesses.flatMap((access) => [`${resource} ${access} true`, `${resource} ${access} false`]),
    );
    const asked = new Set(all.map((one) => `${one.resource} ${one.access} ${one.wanted}`));
    expect(wanted.filter((question) => !asked.has(question))).toEqual([]);
  });
});

/** The same rules in HCL: each label becomes a block. */
function printHcl(rules: RulesObject): string {
  return Object.entries(rules)
    .map(([name, value]) => (typeof value === "string" ? `${name} = ${JSON.stringify(value)}\n` : blocks(name, value)))
    .join("");
}

function blocks(kind: string, labels: RulesObject): string {
  return Object.entries(labels)
    .map(([label, fields]) => {
      const body = typeof fields === "string" ? "" : printHcl(fields);
      return `${kind} ${JSON.stringify(label)} {\n${body}}\n`;
    })
    .join("");
}
