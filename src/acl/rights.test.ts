import { describe, expect, test } from "vitest";
import {
  ALL_RIGHTS,
  compileRights,
  fold,
  type Access,
  type Permission,
  type Rule,
  type RuleKind,
  type Visibility,
} from "./rights.ts";

const rule = (kind: RuleKind, segment: string, policy: Permission): Rule => ({ kind, segment, policy });

/** The rules as the reference words them, without any index: slow and plain. */
function allowedNaively(
  rules: readonly Rule[],
  resource: "organization" | "workspace",
  segment: string,
  access: Access,
): boolean {
  const decide = (kind: "organization" | "workspace", name: string): Permission | undefined => {
    const same = (wanted: RuleKind, at: string) =>
      rules.filter((one) => one.kind === wanted && fold(one.segment) === at).map((one) => one.policy);
    const strictest = (policies: Permission[]): Permission | undefined =>
      (["deny", "write", "read"] as const).find((policy) => policies.includes(policy));
    const exact = strictest(same(kind, name));
    if (exact !== undefined) return exact;
    for (let length = name.length; length >= 0; length--) {
      const found = strictest(same(`${kind}_prefix`, name.slice(0, length)));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const name = fold(segment);
  const decision =
    resource === "organization"
      ? decide("organization", name)
      : (decide("workspace", name) ?? decide("organization", name.slice(0, name.indexOf("/"))));
  return decision === "write" || (decision === "read" && access === "read");
}

function sees(visibility: Visibility, name: string): boolean {
  if (visibility.except.includes(name)) return false;
  if (visibility.names.includes(name)) return true;
  return visibility.ranges.some(({ from, to }) => name >= from && (to === undefined || name < to));
}

describe("decisions", () => {
  const cases: [what: string, rules: Rule[], segment: string, read: boolean, write: boolean][] = [
    ["without a rule nothing is allowed", [], "acme", false, false],
    ["read does not give write", [rule("organization", "acme", "read")], "acme", true, false],
    ["write gives read", [rule("organization", "acme", "write")], "acme", true, true],
    ["deny gives nothing", [rule("organization", "acme", "deny")], "acme", false, false],
    ["an exact rule is for that name only", [rule("organization", "acme", "write")], "acme2", false, false],
    [
      "a prefix rule is for every name that begins so",
      [rule("organization_prefix", "ac", "read")],
      "acme",
      true,
      false,
    ],
    ["a prefix rule is for its own text too", [rule("organization_prefix", "acme", "read")], "acme", true, false],
    ["a prefix rule is not for a shorter name", [rule("organization_prefix", "acme", "read")], "acm", false, false],
    ["the empty prefix is for every name", [rule("organization_prefix", "", "write")], "acme", true, true],
    [
      "an exact rule beats a longer list of prefixes",
      [rule("organization_prefix", "acme", "deny"), rule("organization", "acme", "write")],
      "acme",
      true,
      true,
    ],
    [
      "an exact deny beats a prefix that allows",
      [rule("organization_prefix", "", "write"), rule("organization", "acme", "deny")],
      "acme",
      false,
      false,
    ],
    [
      "the longest prefix wins over a stricter short one",
      [rule("organization_prefix", "a", "deny"), rule("organization_prefix", "ac", "write")],
      "acme",
      true,
      true,
    ],
    [
      "the longest prefix wins over a laxer short one",
      [rule("organization_prefix", "ac", "deny"), rule("organization_prefix", "a", "write")],
      "acme",
      false,
      false,
    ],
    [
      "deny wins over write for the same segment",
      [rule("organization", "acme", "write"), rule("organization", "acme", "deny")],
      "acme",
      false,
      false,
    ],
    [
      "write wins over read for the same segment",
      [rule("organization", "acme", "read"), rule("organization", "acme", "write")],
      "acme",
      true,
      true,
    ],
    ["rules match names in any case", [rule("organization", "AcMe", "read")], "aCmE", true, false],
    [
      "a workspace rule says nothing about organizations",
      [rule("workspace_prefix", "", "write")],
      "acme",
      false,
      false,
    ],
  ];
  test.each(cases)("%s", (_what, rules, segment, read, write) => {
    for (const ordered of [rules, rules.toReversed()]) {
      const rights = compileRights(ordered);
      expect(rights.allows("organization", segment, "read")).toBe(read);
      expect(rights.allows("organization", segment, "write")).toBe(write);
    }
  });

  test("a workspace without a rule of its own follows its organization", () => {
    const rights = compileRights([rule("organization", "acme", "write"), rule("workspace", "acme/secret", "deny")]);
    expect(rights.allows("workspace", "acme/app", "write")).toBe(true);
    expect(rights.allows("workspace", "ACME/Secret", "read")).toBe(false);
    expect(rights.allows("workspace", "other/app", "read")).toBe(false);
  });

  test("a rule for one workspace opens neither its organization nor the next workspace", () => {
    const rights = compileRights([rule("workspace", "acme/app", "write")]);
    expect(rights.allows("workspace", "acme/app", "write")).toBe(true);
    expect(rights.allows("workspace", "acme/app2", "read")).toBe(false);
    expect(rights.allows("organization", "acme", "read")).toBe(false);
    expect(rights.visibleWorkspaces("acme")).toEqual({ ranges: [], names: ["app"], except: [] });
    expect(rights.visibleOrganizations()).toEqual({ ranges: [], names: [], except: [] });
  });

  test("the rights to everything allow everything and see everything", () => {
    expect(ALL_RIGHTS.allows("workspace", "any/thing", "write")).toBe(true);
    expect(sees(ALL_RIGHTS.visibleOrganizations(), "zz")).toBe(true);
    expect(sees(ALL_RIGHTS.visibleWorkspaces("a"), "")).toBe(true);
  });
});

describe("names are folded", () => {
  test("in their ASCII letters", () => {
    expect(fold("ABCXYZabc-_09")).toBe("abcxyzabc-_09");
  });

  test("incident 14: and in no other: nothing else may become a name that is taken", () => {
    for (const text of ["\u00c9", "\u212a", "\u0130", "\u017f", "\u1e9e", "\u03a3", "\uff21", "\u{10400}"]) {
      expect(fold(text)).toBe(text);
    }
  });
});

describe("on random rules", () => {
  const random = seeded(77);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const text = (alphabet: string, longest: number) =>
    Array.from({ length: Math.floor(random() * (longest + 1)) }, () => pick(alphabet.split(""))).join("");
  const kinds: RuleKind[] = ["organization", "organization_prefix", "workspace", "workspace_prefix"];
  const randomRules = () =>
    Array.from({ length: Math.floor(random() * 14) }, () => {
      const kind = pick(kinds);
      const segment =
        kind.startsWith("workspace") && random() < 0.8 ? `${text("abB", 2)}/${text("abA-z", 3)}` : text("abB-/é", 3);
      return rule(kind, segment, pick(["read", "write", "deny"]));
    });

  test("incidents 19, 20: every decision is the one that the plain reading of the rules gives, denials and prefix ends included", () => {
    for (let round = 0; round < 2000; round++) {
      const rules = randomRules();
      const rights = compileRights(rules);
      for (let name = 0; name < 10; name++) {
        const segment = name % 2 === 0 ? text("abB-z", 3) : `${text("abB", 2)}/${text("abA-z", 4)}`;
        const resource = name % 2 === 0 ? "organization" : "workspace";
        for (const access of ["read", "write"] as const) {
          const got = rights.allows(resource, segment, access);
          expect({ rules, segment, access, got }).toMatchObject({
            got: allowedNaively(rules, resource, segment, access),
          });
        }
      }
    }
  });

  test("incident 18: what a list shows is what may be read one by one", () => {
    for (let round = 0; round < 2000; round++) {
      const rules = randomRules();
      const rights = compileRights(rules);
      const organizations = rights.visibleOrganizations();
      const owner = text("abB", 2);
      const workspaces = rights.visibleWorkspaces(owner);
      for (let i = 0; i < 10; i++) {
        const name = text("ab-z", 4);
        const expected = {
          name,
          rules,
          organization: rights.allows("organization", name, "read"),
          workspace: rights.allows("workspace", `${owner}/${name}`, "read"),
        };
        expect({ name, rules, organization: sees(organizations, name), workspace: sees(workspaces, name) }).toEqual(
          expected,
        );
      }
    }
  });

  test("visible ranges are in order and do not touch each other", () => {
    for (let round = 0; round < 2000; round++) {
      const { ranges } = compileRights(randomRules()).visibleOrganizations();
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
