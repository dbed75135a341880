import { Type } from "typebox";
import { RULED } from "../../rules/enforce.ts";
import { parameter, shapeOf } from "../../../http/jsonapi/schema.ts";
import { exampleFile } from "../../files/schema.ts";
import { renderPreview } from "./render.ts";

export const importQuery = Type.Object({
  preview: parameter("true: answers what would change, and changes nothing."),
  mode: parameter(
    "merge, which is the default, adds and changes; replace takes away too what the file does not say of the objects that it names.",
  ),
});

export const importedFile = Type.String({
  description: "At most 64 MiB and 500,000 objects, in the form of an export.",
  examples: [exampleFile("jsonl")],
});

const PREVIEW = renderPreview("ti-Ab3kXyZ12mNoPqRs", "merge", {
  records: 4,
  create: 2,
  change: 1,
  remove: 0,
  unchanged: 3,
  refused: new Map([["missing", { count: 1, lines: [4] }]]),
  warned: { names: 1 },
  changes: [
    { line: 2, kind: "tag", name: "network", action: "create", tag: "network" },
    { line: 3, kind: "project", name: "Default Project", action: "change", key: "env", from: "test", to: "prod" },
  ],
});

const counted = Type.Object({ count: Type.Integer(), lines: Type.Array(Type.Integer()) }, { title: "RefusedLines" });
const reasons = ["missing", "not-allowed", "full", RULED] as const;
const change = Type.Object({
  line: Type.Integer({ description: "Of the file; where the object's record begins." }),
  kind: Type.String(),
  name: Type.String(),
  action: Type.Union([Type.Literal("create"), Type.Literal("change"), Type.Literal("remove")]),
  tag: Type.Optional(Type.String({ description: "A flat tag." })),
  key: Type.Optional(
    Type.String({
      description:
        "A key, what is said of a tag of the pool or of a reserved key, or `enforce` and `rules/<name>` of rules.",
    }),
  ),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
});

export const previewDocument = Type.Object(
  {
    data: shapeOf(PREVIEW, {
      attributes: {
        create: "Tags, keys, settings and rules that would be made.",
        unchanged: "Those that are as the file says.",
        refused: Type.Object(Object.fromEntries(reasons.map((reason) => [reason, Type.Optional(counted)])), {
          description: "Objects that would be left as they are, by the reason, with the lines of the first 100.",
        }),
        warned: Type.Record(Type.String(), Type.Integer(), {
          description: "Objects that would change though they break a rule that only advises, by the name of the rule.",
        }),
        changes: Type.Array(change, { description: "The first 100." }),
      },
    }),
  },
  { description: "What would change.", examples: [{ data: PREVIEW }] },
);
