import { expect, it } from "vitest";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { csvLine, readCsvLine } from "./csv.ts";
import { MAX_LINE_BYTES } from "./lines.ts";
import type { CsvEntry } from "./read-csv.ts";
import { FileReader } from "./read-file.ts";
import type { FileRecord } from "./records.ts";
import { headText, recordText } from "./write-record.ts";

function readAll(format: "csv" | "jsonl", bytes: Buffer, piece = bytes.length): CsvEntry[] {
  const reader = new FileReader(format);
  const found: CsvEntry[] = [];
  for (let at = 0; at < bytes.length; at += piece) found.push(...reader.push(bytes.subarray(at, at + piece)));
  return [...found, ...reader.end()];
}

function read(format: "csv" | "jsonl", text: string): CsvEntry[] {
  return readAll(format, Buffer.from(text));
}

const RECORDS: FileRecord[] = [
  { kind: "reserved-tag-key", name: "=env", disableOverrides: true },
  { kind: "tag", name: "Key.With@all=+-:_", pinned: false },
  { kind: "tag", name: "flat:tag_1", pinned: true },
  { kind: "project", name: "Default Project", bindings: [{ key: "-a", value: "+1" }] },
  { kind: "project", name: "-- none --", bindings: [] },
  {
    kind: "workspace",
    name: "-w",
    tags: ["a", "b"],
    bindings: [
      { key: "@k", value: "" },
      { key: "k", value: "=1+1" },
    ],
  },
  { kind: "workspace", name: "bare", tags: [], bindings: [] },
];

it.each(["csv", "jsonl"] as const)("what is written as %s is read again, however it is cut", (format) => {
  const text = headText(format) + RECORDS.map((record) => recordText(record, format)).join("");
  const bytes = Buffer.from(text);
  const records = readAll(format, bytes).map((found) => "record" in found && found.record);
  expect(records).toEqual(RECORDS);
  for (let piece = 1; piece < 40; piece++) expect(readAll(format, bytes, piece)).toEqual(readAll(format, bytes));
});

it("any text comes back from a line of CSV, and none begins like a formula", () => {
  const random = randomOfRun();
  const below = (bound: number) => Math.floor(random() * bound);
  const pieces = ["=", "+", "-", "@", "'", '"', ",", "\r", "\n", "\t", "ä", "\u{1F600}", "a", " ", "''", "'="];
  for (let round = 0; round < 2000; round++) {
    const fields = Array.from({ length: 1 + below(4) }, () =>
      Array.from({ length: below(6) }, () => pieces[below(pieces.length)]).join(""),
    );
    const line = csvLine(fields);
    expect(readCsvLine(line.slice(0, -2))).toEqual(fields);
    for (const field of fields) expect(csvLine([field]).slice(0, -2)).not.toMatch(/^"?[=+\-@\t\r]/);
  }
});

it("an apostrophe that guards nothing stays", () => {
  expect(readCsvLine("'a,'=a,''a,=a")).toEqual(["'a", "=a", "'a", "=a"]);
});

it("takes a mark of byte order, both ends of lines, blank lines, columns in any order and the words of spreadsheets", () => {
  expect(read("jsonl", '\u{FEFF}\r\n{"kind":"tag","name":"a"}\r\n\n  \n{"kind":"tag","name":"B"}')).toEqual([
    { line: 2, record: { kind: "tag", name: "a", pinned: true } },
    { line: 5, record: { kind: "tag", name: "b", pinned: true } },
  ]);
  expect(
    read("csv", '\u{FEFF}"Name",kind,VALUE,key\r\na,tag,FALSE,pinned\nw,workspace,"x",k\r\n\r\nW,workspace,y,l\n'),
  ).toEqual([
    { line: 2, record: { kind: "tag", name: "a", pinned: false } },
    {
      line: 3,
      record: {
        kind: "workspace",
        name: "w",
        tags: [],
        bindings: [
          { key: "k", value: "x" },
          { key: "l", value: "y" },
        ],
      },
    },
  ]);
  expect(read("csv", "")).toEqual([]);
  expect(read("jsonl", "")).toEqual([]);
});

const many = Array.from({ length: 11 }, (_, i) => ({ key: `k${i}`, value: "" }));

it.each([
  ["no JSON", "{", "not JSON"],
  ["no object", "[1]", "Unknown kind"],
  ["another kind", '{"kind":"team","name":"a"}', "Unknown kind"],
  ["no name", '{"kind":"tag"}', "malformed"],
  ["an empty name", '{"kind":"tag","name":""}', "name is missing"],
  ["an unknown member", '{"kind":"tag","name":"a","pined":true}', "malformed"],
  ["a number for a text", '{"kind":"workspace","name":"a","tags":[1]}', "malformed at /tags/0"],
  ["a name that no tag may have", '{"kind":"tag","name":"a b"}', "only contain letters"],
  ["a long name", `{"kind":"project","name":"${"a".repeat(256)}"}`, "longer than 255"],
  ["a lone surrogate", String.raw`{"kind":"workspace","name":"\ud800"}`, "invalid characters"],
  ["a NUL", String.raw`{"kind":"workspace","name":"\u0000"}`, "invalid characters"],
  ["a bad key", '{"kind":"project","name":"a","bindings":[{"key":"a b"}]}', "may only contain"],
  ["a reserved prefix", '{"kind":"reserved-tag-key","name":"hcp:a"}', "reserved"],
  ["a long value", `{"kind":"project","name":"a","bindings":[{"key":"a","value":"${"v".repeat(257)}"}]}`, "too long"],
  ["a key twice", '{"kind":"project","name":"a","bindings":[{"key":"a"},{"key":"a"}]}', "is repeated"],
  ["eleven keys", JSON.stringify({ kind: "workspace", name: "a", bindings: many }), "cannot exceed 10"],
  ["tags on a project", '{"kind":"project","name":"a","tags":["a"]}', "malformed"],
  [
    "1,001 tags",
    JSON.stringify({
      kind: "workspace",
      name: "a",
      tags: many.concat(Array.from({ length: 990 }, (_, i) => ({ key: `t${i}`, value: "" }))).map(({ key }) => key),
    }),
    "at most 1000",
  ],
])("names the line of JSON with %s, and goes on", (_, bad, fault) => {
  const [first, second] = read("jsonl", `${bad}\n{"kind":"tag","name":"a"}\n`);
  expect(first).toEqual({ line: 1, fault: expect.stringContaining(fault) });
  expect(second).toMatchObject({ line: 2, record: { name: "a" } });
});

it.each([
  ["another kind", "team,a,,,", "Unknown kind"],
  ["no name", "tag,,,,", "name is missing"],
  ["too few fields", "tag,a", "2 fields"],
  ["too many fields", "tag,a,,,,", "6 fields"],
  ["a quote within a field", 'tag,a"b",,,', "unquoted field"],
  ["text behind a quote", '"tag"x,a,,,', "follows the closing quote"],
  ["a tag and a key", "workspace,w,a,k,v", "not both"],
  ["a value without a key", "workspace,w,,,v", "a value but no key"],
  ["a tag on a project", "project,Default,a,,", "cannot have flat tags"],
  ["another setting", "tag,a,,color,red", "pinned"],
  ["a setting that is neither true nor false", "tag,a,,pinned,yes", "pinned"],
  ["a tag of a tag", "tag,a,b,,", "require an empty tag"],
  ["a NUL", "tag,a\0,,,", "NUL"],
])("names the line of CSV with %s, and goes on", (_, bad, fault) => {
  const found = read("csv", `kind,name,tag,key,value\n${bad}\ntag,a,,,\n`);
  expect(found[0]).toEqual({ line: 2, fault: expect.stringContaining(fault) });
  expect(found.at(-1)).toMatchObject({ line: 3, record: { name: "a" } });
});

it("a bad line takes nothing from the object that it stands in, nor from the one before", () => {
  const lines = ["kind,name,tag,key,value", "workspace,v,x,,", "workspace,w,a b,,", "workspace,w,b,,", "tag,c d,,,"];
  const found = read("csv", lines.join("\n"));
  expect(found.map((each) => ("fault" in each ? each.line : each.record))).toEqual([
    { kind: "workspace", name: "v", tags: ["x"], bindings: [] },
    3,
    { kind: "workspace", name: "w", tags: ["b"], bindings: [] },
    5,
  ]);
});

it("bytes that are no UTF-8 spoil their line alone", () => {
  const bytes = Buffer.concat([
    Buffer.from('{"kind":"tag","name":"'),
    Buffer.from([0xff]),
    Buffer.from('"}\n{"kind":"tag","name":"a"}'),
  ]);
  expect(readAll("jsonl", bytes)).toMatchObject([{ line: 1, fault: "The line is not valid UTF-8" }, { line: 2 }]);
});

it("a line that is too long is passed over, and what it holds is not kept", () => {
  const long = `{"kind":"tag","name":"${"a".repeat(MAX_LINE_BYTES)}"}\n{"kind":"tag","name":"a"}\n`;
  expect(readAll("jsonl", Buffer.from(long), 1000)).toMatchObject([
    { line: 1, fault: expect.stringContaining("longer than") },
    { line: 2 },
  ]);
});

it("a quote that is not closed is told, and hides no more than a line may be long", () => {
  expect(read("csv", 'kind,name\ntag,"a\ntag,b\n')).toEqual([{ line: 2, fault: "Missing closing quote" }]);
  const rest = "tag,b\n".repeat(MAX_LINE_BYTES / 4);
  const found = readAll("csv", Buffer.from(`kind,name\ntag,"a\n${rest}`), 64 * 1024);
  expect(found[0]).toMatchObject({ line: 2, fault: expect.stringContaining("longer than") });
  const lines = 2 + MAX_LINE_BYTES / 4;
  expect(found.at(-1)).toMatchObject({ line: lines, record: { name: "b" } });
});

it("a file whose first line does not name the columns is read no further", () => {
  for (const head of ["tag,a,,,", "kind,name,color", "kind", "kind,name,name", 'kind,"name']) {
    expect(read("csv", `${head}\ntag,a\ntag,b\n`).map((found) => "fault" in found)).toEqual([true]);
  }
});
