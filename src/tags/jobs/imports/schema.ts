import { Type } from "typebox";
import { RULED } from "../../rules/enforce.ts";
import { parameter, shapeOf } from "../../../http/jsonapi/schema.ts";
import { exampleFile } from "../../files/schema.ts";
import { renderPreview } from "./render.ts";

export const importQuery = Type.Object({
  preview: parameter("true: return a preview; change nothing."),
  mode: parameter(
    "merge: add and change. replace: for each object in the file, also remove the tags and values that the file does not contain. Default: merge.",
  ),
});

export const importedFile = Type.String({
  description: "File in the export format. Maximum: 64 MiB and 500,000 objects.",
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
  line: Type.Integer({ description: "Line of the file at which the record starts." }),
  kind: Type.String(),
  name: Type.String(),
  action: Type.Union([Type.Literal("create"), Type.Literal("change"), Type.Literal("remove")]),
  tag: Type.Optional(Type.String({ description: "Tag without a value." })),
  key: Type.Optional(
    Type.String({
      description:
        "Tag key, member of a tag or of a reserved tag key, or `enforce` and `rules/<name>` of the tag policy.",
    }),
  ),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
});

export const previewDocument = Type.Object(
  {
    data: shapeOf(PREVIEW, {
      attributes: {
        create: "Tags, tag keys, settings and rules that would be created.",
        unchanged: "Objects that already match the file.",
        refused: Type.Object(Object.fromEntries(reasons.map((reason) => [reason, Type.Optional(counted)])), {
          description: "Objects that would not change, by reason, with the lines of the first 100.",
        }),
        warned: Type.Record(Type.String(), Type.Integer(), {
          description: "Objects that would change and violate a rule with enforcement `advise`, by rule name.",
        }),
        changes: Type.Array(change, { description: "The first 100." }),
      },
    }),
  },
  { description: "Preview of the import.", examples: [{ data: PREVIEW }] },
);
