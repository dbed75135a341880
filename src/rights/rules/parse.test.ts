import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MANAGEMENT_RULES, READ_ONLY_RULES } from "./builtin.ts";
import { MAX_RULES_BYTES, parseInSteps, parseRules } from "./parse.ts";
import { LABELLED, SCALARS, SCOPES, type Rule } from "./rule.ts";
import { RulesError } from "./scanner.ts";

function errorOf(text: string): RulesError {
  try {
    parseRules(text);
  } catch (error) {
    if (error instanceof RulesError) return error;
    throw error;
  }
  throw new Error(`taken: ${text.slice(0, 100)}`);
}

describe("a text that is not in the language is refused with the place and what was expected", () => {
  const cases: [text: string, line: number, column: number, detail: string][] = [
    ['node "a" {', 1, 11, 'expected a name or "}", found the end of the text'],
    ['node "a" {\n  policy = "read"\n', 3, 1, 'expected a name or "}", found the end of the text'],
    ['node "a" {\n  policy "x" = "read"\n}', 2, 14, 'expected "{", found "="'],
    ['acl = "read"\n}', 2, 1, 'expected a name, found "}"'],
    ["acl", 1, 4, 'expected "=", "{" or a label, found the end of the text'],
    ["acl read", 1, 9, 'expected "{", found the end of the text'],
    ["acl = read", 1, 7, 'expected a quoted string, a number, true, false, a list or an object, found "read"'],
    ['acl = "read', 1, 12, 'expected a closing ", found the end of the text'],
    ['acl = "read\n"', 1, 12, 'expected a closing ", found the end of the line'],
    ['acl = "\\q"', 1, 8, "unknown escape sequence in a string"],
    ['key "\\U00110000" {}', 1, 6, "an escape sequence names no character"],
    ['key "é\u{1f600}" ;', 1, 10, 'expected "{", found ";"'],
    ["/* a\n b", 1, 1, 'expected "*/" that ends this comment'],
    ["a = <<EOF\nx\n EO", 1, 5, "expected a line EOF that ends this text"],
    ["a = <<\nx", 1, 5, "expected a marker and the end of the line after <<"],
    ["a = [1 2]", 1, 8, 'expected "," or "]", found "2"'],
    ["a = [", 1, 6, "expected a quoted string, a number, true, false, a list or an object, found the end of the text"],
    ["1 = 2", 1, 1, 'expected a name, found "1"'],
    ["- - -", 1, 1, 'expected a name, found "-"'],
    ["acl = {}", 1, 7, "expected a string for acl, found an object"],
    ['acl "x" { policy = "read" }', 1, 5, "expected a string for acl, found an object"],
    ['acl = ["read"]', 1, 7, "expected a string for acl, found a list"],
    ['node = "read"', 1, 8, 'expected a block with a label, such as node "name" { … }, found "read"'],
    ['node {\n policy = "read"\n}', 2, 11, 'expected a block with a label, such as node "name" { … }, found "read"'],
    ['node "a" {\n policy = ["read"]\n}', 2, 11, "expected a string for policy, found a list"],
    ["{", 1, 2, 'expected a quoted name or "}", found the end of the text'],
    ['{"acl": "read",,}', 1, 16, 'expected a quoted name, found ","'],
    ["{,}", 1, 2, 'expected a quoted name or "}", found ","'],
    ['{"acl" "read"}', 1, 8, 'expected ":", found "\\""'],
    ['{"acl": read}', 1, 9, 'expected a value, found "read"'],
    ['{"acl": 01}', 1, 10, 'expected "," or "}", found "1"'],
    ['{"acl":\n"read"} x', 2, 9, 'expected the end of the text, found "x"'],
    ['{"a": [1,,]}', 1, 10, 'expected a value, found ","'],
    ['{"a\tb": 1}', 1, 4, 'expected a character that needs no escape, found "\\t"'],
    ['{"a": "\\x41"}', 1, 8, "unknown escape sequence in a string"],
    ['{"node": null}', 1, 10, 'expected a block with a label, such as node "name" { … }, found null'],
    ['{"node": {"a": {"policy": {}}}}', 1, 27, "expected a string for policy, found an object"],
    ["a\0b", 1, 2, "the text contains NUL or an unpaired surrogate"],
    ['acl = "\ud800"', 1, 8, "the text contains NUL or an unpaired surrogate"],
    ['key "a\\u0000" {}', 1, 5, "a string contains NUL or an unpaired surrogate"],
    ['key "\\ud83d" {}', 1, 5, "a string contains NUL or an unpaired surrogate"],
    ['{"key": {"\\udc00\\ud800": {}}}', 1, 10, "a string contains NUL or an unpaired surrogate"],
  ];
  test.each(cases)("%j", (text, line, column, detail) => {
    const error = errorOf(text);
    expect(error.message).toBe(`Failed to parse ACL rules: line ${line}, column ${column}: ${detail}`);
    expect(error).toMatchObject({ line, column, code: "invalid" });
  });
});

describe("a permission that a kind does not have is refused in the words that clients know", () => {
  const cases: [text: string, message: string][] = [
    ['acl = "list"', 'Invalid acl policy: "list"'],
    ['acl = "deny "', 'Invalid acl policy: "deny "'],
    ["operator = true", 'Invalid operator policy: "true"'],
    ['{"mesh": 1}', 'Invalid mesh policy: "1"'],
    ['node "a" {}', 'Invalid node policy: {Name: "a", Policy: ""}'],
    ['node "a" { policy = "list" }', 'Invalid node policy: {Name: "a", Policy: "list"}'],
    ['node_prefix "a" { policy = "Reed" }', 'Invalid node_prefix policy: {Name: "a", Policy: "Reed"}'],
    ['key_prefix "" { policy = "x" }', 'Invalid key_prefix policy: {Name: "", Policy: "x"}'],
    ['organization "acme" { policy = "list" }', 'Invalid organization policy: {Name: "acme", Policy: "list"}'],
    ['workspace "a/b" { policy = "admin" }', 'Invalid workspace policy: {Name: "a/b", Policy: "admin"}'],
    ['service "a" { intentions = "read" }', 'Invalid service policy: {Name: "a", Policy: "", Intentions: "read"}'],
    [
      'service "a" { policy = "read" intentions = "list" }',
      'Invalid service intentions policy: {Name: "a", Policy: "read", Intentions: "list"}',
    ],
    [
      'service_prefix "a" { policy = "read" intentions = "x" }',
      'Invalid service_prefix intentions policy: {Name: "a", Policy: "read", Intentions: "x"}',
    ],
    ['node "a" { policy = "read" Policy = "x" }', 'Invalid node policy: {Name: "a", Policy: "x"}'],
    ['identity "a" { policy = "x" }', 'Invalid identity policy: {Name: "a", Policy: "x"}'],
    ['namespace "a" { policy = "x" }', 'Invalid namespace policy: {Name: "a", Policy: "x"}'],
    ['namespace "a" { acl = "x" }', 'Invalid acl policy: "x"'],
    ['namespace_prefix "" { service "b" { policy = "x" } }', 'Invalid service policy: {Name: "b", Policy: "x"}'],
    ['partition "a" { namespace "b" { key "c" {} } }', 'Invalid key policy: {Name: "c", Policy: ""}'],
    ['{"service": {"web": {"policy": "wriet"}}}', 'Invalid service policy: {Name: "web", Policy: "wriet"}'],
    ['node "a\\n\\"" { policy = "x" }', 'Invalid node policy: {Name: "a\\n\\"", Policy: "x"}'],
    [`node "a" { policy = "${"é".repeat(200)}" }`, `Invalid node policy: {Name: "a", Policy: "${"é".repeat(64)}…"}`],
  ];
  test.each(cases)("%s", (text, message) => {
    expect(errorOf(text).message).toBe(message);
  });

  test("with the place of the value, or of the block where there is none", () => {
    expect(errorOf('acl = "read"\n  node "a" { policy = "x" }')).toMatchObject({ line: 2, column: 23 });
    expect(errorOf('\n\n acl = "x"')).toMatchObject({ line: 3, column: 8 });
    expect(errorOf('node "a" {}')).toMatchObject({ line: 1, column: 6, found: { field: "policy", value: "" } });
  });

  test.each([...SCALARS])("%s has read, write and deny", (kind) => {
    for (const policy of ["read", "write", "deny"]) {
      expect(parseRules(`${kind} = "${policy}"`)).toEqual([{ resource: kind, prefix: false, segment: "", policy }]);
    }
    expect(errorOf(`${kind} = "list"`).message).toBe(`Invalid ${kind} policy: "list"`);
  });

  test.each([...LABELLED])("%s has read, write and deny, and list only as key", (kind) => {
    for (const [name, prefix] of [
      [kind, false],
      [`${kind}_prefix`, true],
    ] as const) {
      for (const policy of ["read", "write", "deny"]) {
        expect(parseRules(`${name} "A" { policy = "${policy}" }`)).toEqual([
          { resource: kind, prefix, segment: "A", policy },
        ]);
      }
      const list = `${name} "a" { policy = "list" }`;
      if (kind === "key") expect(parseRules(list)).toHaveLength(1);
      else expect(errorOf(list).message).toBe(`Invalid ${name} policy: {Name: "a", Policy: "list"}`);
    }
  });
});

describe("hostile texts", () => {
  const bytes = MAX_RULES_BYTES;
  const filled = (piece: string) => piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);

  test.each([
    ["braces of HCL", "a ".repeat(1) + "{ a ".repeat(10_000)],
    ["braces of JSON", '{"a":'.repeat(10_000)],
    ["lists of HCL", `a = ${"[".repeat(10_000)}`],
    ["lists of JSON", `{"a":${"[".repeat(10_000)}`],
    ["labels", `a ${'"b" '.repeat(10_000)}{}`],
  ])("10,000 nested %s are refused", (_what, text) => {
    expect(errorOf(text).message).toMatch(/: nested deeper than 100 levels$/);
  });

  test("100 levels are taken, one more is not", () => {
    const nested = (levels: number) => `a ${"{ a ".repeat(levels - 1)}{ ${"}".repeat(levels)}`;
    expect(parseRules(nested(100))).toEqual([]);
    expect(errorOf(nested(101)).message).toContain("nested deeper");
  });

  test.each([
    "{",
    "}",
    '"',
    "\\",
    "#",
    "#\n",
    "/*",
    "/* ",
    "a ",
    "a=",
    '"a" ',
    "<<a\n",
    "a=<<a\n",
    "[",
    ",",
    "\n",
    "é",
  ])("512 KiB of %j end, with rules or a refusal", (piece) => {
    const text = filled(piece);
    const fitting = piece === "é" ? text.slice(0, bytes / 2) : text;
    if (["#", "#\n", "\n"].includes(piece)) expect(parseRules(fitting)).toEqual([]);
    else expect(errorOf(fitting).message).toMatch(/^Failed to parse ACL rules: line \d+, column \d+: /);
  });

  test("512 KiB are taken, a byte more is not", () => {
    expect(parseRules(filled(" "))).toEqual([]);
    expect(parseRules(filled('key "a" { policy = "read" }\n').replace(/[^\n]*$/, "")).length).toBeGreaterThan(18_000);
    expect(errorOf(`${filled(" ")} `).message).toBe(
      "Failed to parse ACL rules: line 1, column 1: the text has 524289 bytes, expected at most 524288",
    );
    expect(errorOf("é".repeat(bytes / 2 + 1)).message).toContain("the text has 524290 bytes");
  });

  test("the place of an error far down is exact", () => {
    expect(errorOf(`${"acl { }\n".repeat(20_000)}  ?`)).toMatchObject({ line: 20_001, column: 3 });
  });
});

describe("what is read", () => {
  test("namespace and partition blocks are kept with their rules, without those that they cannot have", () => {
    const text = `
      partition "eu" {
        policy = "read"
        mesh = "write"
        operator = "write"
        namespace_prefix "team-" {
          policy = "write"
          intentions = "read"
          acl = "write"
          mesh = "write"
          organization "acme" { policy = "write" }
          service "web" { policy = "write" intentions = "deny" }
        }
      }`;
    const service = { resource: "service", prefix: false, segment: "web", policy: "write", intentions: "deny" };
    const inner = [{ resource: "acl", prefix: false, segment: "", policy: "write" }, service];
    expect(parseRules(text)).toEqual([
      {
        kind: "partition",
        prefix: false,
        segment: "eu",
        policy: "read",
        rules: [
          { resource: "mesh", prefix: false, segment: "", policy: "write" },
          { kind: "namespace", prefix: true, segment: "team-", policy: "write", intentions: "read", rules: inner },
        ],
      },
    ]);
  });

  test("both spellings that the documentation shows are the same rules", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/rules.md"), "utf8");
    const [hcl, json] = ["hcl", "json"].map(
      (name) => new RegExp(`\`\`\`${name}\n(.*?)\`\`\``, "s").exec(page)?.[1] ?? "",
    );
    expect(parseRules(hcl ?? "")).toHaveLength(3);
    expect(parseRules(json ?? "")).toEqual(parseRules(hcl ?? ""));
  });

  test.each([
    ["global-management", MANAGEMENT_RULES, "write"],
    ["builtin/global-read-only", READ_ONLY_RULES, "read"],
  ] as const)("the built-in policy %s has a rule of every kind, at the top and in blocks", (_name, text, policy) => {
    const inNamespace = ["acl", "key", "node", "service", "session"];
    const inPartition = [...inNamespace, "agent", "event", "mesh", "namespace", "peering", "query"];
    const top = checkAll(parseRules(text), policy, [...SCALARS, ...LABELLED, ...SCOPES]);
    const partition = checkAll(blockIn(top, "partition"), policy, inPartition);
    for (const outer of [top, partition]) checkAll(blockIn(outer, "namespace"), policy, inNamespace);
  });
});

/** Checks that there is one rule of each kind, for all names. */
function checkAll(rules: readonly Rule[], policy: string, kinds: readonly string[]): readonly Rule[] {
  expect(rules.map(kindOf).sort()).toEqual([...kinds].sort());
  for (const rule of rules) {
    const kind = kindOf(rule);
    expect(rule).toMatchObject({ segment: "", prefix: !(SCALARS as readonly string[]).includes(kind), policy });
    if (kind === "service") expect(rule.intentions).toBe(policy);
  }
  return rules;
}

function kindOf(rule: Rule): string {
  return "kind" in rule ? rule.kind : rule.resource;
}

function blockIn(rules: readonly Rule[], kind: string): readonly Rule[] {
  return rules.flatMap((rule) => ("kind" in rule && rule.kind === kind ? rule.rules : []));
}

test.each([
  ["HCL", (label: string) => `key "${label}" { policy = "read" }`],
  ["JSON", (label: string) => `{"key": {"${label}": {"policy": "read"}}}`],
])(
  "incident 84: one string of half a megabyte, of escape sequences alone, is read in many steps: %s",
  (_name, rules) => {
    const steps = parseInSteps(rules(String.raw`\n`.repeat(250_000)), "enterprise");
    let pauses = 0;
    while (steps.next().done !== true) pauses++;
    expect(pauses).toBeGreaterThan(500);
  },
);
