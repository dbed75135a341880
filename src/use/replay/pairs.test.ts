import { describe, expect, test } from "vitest";
import type { UsedRule, UseRow } from "../../records/uses/row.ts";
import { daysUsed, together } from "../days.ts";
import { isTouched, pairsOf, questionOf } from "./pairs.ts";

const HOME = { partition: "default", namespace: "default" };
const RULE: UsedRule = { policyId: "p", resource: "key", prefix: true, segment: "app/", permission: "write" };

function row(more: Partial<UseRow> = {}): UseRow {
  return {
    scope: HOME,
    subject: { kind: "token", accessorId: "a" },
    rule: RULE,
    decidedIn: HOME,
    resource: "key",
    name: "app/x",
    access: "read",
    column: "enforced",
    askedBy: "",
    total: 1,
    firstDay: 100,
    lastDay: 100,
    days: 1n,
    ...more,
  };
}

describe("rows of one question", () => {
  test("are one pair, by whichever rules and in whichever columns they were counted", () => {
    const other = { ...RULE, segment: "app/x", prefix: false };
    const rows = [
      row({ total: 3, days: 0b101n }),
      row({ column: "own", total: 4, firstDay: 90, lastDay: 102, days: 0b1n }),
      row({ column: "others", rule: other, total: 5, lastDay: 103, days: 0b1000n }),
    ];
    const [pair, ...more] = pairsOf(rows).values();
    expect(more).toEqual([]);
    // Days 98 and 100 of the first row, 102 of the second, and 100 again of the third.
    expect(pair).toMatchObject({ columns: { enforced: 3, own: 4, others: 5 }, rule: other });
    expect(pair?.use).toEqual({ total: 12, firstDay: 90, lastDay: 103, days: 0b101010n });
  });

  test("differ by name, access, place and, where names were folded, by the rule", () => {
    const rows = [
      row(),
      row({ name: "app/y" }),
      row({ access: "write" }),
      row({ decidedIn: { ...HOME, namespace: "team" } }),
      row({ name: undefined }),
      row({ name: undefined, rule: { ...RULE, segment: "app/x/" } }),
    ];
    expect(pairsOf(rows).size).toBe(rows.length);
  });
});

describe("days of use", () => {
  test("are counted back from today, also where the clock was set back since", () => {
    const use = { lastDay: 100, days: (1n << 40n) | (1n << 29n) | (1n << 10n) | 1n };
    expect(daysUsed(use, 100, 30)).toBe(3);
    expect(daysUsed(use, 101, 30)).toBe(2);
    expect(daysUsed(use, 119, 30)).toBe(2);
    expect(daysUsed(use, 120, 30)).toBe(1);
    expect(daysUsed(use, 130, 30)).toBe(0);
    expect(daysUsed(use, 90, 30)).toBe(3);
    expect(daysUsed(use, 100, 128)).toBe(4);
  });

  test("are forgotten beyond those that a row can tell apart", () => {
    const old = { total: 1, firstDay: 1, lastDay: 1, days: 1n };
    const use = { total: 2, firstDay: 129, lastDay: 129, days: 1n };
    expect(together(old, use)).toEqual({ total: 3, firstDay: 1, lastDay: 129, days: 1n });
    expect(together({ ...old, lastDay: 2 }, use).days).toBe((1n << 127n) | 1n);
  });
});

describe("the question of a pair", () => {
  const asked = (more: Partial<UseRow>) => {
    const [pair] = pairsOf([row(more)]).values();
    return pair && questionOf(pair);
  };

  test("is what was asked", () => {
    expect(asked({})).toEqual({ resource: "key", segment: "app/x", access: "read", scope: HOME });
    expect(asked({ name: "" })?.segment).toBe("");
  });

  test("is known without a name where the rule has only one", () => {
    const exact = { ...RULE, prefix: false, segment: "app/x" };
    expect(asked({ name: undefined, rule: exact })?.segment).toBe("app/x");
    const service = { ...exact, resource: "service" } as const;
    expect(asked({ name: undefined, resource: "intention", rule: service })).toMatchObject({
      resource: "intention",
      segment: "app/x",
    });
    const workspace = { ...exact, resource: "workspace", segment: "acme/prod" } as const;
    expect(asked({ name: undefined, access: "list", resource: "workspace", rule: workspace })).toMatchObject({
      segment: "acme/prod",
      access: "read",
    });
    const organization = { ...exact, resource: "organization", segment: "acme" } as const;
    expect(asked({ name: undefined, resource: "workspace", rule: organization })).toBeUndefined();
  });

  test("is not known where names were folded to a prefix, but for a list, which is as wide as the rule", () => {
    expect(asked({ name: undefined })).toBeUndefined();
    expect(asked({ name: undefined, access: "list" })).toEqual({
      resource: "key",
      segment: "app/\u{10FFFD}",
      access: "list",
      scope: HOME,
    });
    const workspaces = { ...RULE, resource: "workspace", segment: "ac" } as const;
    const list = asked({ name: undefined, access: "list", resource: "workspace", rule: workspaces });
    expect(list).toMatchObject({ segment: "ac\u{10FFFD}/\u{10FFFD}", access: "read" });
  });
});

test("folded names are touched by changed rules within their rule and around it, and by no others", () => {
  const [pair] = pairsOf([row({ name: undefined })]).values();
  const touched = (resource: "key" | "node", segment: string, isPrefix: boolean) => {
    const right = { resource, segment, isPrefix, access: "read", namespace: "default", partition: "default" };
    const where = { isNamespacePrefix: false, isPartitionPrefix: false };
    const question = { resource, segment, access: "read", scope: HOME } as const;
    return pair !== undefined && isTouched(pair, [{ question, right: { ...right, ...where } }]);
  };
  expect([touched("key", "app/x", false), touched("key", "app/x", true), touched("key", "a", true)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([touched("key", "a", false), touched("key", "b", true), touched("node", "app/x", false)]).toEqual([
    false,
    false,
    false,
  ]);
});
