/** Shapes of jobs on the wire. */
import { Type } from "typebox";
import { documentOf, nullable, pageOf, pageQuery, parameter, shapeOf } from "../../http/jsonapi/schema.ts";
import { renderJob, renderPreview } from "./render.ts";
import { HELD_AS, MOST_TAGS, TAG_ACTIONS } from "./request.ts";

const MOST_TEXT = 1000;
const text = (description: string) => Type.Optional(Type.String({ maxLength: MOST_TEXT, description }));
/** Larger ones are no numbers that any storage compares. */
const count = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
/** Refuses unknown members: a filter with a misspelled member would select everything. */
const STRICT = { additionalProperties: false };
const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: MOST_TEXT }), { maxItems: MOST_TAGS, description }));

const tagFilter = Type.Object(
  {
    q: text("Text that the name holds, in any case."),
    unused: Type.Optional(Type.Boolean({ description: "Whether nothing holds it." })),
    "instance-count": Type.Optional(
      Type.Object({ gte: count, lte: count }, { ...STRICT, description: "How many workspaces carry it." }),
    ),
  },
  { ...STRICT, title: "TagFilter", description: "Tags of the pool; empty for all." },
);

const workspaceFilter = Type.Object(
  {
    name: text("Text that the name holds, in any case."),
    wildcard: text("The whole name, with * for any text."),
    tags: names("Tags or keys, all of which it carries."),
    "exclude-tags": names("Tags or keys, none of which it carries."),
    bindings: Type.Optional(
      Type.Array(
        Type.Object(
          { key: Type.String({ minLength: 1, maxLength: MOST_TEXT }), value: text("Any unless given.") },
          STRICT,
        ),
        { maxItems: 20, description: "Keys and values that apply to it, inherited or not." },
      ),
    ),
    project: text("The id of its project."),
  },
  { ...STRICT, title: "WorkspaceFilter", description: "Workspaces; empty for all that the caller may see." },
);

const filter = Type.Object(
  { tags: Type.Optional(tagFilter), workspaces: Type.Optional(workspaceFilter) },
  { ...STRICT, title: "TagJobFilter" },
);

const attributes = Type.Object(
  {
    action: Type.Enum([...TAG_ACTIONS]),
    tags: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: MOST_TEXT }),
            value: Type.Optional(Type.String({ maxLength: MOST_TEXT })),
          },
          STRICT,
        ),
        { maxItems: MOST_TAGS, description: "Flat tags, or keys where a value is given." },
      ),
    ),
    as: Type.Optional(
      Type.Enum([...HELD_AS], { description: "remove: as what they are taken off; any unless given." }),
    ),
    to: text("rename, merge: the name that they get."),
    filter: Type.Optional(filter),
  },
  STRICT,
);

const ASKED = {
  action: "add" as const,
  tags: [{ name: "reviewed" }],
  filter: { workspaces: { wildcard: "prod-*", "exclude-tags": ["legacy"] } },
};

export const jobBody = Type.Object(
  {
    data: Type.Object({ type: Type.Literal("tag-jobs"), id: Type.Optional(Type.String()), attributes }),
  },
  { examples: [{ data: { type: "tag-jobs", attributes: ASKED } }] },
);

export const createQuery = Type.Object({
  preview: parameter("true: answers what the job would do now, and begins none."),
});

export const jobListQuery = Type.Object(pageQuery);

const { action, ...input } = ASKED;
const NOW = "2026-01-02T03:04:05.678Z";
const EXAMPLE_JOB: Parameters<typeof renderJob>[0] = {
  id: "tj-Ab3kXyZ12mNoPqRs",
  organizationId: "org-Ab3kXyZ12mNoPqRs",
  organizationName: "acme",
  accessorId: "6a1253d2-1785-24fd-91c2-f8e78c745511",
  requestId: "req-1",
  action,
  input: { attributes: input },
  status: "running",
  byWriter: 1,
  place: "",
  total: 1200,
  done: 400,
  changed: 396,
  refused: { "not-allowed": 4 },
  warned: { names: 2 },
  errors: [],
  reason: "",
  createdAt: NOW,
  startedAt: NOW,
  updatedAt: NOW,
  finishedAt: "",
};
const EXAMPLE = renderJob(EXAMPLE_JOB);

const maybeText = (description: string) => nullable(Type.String(), description);
const counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

const SAID = {
  attributes: {
    tags: nullable(Type.Array(Type.Object({ name: Type.String(), value: Type.Optional(Type.String()) }))),
    as: maybeText("As it was asked."),
    to: maybeText("As it was asked."),
    filter: nullable(filter, "As it was asked."),
    "undo-of": maybeText("The job that it takes back."),
    mode: maybeText("How a file is imported."),
    status: Type.Enum(["queued", "running", "paused", "cancelled", "done", "failed"]),
    reason: maybeText("Why it failed, or was cancelled by the server."),
    total: nullable(Type.Integer(), "How much there was to look at when it began; null before."),
    done: "How much of that it has looked at.",
    changed: "How much of that it has changed.",
    refused: counts("How much it has refused, by the reason."),
    warned: counts("How much of what was changed breaks rules for tags that only advise, by the name of the rule."),
    errors: Type.Array(Type.String(), {
      description:
        "The first refusals in words, where there is more to say: to who asked for it, and to who may write the organization and see all of its workspaces; empty for others.",
    }),
    "accessor-id": "Of the token that asked for it.",
    "started-at": nullable(Type.String({ format: "date-time" })),
    "finished-at": nullable(Type.String({ format: "date-time" })),
  },
};

export const jobDocument = documentOf("The job.", EXAMPLE, SAID);
/** The job in it is as its document shows it. */
export const progressStream = Type.String({
  examples: ['event: progress\ndata: {"data":{"id":"tj-Ab3kXyZ12mNoPqRs","type":"tag-jobs","attributes":{…},…}}\n\n'],
});
export const jobList = pageOf("A page of jobs, the newest first.", EXAMPLE, SAID);

const PREVIEW = renderPreview("add", {
  counts: { workspaces: 2, projects: 0, tags: 1 },
  total: 2,
  changed: 1,
  refused: { "not-allowed": 1 },
  warned: { names: 1 },
  changes: [
    {
      kind: "workspace",
      objectId: "ws-Ab3kXyZ12mNoPqRs",
      name: "prod-network",
      action: "tags-changed",
      details: { tags: { added: [{ id: "tag-Ab3kXyZ12mNoPqRs", name: "reviewed" }] } },
    },
  ],
  isWhole: true,
});

const PREVIEW_SAID = {
  attributes: {
    refused: counts("How much it would refuse, by the reason."),
    warned: counts("How much of what it would change breaks rules that only advise, by the name of the rule."),
    complete: "false where it took too long to work out all of it: the counts are those so far.",
    changes: { details: Type.Record(Type.String(), Type.Unknown(), { description: "As its record would say it." }) },
  },
};

export const previewDocument = Type.Object(
  { data: shapeOf(PREVIEW, PREVIEW_SAID) },
  { description: "What the job would do now.", examples: [{ data: PREVIEW }] },
);
