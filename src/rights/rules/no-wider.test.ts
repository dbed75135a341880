/**
 * Incident 77: `acl = "write"` and then `acl = "read"` was write here and an error in Consul; `acl = "Write"` was a right here
 * and none there. A tolerance of the language may narrow what a text gives, and never widen it.
 */
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/support/length.ts";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { DEFAULT_SCOPE } from "../scope.ts";
import { compileAuthorizer } from "./compile.ts";
import { parseRules } from "./parse.ts";
import { NO_FACTS } from "./question.ts";
import type { Access, Resource } from "./rule.ts";
import { RulesError } from "./scanner.ts";

/** An argument of a block, as it is spelled. */
type Argument = readonly [name: string, value: string];
type Member = { argument: Argument } | { kind: string; label: string; fields: readonly Argument[] };

const random = randomOfRun();
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const some = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + Math.floor(random() * most) }, make);
/** The same word, now and then with capitals. */
const spelled = (word: string): string =>
  pick([word, word, word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]);

const SCALARS = ["acl", "operator", "mesh"];
const LABELLED = ["key", "key_prefix", "service", "service_prefix"];
const LABELS = ["a", "ab"];

function randomMember(): Member {
  const permission = () => spelled(pick(["read", "write", "deny"]));
  if (random() < 0.4) return { argument: [spelled(pick(SCALARS)), permission()] };
  const kind = pick(LABELLED);
  const names = kind.startsWith("service") ? ["policy", "policy", "intentions"] : ["policy"];
  const more = random() < 0.4 ? some(2, (): Argument => [spelled(pick(names)), permission()]) : [];
  return { kind: spelled(kind), label: pick(LABELS), fields: [[spelled("policy"), permission()], ...more] };
}

const argument = ([name, value]: Argument): string => `${name} = "${value}"`;

function asHcl(members: readonly Member[]): string {
  return members
    .map((member) => {
      if ("argument" in member) return argument(member.argument);
      return `${member.kind} "${member.label}" { ${member.fields.map(argument).join(" ")} }`;
    })
    .join("\n");
}

function asJson(members: readonly Member[]): string {
  const comma = pick(["", ","]);
  const pair = ([name, value]: Argument): string => `"${name}": "${value}"`;
  const parts = members.map((member) => {
    if ("argument" in member) return pair(member.argument);
    return `"${member.kind}": {"${member.label}": {${member.fields.map(pair).join(", ")}${comma}}${comma}}`;
  });
  return `{${parts.join(", ")}${comma}}`;
}

/** Values that the strict reader finds in a text, as spelled; undefined when it rejects the text. */
function readStrictly(members: readonly Member[], isHcl: boolean): Map<string, string> | undefined {
  const said = new Map<string, string>();
  const top = members.flatMap((member) => ("argument" in member ? [member.argument] : []));
  const blocks = members.flatMap((member) => ("argument" in member ? [] : [member]));
  const bodies = [top, ...blocks.map(({ fields }) => fields)];
  const repeats = (body: readonly Argument[]): boolean => new Set(body.map(([name]) => name)).size < body.length;
  if (isHcl && bodies.some(repeats)) return undefined;
  for (const [name, value] of top) said.set(name.toLowerCase(), value);
  for (const kind of SCALARS) if (!isLower(said.get(kind))) said.delete(kind);
  for (const { kind, label, fields } of blocks) {
    const last = (field: string) => fields.findLast(([name]) => name.toLowerCase() === field)?.[1];
    for (const field of ["policy", "intentions"]) {
      const value = last(field);
      const site = `${kind.toLowerCase()} ${label} ${field}`;
      if (value !== undefined && takesThePlaceOf(value, said.get(site))) said.set(site, value);
    }
  }
  return said;
}

const isLower = (value: string | undefined): boolean => value === value?.toLowerCase();

/** Compared as they are spelled: what is none of these words never takes the place of another. */
function takesThePlaceOf(value: string, before: string | undefined): boolean {
  if (before === undefined) return true;
  const order = ["read", "list", "write", "deny"];
  return order.indexOf(value) > order.indexOf(before);
}

function strictlyAllows(said: Map<string, string>, resource: Resource, name: string, access: Access): boolean {
  const gives = (value: string | undefined): boolean => {
    const word = value?.toLowerCase();
    return word === "write" || (access === "read" && word === "read");
  };
  if (resource === "mesh" || resource === "acl" || resource === "operator")
    return gives(said.get(resource) ?? (resource === "mesh" ? said.get("operator") : undefined));
  const kind = resource === "intention" ? "service" : resource;
  const sites = [
    `${kind} ${name}`,
    ...LABELS.toReversed()
      .filter((each) => name.startsWith(each))
      .map((each) => `${kind}_prefix ${each}`),
  ];
  const site = sites.find((each) => said.has(`${each} policy`));
  const policy = said.get(`${site} policy`);
  if (resource !== "intention") return gives(policy);
  return gives(said.get(`${site} intentions`) ?? (policy === "read" || policy === "write" ? "read" : "deny"));
}

const QUESTIONS: readonly (readonly [Resource, string])[] = [
  ...(["acl", "operator", "mesh"] as const).map((resource) => [resource, ""] as const),
  ...(["key", "service", "intention"] as const).flatMap((resource) =>
    ["a", "ab", "abc"].map((name) => [resource, name] as const),
  ),
];

function rightsOf(text: string) {
  try {
    const policy = { id: "1", name: "1", links: [], home: DEFAULT_SCOPE, rules: parseRules(text) };
    return compileAuthorizer({ direct: [policy], defaults: [], defaultPolicy: "deny" });
  } catch (error) {
    if (error instanceof RulesError) return undefined;
    throw error;
  }
}

describe("incident 77: no spelling gives more than a reader gives that knows no tolerance", () => {
  test.each([
    ["HCL", asHcl],
    ["JSON", asJson],
  ] as const)("in %s", (name, write) => {
    let given = 0;
    for (let round = 0; round < sized(3000, 100_000); round++) {
      const members = some(5, randomMember);
      const text = write(members);
      const strict = readStrictly(members, name === "HCL");
      const rights = rightsOf(text);
      if (strict === undefined) expect(rights, text).toBe(undefined);
      if (rights === undefined) continue;
      for (const [resource, segment] of QUESTIONS) {
        for (const access of ["read", "write"] as const) {
          if (!rights.decide(resource, segment, access, NO_FACTS).allow) continue;
          given++;
          const wanted = strict !== undefined && strictlyAllows(strict, resource, segment, access);
          expect(wanted, `${resource} ${segment} ${access} by ${text}`).toBe(true);
        }
      }
    }
    // A reader that gives nothing would be no wider either.
    expect(given).toBeGreaterThan(sized(3000, 100_000));
  });
});
