/** The check of texts finds what docs/style.md warns of, in documents and in programs, and nothing in code. */
import { expect, test } from "vitest";
import { findingsIn } from "../words/patterns.ts";
import { textsOfDocument, textsOfProgram } from "../words/texts.ts";

const rulesOf = (text: string, isShort = true) => findingsIn({ text, line: 1, isShort }).map(({ rule }) => rule);

test.each([
  ["What the pool lacks is born.", ["clause-start", "born"]],
  ["Of who runs it.", ["of-start"]],
  ["No more than so many.", ["so-many"]],
  ["Only those that nothing has.", ["those-start", "those-that"]],
  ["Its name or ID.", ["pronoun-start"]],
  ["Time to live: What is no time is 400", ["clause-start", "is-no"]],
  ["The address is no URL.", ["is-no"]],
  ["Use is recorded since Monday.", ["since-present"]],
  ["The address has to begin with a scheme.", ["has-to"]],
  ["Kept, but not any longer in the files.", ["any-more"]],
  ["Whoever calls is told of it", ["clause-start", "is-told", "whoever"]],
  ["Deletion of old rows begins again.", ["begin"]],
  ["Maximum number of results.", []],
  ["Who can write this workspace?", []],
])("%s", (text, rules) => {
  expect(rulesOf(text).toSorted()).toEqual(rules.toSorted());
});

test("sentences of documents are counted in words and colons", () => {
  const long = `The server ${"really ".repeat(23)}starts.`;
  expect(rulesOf(long, false)).toEqual(["max-words"]);
  expect(rulesOf(`${long.replace("really ", "")} It stops.`, false)).toEqual([]);
  expect(rulesOf("One: two; three.", false)).toEqual(["max-colons"]);
});

test("a paragraph of a document is one text, without code, and a row of a table one of its own", () => {
  const page = [
    "---",
    "title: What it is",
    "---",
    "# Title",
    "",
    "Text of `What is code` and [a link](Of.md) that",
    "What goes on here.",
    "- an item",
    "",
    "```sh",
    "Of code",
    "```",
    "| a | Of b |",
    "<!-- words-ok: an example -->",
    "Of what is excused.",
  ].join("\n");
  expect(textsOfDocument(page).map(({ text, line }) => [line, text])).toEqual([
    [4, "Title"],
    [6, "Text of `code` and a link that What goes on here."],
    [8, "an item"],
    [13, "| a | Of b |"],
  ]);
});

test("strings of a program are texts, names and queries are not", () => {
  const program = [
    'import a from "not a text";',
    'type Word = "no text either";',
    'const one = { "a key here": "A text here", short: "word" };',
    "const two = `Deleted ${one.short} tags of ${one}.`;",
    "const three = sql`select of what is there`;",
    'const four = "select id from tags where id = 1", begun = "begin immediate", each = "do $$ declare each record; begin";',
    "// words-ok: a text of another product",
    'const five = "Of another product";',
    "const six = <p>Shown to people</p>;",
  ].join("\n");
  expect(textsOfProgram("a.tsx", program).map(({ text, line }) => [line, text])).toEqual([
    [3, "A text here"],
    [4, "Deleted … tags of …."],
    [9, "Shown to people"],
  ]);
});
