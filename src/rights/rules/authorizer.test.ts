import { DEFAULT_SCOPE } from "../scope.ts";
import { describe, expect, test } from "vitest";
import { compileAuthorizer } from "./compile.ts";
import { type PolicyLink, type PolicyRules, ACCESSES, isResource } from "./rule.ts";
import { MANAGEMENT_RULES, READ_ONLY_RULES } from "./builtin.ts";
import { explained } from "./authorizer.ts";
import { NO_FACTS } from "./question.ts";
import { fold } from "../../fold.ts";
import { parseRules } from "./parse.ts";

const DIRECT: PolicyLink = { kind: "direct" };

function policy(id: string, text: string, links: PolicyLink[] = [DIRECT], home = DEFAULT_SCOPE): PolicyRules {
  return { id, name: `name-${id}`, rules: parseRules(text), home, links };
}

const named = (id: string, links: PolicyLink[] = [DIRECT]) => ({ ID: id, Name: `name-${id}`, Links: links });

function compile(direct: PolicyRules[], defaults: PolicyRules[] = [], defaultPolicy: "allow" | "deny" = "deny") {
  return compileAuthorizer({ direct, defaults, defaultPolicy });
}

describe("an explanation", () => {
  test("names the rule, and every policy that holds it, with its links", () => {
    const role: PolicyLink = { kind: "role", id: "r", name: "ops" };
    const authorizer = compile([
      policy("1", 'key_prefix "a/" { policy = "write" }', [DIRECT, role]),
      policy("2", 'key_prefix "a/" { policy = "read" }'),
      policy("3", 'key_prefix "a/" { policy = "write" } key_prefix "" { policy = "deny" }', [role]),
    ]);
    expect(explained(authorizer.decide("key", "a/b", "write", NO_FACTS))).toEqual({
      allow: true,
      decidedBy: "direct",
      rule: { Resource: "key", Segment: "a/", Prefix: true, Policy: "write" },
      policies: [named("1", [DIRECT, role]), named("3", [role])],
    });
  });

  test("names only the policies whose permission won", () => {
    const authorizer = compile([
      policy("1", 'node "a" { policy = "write" }'),
      policy("2", 'node "a" { policy = "deny" }'),
      policy("3", 'node "a" { policy = "deny" }'),
    ]);
    expect(explained(authorizer.decide("node", "a", "read", NO_FACTS))).toEqual({
      allow: false,
      decidedBy: "direct",
      rule: { Resource: "node", Segment: "a", Policy: "deny" },
      policies: [named("2"), named("3")],
    });
  });

  test("names the policy that gives list, not the one that gives read", () => {
    const authorizer = compile([
      policy("1", 'key "a" { policy = "read" }'),
      policy("2", 'key "a" { policy = "list" }'),
      policy("3", 'key "a" { policy = "read" }'),
    ]);
    expect(explained(authorizer.decide("key", "a", "list", NO_FACTS))).toMatchObject({
      rule: { Policy: "list" },
      policies: [named("2")],
    });
  });

  test("names a policy once that says the same several times", () => {
    const authorizer = compile([
      policy("1", 'key "a" { policy = "read" } key "a" { policy = "deny" } key "a" { policy = "deny" }'),
    ]);
    expect(explained(authorizer.decide("key", "a", "read", NO_FACTS))).toMatchObject({ policies: [named("1")] });
  });

  test("says that a default decided, and that the default policy did", () => {
    const link: PolicyLink = { kind: "default", namespace: "team" };
    const authorizer = compile([], [policy("1", 'node "a" { policy = "read" }', [link])], "allow");
    expect(explained(authorizer.decide("node", "a", "write", NO_FACTS))).toEqual({
      allow: false,
      decidedBy: "default",
      rule: { Resource: "node", Segment: "a", Policy: "read" },
      policies: [named("1", [link])],
    });
    expect(explained(authorizer.decide("node", "b", "write", NO_FACTS))).toEqual({
      allow: true,
      decidedBy: "default-policy",
    });
    expect(explained(authorizer.decide("acl", "", "read", NO_FACTS))).toEqual({
      allow: false,
      decidedBy: "default-policy",
    });
  });

  test("names the rule of the other kind that decided", () => {
    const authorizer = compile([
      policy("1", 'operator = "read" organization "Acme" { policy = "write" } service "web" { policy = "write" }'),
    ]);
    const rule = (Resource: string, Segment: string, Policy: string) => ({ rule: { Resource, Segment, Policy } });
    expect(explained(authorizer.decide("mesh", "", "read", NO_FACTS))).toMatchObject(rule("operator", "", "read"));
    expect(explained(authorizer.decide("workspace", "ACME/x", "write", NO_FACTS))).toMatchObject(
      rule("organization", "acme", "write"),
    );
    expect(explained(authorizer.decide("intention", "web", "write", NO_FACTS))).toMatchObject(
      rule("service", "web", "read"),
    );
  });

  test("names the service that decides on all intentions, and the key that keeps a tree", () => {
    const authorizer = compile([
      policy("1", 'service_prefix "" { policy = "write" intentions = "write" } key_prefix "" { policy = "write" }'),
      policy("2", 'service "db" { policy = "read" } key "a/b" { policy = "read" }'),
    ]);
    expect(explained(authorizer.decide("intention", "*", "write", NO_FACTS))).toMatchObject({
      allow: false,
      rule: { Resource: "service", Segment: "db", Policy: "read" },
      policies: [named("2")],
    });
    expect(explained(authorizer.decide("key", "a/", "write-prefix", NO_FACTS))).toMatchObject({
      allow: false,
      rule: { Resource: "key", Segment: "a/b", Policy: "read" },
      policies: [named("2")],
    });
  });
});

const TENANT = { partition: "default", namespace: "tenant" };

describe("policies of other namespaces", () => {
  test("take nothing from those of the default namespace and add nothing", () => {
    const authorizer = compile([
      policy("1", 'organization "acme" { policy = "write" }'),
      policy(
        "2",
        'organization_prefix "" { policy = "write" } organization "acme" { policy = "deny" }',
        [DIRECT],
        TENANT,
      ),
    ]);
    expect(authorizer.decide("organization", "acme", "write", NO_FACTS).allow).toBe(true);
    expect(authorizer.decide("organization", "other", "read", NO_FACTS).allow).toBe(false);
    expect(authorizer.visibleOrganizations()).toEqual({ ranges: [], names: ["acme"], except: [] });
  });

  test("give no operator rights by mesh and peering either", () => {
    const foreign = policy("1", MANAGEMENT_RULES, [DIRECT], TENANT);
    for (const authorizer of [compile([foreign]).in(TENANT), compile([], [foreign]).in(TENANT)]) {
      for (const resource of ["operator", "keyring", "organization", "workspace"] as const) {
        expect(authorizer.decide(resource, "a/b", "read", NO_FACTS).allow).toBe(false);
      }
      expect(authorizer.decide("mesh", "", "read", NO_FACTS).allow).toBe(false);
      expect(authorizer.decide("service", "a", "write", NO_FACTS).allow).toBe(true);
    }
  });
});

describe("the built-in policies", () => {
  test.each([...ACCESSES])(
    "management may do everything with %s, the read-only one may only read",
    (name, accesses) => {
      if (!isResource(name)) throw new Error(name);
      const management = compile([policy("1", MANAGEMENT_RULES)]);
      const reader = compile([policy("2", READ_ONLY_RULES)]);
      for (const segment of ["", "a", "a/b", "*"]) {
        for (const access of accesses) {
          expect(management.decide(name, segment, access, NO_FACTS).allow).toBe(true);
          expect(reader.decide(name, segment, access, NO_FACTS).allow).toBe(access === "read");
        }
      }
    },
  );

  test.each([
    ["that manages", MANAGEMENT_RULES],
    ["that reads", READ_ONLY_RULES],
  ])("see everything: the one %s", (_which, text) => {
    const rights = compile([policy("1", text)]);
    const everything = { ranges: [{ from: "", to: undefined }], names: [], except: [] };
    expect(rights.visibleOrganizations()).toEqual(everything);
    expect(rights.visibleWorkspaces("a")).toEqual(everything);
    for (const partition of ["default", "p2"]) {
      expect(rights.visibleNamespaces(partition)).toMatchObject({ ranges: everything.ranges, except: [] });
      expect(rights.aclNamespaces(partition)).toMatchObject({ ranges: everything.ranges, except: [] });
    }
  });
});

describe("what may be seen", () => {
  test("a rule for one workspace opens neither its organization nor the next workspace", () => {
    const rights = compile([policy("1", 'workspace "acme/app" { policy = "write" }')]);
    expect(rights.visibleWorkspaces("ACME")).toEqual({ ranges: [], names: ["app"], except: [] });
    expect(rights.visibleOrganizations()).toEqual({ ranges: [], names: [], except: [] });
  });

  test("a rule for names that cannot exist adds nothing to the query", () => {
    const text = 'organization_prefix "é" { policy = "read" } organization "\u{1f600}" { policy = "read" }';
    expect(compile([policy("1", text)]).visibleOrganizations()).toEqual({ ranges: [], names: [], except: [] });
  });

  test("incident 18: a block that has no rules inside shows its namespace in the list too, or hides it", () => {
    const text = 'namespace "team" { policy = "read" } namespace_prefix "ops-" { policy = "write" }';
    expect(compile([policy("1", text)]).visibleNamespaces("default")).toMatchObject({
      ranges: [{ from: "ops-", to: "ops." }],
      names: ["team"],
    });
    const hidden = 'namespace_prefix "" { acl = "read" } namespace "team" { policy = "deny" }';
    const rights = compile([policy("1", hidden)]);
    expect(rights.decideSight({ partition: "default", namespace: "team" }, NO_FACTS).allow).toBe(false);
    expect(rights.visibleNamespaces("default").except).toContain("team");
  });

  test("incident 18: a block for names that cannot exist does not open other namespaces to a list", () => {
    const read = 'namespace_prefix "" { acl = "read" } namespace_prefix "ab" { acl = "deny" }';
    const odd = ["\uffff", "a\uffff", "\u{1f600}", "é"];
    const text = odd.map((prefix) => `namespace_prefix "${prefix}" { acl = "deny" }`).join("\n");
    const visible = compile([policy("1", `${read}\n${text}`)]).aclNamespaces("default");
    const shows = (name: string) =>
      visible.ranges.some(({ from, to }) => name >= from && (to === undefined || name < to));
    expect(["a", "ab", "abc", "ac", "b"].filter(shows)).toEqual(["a", "ac", "b"]);
  });

  test("own rules hide those of the defaults, and leave the rest to them", () => {
    const direct = policy("1", 'organization_prefix "b" { policy = "deny" } organization "c" { policy = "read" }');
    const defaults = policy("2", 'organization_prefix "" { policy = "read" } organization "bb" { policy = "read" }');
    expect(compile([direct], [defaults]).visibleOrganizations()).toEqual({
      ranges: [
        { from: "", to: "b" },
        { from: "c", to: undefined },
      ],
      names: ["c"],
      except: [],
    });
  });
});

describe("a policy that does not lie in default/default", () => {
  const readsKeys = (authorizer: ReturnType<typeof compile>, partition: string, namespace: string) =>
    authorizer.in({ partition, namespace }).decide("key", "a", "read", NO_FACTS).allow;

  test("reaches no other namespace from one that is not default", () => {
    const text = 'namespace_prefix "" { key_prefix "" { policy = "write" } }';
    const authorizer = compile([policy("1", text, [DIRECT], { partition: "default", namespace: "team" })]);
    const namespaces = ["team", "teams", "default", "other"];
    expect(namespaces.filter((namespace) => readsKeys(authorizer, "default", namespace))).toEqual([]);
  });

  test("reaches no other partition, also where its block is about names that begin alike", () => {
    const text = 'partition_prefix "oth" { key_prefix "" { policy = "write" } }';
    const authorizer = compile([policy("1", text, [DIRECT], { partition: "other", namespace: "default" })]);
    const partitions = ["other", "others", "oth", "default"];
    expect(partitions.filter((partition) => readsKeys(authorizer, partition, "default"))).toEqual(["other"]);
  });
});

describe("what closer rules deny", () => {
  test("does not show a namespace by what further ones allow in all of them", () => {
    const text = 'namespace_prefix "" { key "a" { policy = "read" } } namespace "team" { key "a" { policy = "deny" } }';
    const authorizer = compile([policy("1", text)]);
    const sees = (namespace: string) => authorizer.decideSight({ partition: "default", namespace }, NO_FACTS).allow;
    expect(["team", "other"].filter(sees)).toEqual(["other"]);
  });

  test("is left out of a list of workspaces, whatever their organization allows", () => {
    const workspaces = 'workspace_prefix "acme/" { policy = "deny" } workspace "acme/a" { policy = "read" }';
    const authorizer = compile([policy("1", `organization "acme" { policy = "write" } ${workspaces}`)]);
    expect(authorizer.visibleWorkspaces("acme")).toEqual({ ranges: [], names: ["a"], except: [] });
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

test("the estimate of memory grows with every rule, those that are cut off apart", () => {
  const rules = (count: number) =>
    Array.from({ length: count }, (_, i) => `organization "name-${i}" { policy = "read" }`).join("\n");
  const bytes = [0, 10, 1000].map((count) => compile([policy("1", rules(count))]).bytes);
  expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  expect(bytes[2]).toBeGreaterThan(1000 * 100);
  expect(compile([policy("1", rules(1000), [DIRECT], TENANT)]).in(TENANT).bytes).toBe(bytes[0]);
});
