/** Filters by values of cells, and changes of selected tokens, roles and binding rules. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { filteredBy, isFilteredBy, severalNames, type Filter } from "../../console/src/kit/filter.ts";
import { changedRule, type RuleChange } from "../../console/src/screens/binding-rules/change.ts";
import { changedGrants } from "../../console/src/kit/grants.ts";

const ONE: Filter = { name: "policy", title: "Policy" };
const SEVERAL: Filter = { name: "tags", title: "Tags", several: severalNames("tags") };

it("a cell sets a filter of one value, and adds to a filter of several values", () => {
  expect(filteredBy(ONE, "b", { policy: "a" })).toEqual({ policy: "b" });
  expect(filteredBy(SEVERAL, "b", { tags: "a" })).toEqual({ tags: "a,b" });
  expect(isFilteredBy(ONE, "a", { policy: "a,b" })).toBe(false);
  expect(isFilteredBy(SEVERAL, "b", { tags: "a,b" })).toBe(true);
  expect(isFilteredBy(SEVERAL, "c", { tags: "a,b" })).toBe(false);
});

it("every cell filters by a filter of its own list", () => {
  const lists = globSync("console/src/screens/*/list-of-*.tsx");
  const offered = lists.flatMap((file) => {
    const source = readFileSync(file, "utf8");
    const names = [...source.matchAll(/\bby: "([^"]+)"/g)].map(([, name = ""]) => name);
    return names.map((name) => [file, name, source.includes(`name: "${name}"`) || source.includes(`byTags("${name}"`)]);
  });
  expect(offered.filter(([, , isThere]) => isThere !== true)).toEqual([]);
  expect(offered.length).toBeGreaterThan(15);
});

const READER = { ID: "11111111-1111-1111-1111-111111111111", Name: "reader" };
const WRITER = { ID: "22222222-2222-2222-2222-222222222222", Name: "writer" };
const token = { Policies: [READER] };

it("policies and roles that a token lacks are added to the ones that it has", () => {
  const change = { isRemoval: false, policies: ["reader", "writer"], roles: ["ops"] };
  expect(changedGrants(token, change)).toEqual({ Policies: [READER, { Name: "writer" }], Roles: [{ Name: "ops" }] });
});

it("policies are removed by name or ID, and the others stay", () => {
  const both = { Policies: [READER, WRITER] };
  expect(changedGrants(both, { isRemoval: true, policies: ["writer"], roles: [] })).toEqual({ Policies: [READER] });
  expect(changedGrants(both, { isRemoval: true, policies: [READER.ID], roles: [] })).toEqual({ Policies: [WRITER] });
});

it("a token that has or lacks all of them already is not written", () => {
  expect(changedGrants(token, { isRemoval: false, policies: ["reader"], roles: [] })).toEqual({});
  expect(changedGrants(token, { isRemoval: false, policies: [READER.ID], roles: [] })).toEqual({});
  expect(changedGrants(token, { isRemoval: true, policies: ["writer"], roles: ["ops"] })).toEqual({});
});

const GRANTS: RuleChange = { action: "grants", bindType: "role", bindName: "ops", condition: "" };
const CONDITION: RuleChange = { ...GRANTS, action: "condition", condition: "value.env == prod" };
const RULE = { BindType: "role", BindName: "web", Selector: "value.team == a or value.team == b" } as const;

it("a condition holds beside the whole selector, and is added once", () => {
  const once = changedRule(RULE, CONDITION);
  expect(once).toEqual({ Selector: "(value.team == a or value.team == b) and (value.env == prod)" });
  expect(changedRule({ ...RULE, ...once }, CONDITION)).toEqual({});
  expect(changedRule({ ...RULE, Selector: "" }, CONDITION)).toEqual({ Selector: "value.env == prod" });
});

it("a grant replaces the other one with its variables, and the same one is not written", () => {
  expect(changedRule(RULE, GRANTS)).toEqual({ BindType: "role", BindName: "ops" });
  expect(changedRule({ ...RULE, BindName: "ops" }, GRANTS)).toEqual({});
  const templated = { BindType: "templated-policy", BindName: "builtin/service", BindVars: { Name: "web" } } as const;
  expect(changedRule(templated, GRANTS)).toEqual({ BindType: "role", BindName: "ops", BindVars: null });
});
