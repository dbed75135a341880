import { describe, expect, it } from "vitest";
import { checkTagRules, compileTagRules, type TagState } from "./check.ts";
import { judgeNames, violationsOfWrite, warningsOf, type Verdict } from "./enforce.ts";
import type { TagRule } from "./rule.ts";

const state = (tags: string[], values: Record<string, string> = {}, projectId = "prj-one"): TagState => ({
  projectId,
  tags,
  bindings: Object.entries(values).map(([key, value]) => ({ key, value })),
});
const owners: TagRule = { name: "owners", requiredKeys: ["owner", "env"] };
const stages: TagRule = { name: "stages", key: "env", allowedValues: ["dev", "prod"] };
const costs: TagRule = { name: "costs", key: "cost", valuePattern: "[0-9]{2,4}|none" };
const naming: TagRule = { name: "names", namingPattern: "[a-z-]+" };

/** As `rule: subject`. */
function broken(rules: TagRule[], held: TagState): string[] {
  return checkTagRules(compileTagRules(rules), held).map(({ rule, subject }) => `${rule}: ${subject}`);
}

describe("checkTagRules", () => {
  it("a required key is there as a binding with any value, or as a flat tag, in just this case", () => {
    expect(broken([owners], state([]))).toEqual(["owners: owner", "owners: env"]);
    expect(broken([owners], state(["owner"], { env: "" }))).toEqual([]);
    expect(broken([owners], state(["env"], { Owner: "me" }))).toEqual(["owners: owner"]);
  });

  it("the value of a key is one of a list, or fits a pattern as a whole; a key that is not there has none", () => {
    expect(broken([stages, costs], state(["env", "cost"]))).toEqual([]);
    expect(broken([stages, costs], state([], { env: "dev", cost: "12" }))).toEqual([]);
    expect(broken([stages, costs], state([], { env: "", cost: "12345" }))).toEqual(["stages: env", "costs: cost"]);
    expect(broken([stages, costs], state([], { env: "Prod", cost: "xnone" }))).toEqual(["stages: env", "costs: cost"]);
    expect(checkTagRules(compileTagRules([stages]), state([], { env: "test" }))).toEqual([
      {
        rule: "stages",
        kind: "value",
        subject: "env",
        detail: 'The value of env must be one of "dev", "prod", and is "test"',
      },
    ]);
  });

  it("a naming pattern is for the whole name of each tag and key, each told once", () => {
    expect(broken([naming], state(["ab", "a1"], { a1: "x", "c-d": "1", X: "" }))).toEqual(["names: a1", "names: X"]);
    expect(broken([{ name: "begin", namingPattern: "a|b" }], state(["ab", "a"]))).toEqual(["begin: ab"]);
    expect(broken([{ name: "tied", namingPattern: "^a$" }], state(["a"]))).toEqual([]);
  });

  it("a rule of a project is for its workspaces alone", () => {
    const rules = [owners, stages, naming].map((rule) => ({ ...rule, project: "prj-one" }));
    const held = state(["X"], { env: "test" });
    expect(broken(rules, held)).toHaveLength(3);
    expect(broken(rules, { ...held, projectId: "prj-two" })).toEqual([]);
  });

  it("what takes too long to compare counts as broken, and the same tags always come to the same", () => {
    const costly: TagRule = { name: "costly", namingPattern: "(a?){100}[a-z]*" };
    const tags = Array.from({ length: 1000 }, (_, index) => `${"a".repeat(200)}${index}`);
    const compiled = compileTagRules([owners, costly]);
    const [first, second] = [checkTagRules(compiled, state(tags)), checkTagRules(compiled, state(tags))];
    expect(first.map(({ rule, kind }) => [rule, kind])).toEqual([
      ["owners", "required"],
      ["owners", "required"],
      ["costly", "limit"],
    ]);
    expect(second).toEqual(first);
  });
});

describe("violationsOfWrite", () => {
  const rules = compileTagRules([owners, stages, naming]);
  const added = (before: TagState | undefined, after: TagState, sets: string[] = []) =>
    violationsOfWrite(rules, { before, after, sets }).map(({ rule, subject }) => `${rule}: ${subject}`);

  it("a workspace that is made answers for all that it lacks", () => {
    expect(added(undefined, state(["a1"], { env: "x" }))).toEqual(["owners: owner", "stages: env", "names: a1"]);
  });

  it("a workspace that fell short may be changed otherwise", () => {
    const before = state(["a1"], { env: "x" });
    expect(added(before, before)).toEqual([]);
    expect(added(before, state(["a1", "fine"], { env: "x" }), ["fine"])).toEqual([]);
    expect(added(before, state(["a1"], { env: "dev" }), ["env"])).toEqual([]);
  });

  it("a write answers for what it sets, also where it was so before, and for what it takes away", () => {
    const before = state(["a1"], { env: "x", owner: "me" });
    expect(added(before, before, ["a1"])).toEqual(["names: a1"]);
    expect(added(before, before, ["env"])).toEqual(["stages: env"]);
    expect(added(before, state(["a1"], { env: "y", owner: "me" }))).toEqual(["stages: env"]);
    expect(added(before, state(["a1"], { env: "x" }))).toEqual(["owners: owner"]);
    expect(added(before, state(["a1", "owner"], { env: "x" }), ["owner"])).toEqual([]);
    expect(added(before, state(["a1", "a2"], { env: "x", owner: "me" }))).toEqual(["names: a2"]);
  });

  it("a move answers for the rules of the new project that the workspace breaks", () => {
    const ofTwo = compileTagRules([naming, { name: "two", project: "prj-two", requiredKeys: ["env"] }]);
    const before = state(["a1"]);
    const move = (after: TagState, sets: string[] = []) =>
      violationsOfWrite(ofTwo, { before, after, sets }).map(({ rule, subject }) => `${rule}: ${subject}`);
    expect(move(state(["a1"], {}, "prj-two"))).toEqual(["two: env"]);
    expect(move(state(["a1"], { env: "x" }, "prj-two"))).toEqual([]);
    expect(move(state(["a1"], { env: "x" }, "prj-two"), ["a1"])).toEqual(["names: a1"]);
  });
});

describe("judging", () => {
  const rules = compileTagRules([owners, stages, { ...naming, project: "prj-one" }]);

  it("nothing is asked where there is no policy", () => {
    expect(warningsOf(judgeNames(undefined, ["X"]))).toEqual([]);
  });

  it("a policy that advises warns, each thing once, and one that refuses names the rule", () => {
    const write = { before: undefined, after: state([], { env: "x" }), sets: ["env"] };
    const violations = violationsOfWrite(rules, write);
    const both: Verdict["broken"] = new Map([
      ["ws-one", violations],
      ["ws-two", violations],
    ]);
    expect(warningsOf({ enforce: "advise", broken: both })).toEqual([
      { rule: "owners", detail: "The key owner is missing" },
      { rule: "stages", detail: 'The value of env must be one of "dev", "prod", and is "x"' },
    ]);
    expect(() => warningsOf({ enforce: "refuse", broken: both })).toThrow(
      expect.objectContaining({
        code: "invalid",
        message: 'Tag policy rule "owners": The key owner is missing (and 3 more)',
      }),
    );
  });

  it("names of the pool answer to the rules for all projects", () => {
    const policy = { enforce: "advise" as const, rules };
    expect(warningsOf(judgeNames(policy, ["X"]))).toEqual([]);
    expect(warningsOf(judgeNames({ ...policy, rules: compileTagRules([naming]) }, ["X", "x"]))).toHaveLength(1);
  });

  it("an answer has a hundred warnings at most, and names together take no more work than one workspace", () => {
    const names = Array.from({ length: 300 }, (_, index) => `t${index}`);
    const policy = { enforce: "advise" as const, rules: compileTagRules([naming]) };
    expect(warningsOf(judgeNames(policy, names))).toHaveLength(100);
    const costly = compileTagRules([{ name: "costly", namingPattern: "(a?){100}[a-z]*" }]);
    const long = Array.from({ length: 1000 }, (_, index) => "a".repeat(200 + (index % 50)));
    const details = warningsOf(judgeNames({ enforce: "advise", rules: costly }, long));
    expect(details).toContainEqual({ rule: "costly", detail: expect.stringContaining("too long") });
  });
});
