import { expect, it } from "vitest";
import type { CsvEntry } from "./read-csv.ts";
import { FileReader } from "./read-file.ts";
import type { PolicyRecord } from "./records.ts";
import { headText, recordText } from "./write-record.ts";

function read(format: "csv" | "jsonl", text: string): CsvEntry[] {
  const reader = new FileReader(format);
  return [...reader.push(Buffer.from(text)), ...reader.end()];
}

const POLICY: PolicyRecord = {
  kind: "tag-policy",
  name: "policy",
  enforce: "refuse",
  rules: [
    { name: "zz owners", requiredKeys: ["owner", "-k"] },
    { name: "stages", project: '=A, "b"', key: "@env", allowedValues: ["dev", "", "=1+1", "a\nb", "'x", "dev"] },
    { name: "costs", key: "cost", valuePattern: "-?[0-9]{1,4}" },
    { name: "names", namingPattern: "=\\w+|\"|'", requiredKeys: ["+"] },
    { name: "10", namingPattern: "" },
  ],
};

it.each(["csv", "jsonl"] as const)("rules are read from %s as they were written", (format) => {
  const bare: PolicyRecord = { kind: "tag-policy", name: "policy", enforce: "advise", rules: [] };
  for (const record of [POLICY, bare]) {
    const text = headText(format) + recordText(record, format);
    const [found, ...others] = read(format, text);
    expect([found, others]).toEqual([{ line: format === "csv" ? 2 : 1, record }, []]);
    if (found !== undefined && "record" in found)
      expect(headText(format) + recordText(found.record, format)).toBe(text);
  }
});

it("of rules each line of CSV says one thing, and none begins like a formula", () => {
  const text = recordText(POLICY, "csv");
  expect(text.split("\r\n")).toEqual([
    "tag-policy,policy,,enforce,refuse",
    "tag-policy,policy,zz owners,required-keys,owner",
    "tag-policy,policy,zz owners,required-keys,'-k",
    'tag-policy,policy,stages,project,"\'=A, ""b"""',
    "tag-policy,policy,stages,key,'@env",
    "tag-policy,policy,stages,allowed-values,dev",
    "tag-policy,policy,stages,allowed-values,",
    "tag-policy,policy,stages,allowed-values,'=1+1",
    'tag-policy,policy,stages,allowed-values,"a\nb"',
    "tag-policy,policy,stages,allowed-values,''x",
    "tag-policy,policy,stages,allowed-values,dev",
    "tag-policy,policy,costs,key,cost",
    'tag-policy,policy,costs,value-pattern,"\'-?[0-9]{1,4}"',
    "tag-policy,policy,names,required-keys,'+",
    'tag-policy,policy,names,naming-pattern,"\'=\\w+|""|\'"',
    "tag-policy,policy,10,naming-pattern,",
    "",
  ]);
});

it("what is left out of rules is not said, and nothing", () => {
  const record = { kind: "tag-policy", name: "policy", enforce: undefined, rules: [] };
  expect(read("jsonl", '{"kind":"tag-policy","name":"policy"}')).toEqual([{ line: 1, record }]);
  expect(read("csv", "kind,name\ntag-policy,policy\n")).toEqual([{ line: 2, record }]);
  expect(read("csv", "kind,name,tag,key,value\ntag-policy,policy,n,naming-pattern,a\n")).toEqual([
    { line: 2, record: { ...record, rules: [{ name: "n", namingPattern: "a" }] } },
  ]);
});

const ruleLine = (...rules: object[]) => JSON.stringify({ kind: "tag-policy", name: "policy", rules });
const named = (count: number, prefix = "k") => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

it.each([
  ["another name", '{"kind":"tag-policy","name":"Policy"}', "The name of a tag-policy is policy"],
  ["another way to enforce", '{"kind":"tag-policy","name":"policy","enforce":"ask"}', "malformed at /enforce"],
  ["an unknown member", '{"kind":"tag-policy","name":"policy","mode":"ask"}', "malformed"],
  [
    "an unknown member of a rule",
    ruleLine({ name: "a", "naming-pattern": "a", pattern: "a" }),
    "malformed at /rules/0",
  ],
  ["a rule without a name", ruleLine({ "naming-pattern": "a" }), "malformed at /rules/0"],
  ["null", ruleLine({ name: "a", key: null, "naming-pattern": "a" }), "malformed at /rules/0/key"],
  ["a bad name of a rule", ruleLine({ name: "-a", "naming-pattern": "a" }), "Name must have"],
  ["a rule that asks nothing", ruleLine({ name: "a" }), 'Rule "a": A rule requires'],
  ["a rule twice", ruleLine({ name: "a", "naming-pattern": "a" }, { name: "a", "naming-pattern": "b" }), "is repeated"],
  ["a broken pattern", ruleLine({ name: "a", "naming-pattern": "(" }), 'Rule "a": Pattern is malformed'],
  ["a bad key", ruleLine({ name: "a", "required-keys": ["a b"] }), 'Rule "a": Key "a b" may only'],
  ["a NUL", ruleLine({ name: "a", key: "k", "allowed-values": ["\0"] }), 'Rule "a": Text must not contain'],
  ["a lone surrogate", ruleLine({ name: "a", key: "k", "allowed-values": ["\ud800"] }), 'Rule "a": Text must not'],
  [
    "a project without a name",
    ruleLine({ name: "a", project: "", "naming-pattern": "a" }),
    "project: The name is missing",
  ],
  [
    "a long name of a project",
    ruleLine({ name: "a", project: "p".repeat(256), "naming-pattern": "a" }),
    "longer than 255",
  ],
  ["51 rules", ruleLine(...named(51).map((name) => ({ name, "required-keys": ["a"] }))), "at most 50 rules"],
  [
    "rules that are too long together",
    ruleLine(...named(3).map((name) => ({ name, key: "k", "allowed-values": named(100, "v".repeat(200)) }))),
    "at most 32 KiB",
  ],
])("names the line of JSON whose rules have %s, and goes on", (_, bad, fault) => {
  const [first, second] = read("jsonl", `${bad}\n{"kind":"tag","name":"a"}\n`);
  expect(first).toEqual({ line: 1, fault: expect.stringContaining(fault) });
  expect(second).toMatchObject({ line: 2, record: { name: "a" } });
});

it("names of projects do not count in the length of rules", () => {
  const rules = named(50).map((name) => ({
    name,
    project: "p".repeat(255),
    "required-keys": named(5, "k".repeat(95)),
  }));
  expect(read("jsonl", ruleLine(...rules))).toMatchObject([{ line: 1, record: { kind: "tag-policy" } }]);
});

it.each([
  ["another name", ["tag-policy,Policy,,,"], 2, "The name of a tag-policy is policy"],
  ["another way to enforce", [",enforce,ask"], 3, "value advise or refuse"],
  ["a setting that there is not", [",mode,advise"], 3, "the key must be enforce"],
  ["two ways to enforce", [",enforce,advise", ",enforce,advise"], 4, "enforce is repeated"],
  ["an unknown member of a rule", ["a,pattern,a"], 3, "one of project,key,value-pattern"],
  ["a member that every object has", ["a,constructor,a"], 3, "one of project,key"],
  [
    "two patterns of one rule",
    ["a,naming-pattern,a", "a,naming-pattern,b"],
    4,
    "naming-pattern of the rule is repeated",
  ],
  ["a long text", [`a,naming-pattern,${"a".repeat(257)}`], 3, "at most 256 characters"],
  ["21 keys", named(21).map((key) => `a,required-keys,${key}`), 23, "at most 20 entries"],
  ["51 rules", named(51).map((name) => `${name},naming-pattern,a`), 53, "at most 50 rules"],
  ["a broken pattern", ["a,naming-pattern,a", "b,required-keys,x", "b,naming-pattern,("], 4, 'Rule "b": Pattern is'],
  ["a bound without a key", ["a,allowed-values,x"], 3, 'Rule "a": Key is missing'],
  ["an empty project", ["a,naming-pattern,a", "b,naming-pattern,b", "b,project,"], 4, "project: The name is missing"],
])("names the line of CSV whose rules have %s, and goes on", (_, bad, line, fault) => {
  const lines = bad.map((each) => (each.startsWith("tag-policy") ? each : `tag-policy,policy,${each}`));
  const first = bad[0]?.startsWith("tag-policy") === true ? [] : ["tag-policy,policy,,,"];
  const text = ["kind,name,tag,key,value", ...first, ...lines, "tag,a,,,"].join("\n");
  const found = read("csv", text);
  const faults = found.filter((each) => "fault" in each);
  expect(faults).toContainEqual({ line, fault: expect.stringContaining(fault) });
  expect(found.at(-1)).toMatchObject({ record: { kind: "tag", name: "a" } });
});
