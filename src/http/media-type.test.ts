import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

/** Node's own limit on all the headers of a request. */
const HEADER_LIMIT = 16 * 1024;

/** Reads headers in a process of its own: one that never came to an end could not be interrupted in this one. */
function mediaTypesOf(headers: readonly string[]): unknown[] {
  const program = `
    import { readFileSync } from "node:fs";
    import { mediaTypeOf } from ${JSON.stringify(new URL("jsonapi/body.ts", import.meta.url).href)};
    const headers = JSON.parse(readFileSync(0, "utf8"));
    console.log(JSON.stringify(headers.map((header) => mediaTypeOf(header) ?? null)));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    input: JSON.stringify(headers),
    encoding: "utf8",
    timeout: 60_000,
  });
  return JSON.parse(output) as unknown[];
}

const PIECES = [
  ";",
  " ",
  "\t",
  "; ",
  ";    ",
  " ; ",
  "\t;\t",
  ";\t\t\t\t",
  ";a=b",
  "; a=b ",
  ';a="b;"',
  ';a="\\"',
  "a",
];

/** As many pieces behind a good type as fit, and then what comes last. */
function longHeader(piece: string, last: string, length: number): string {
  return `A/b${piece.repeat(Math.floor((length - 3 - last.length) / piece.length))}${last}`;
}

it("long runs of semicolons, blanks, tabs and parameters are read to their end, good ones and bad ones", () => {
  const good = PIECES.filter((piece) => !["a", ';a="\\"'].includes(piece)).map((piece) => longHeader(piece, "", 1000));
  const bad = PIECES.flatMap((piece) => ["=", '"', ',;a="', "\0"].map((last) => longHeader(piece, last, 1000)));
  expect(mediaTypesOf(good)).toEqual(good.map(() => "a/b"));
  expect(mediaTypesOf(bad)).toEqual(bad.map(() => null));
});

it("what is over 1,000 characters is malformed, up to the limit on headers", () => {
  const long = PIECES.flatMap((piece) => ["", "="].map((last) => longHeader(piece, last, HEADER_LIMIT)));
  expect(mediaTypesOf([...long, `a/${"b".repeat(999)}`])).toEqual([...long, ""].map(() => null));
  expect(mediaTypesOf([`a/${"b".repeat(998)}`])).toEqual([`a/${"b".repeat(998)}`]);
});

it("a parameter is a token or a quoted text, and may be missing between semicolons", () => {
  const good = ["a/b", " A/B\t", "a/b;", "a/b ;; c=d ;", 'a/b;c="d;\\"e"', "a/b;c=d;e=f"];
  const bad = ["", "a", "a/", "/b", "a /b", "a/b c", "a/b;c", "a/b;c=", "a/b;c =d", "a/b;c= d", 'a/b;c="', "a/b,c/d"];
  expect(mediaTypesOf(good)).toEqual(good.map(() => "a/b"));
  expect(mediaTypesOf(bad)).toEqual(bad.map(() => null));
});
