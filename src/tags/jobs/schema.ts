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
    q: text("Text that the name contains, ignoring case."),
    unused: Type.Optional(Type.Boolean({ description: "Whether the tag is unused." })),
    "instance-count": Type.Optional(
      Type.Object({ gte: count, lte: count }, { ...STRICT, description: "Number of workspaces that have the tag." }),
    ),
  },
  { ...STRICT, title: "TagFilter", description: "Filter of tags. Empty: all tags." },
);

const workspaceFilter = Type.Object(
  {
    name: text("Text that the name contains, ignoring case."),
    wildcard: text("Whole name, with * for any text."),
    tags: names("Tags or tag keys, all of which the workspace has."),
    "exclude-tags": names("Tags or tag keys, none of which the workspace has."),
    bindings: Type.Optional(
      Type.Array(
        Type.Object({ key: Type.String({ minLength: 1, maxLength: MOST_TEXT }), value: text("Default: any.") }, STRICT),
        { maxItems: 20, description: "Effective tag keys and values, own and inherited." },
      ),
    ),
    project: text("Project ID."),
  },
  {
    ...STRICT,
    title: "WorkspaceFilter",
    description: "Filter of workspaces. Empty: all workspaces that the caller may read.",
  },
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
        { maxItems: MOST_TAGS, description: "Tags; with a value, tag keys." },
      ),
    ),
    as: Type.Optional(Type.Enum([...HELD_AS], { description: "remove: kind of tag to remove. Default: any." })),
    to: text("rename, merge: new name."),
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
  preview: parameter("true: return a preview; create no job."),
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
    as: maybeText("As requested."),
    to: maybeText("As requested."),
    filter: nullable(filter, "As requested."),
    "undo-of": maybeText("Job that this job reverts."),
    mode: maybeText("Import mode."),
    status: Type.Enum(["queued", "running", "paused", "cancelled", "done", "failed"]),
    reason: maybeText("Reason of the failure, or of the cancellation by the server."),
    total: nullable(Type.Integer(), "Number of objects when the job started; null before."),
    done: "Number of processed objects.",
    changed: "Number of changed objects.",
    refused: counts("Number of rejected changes, by reason."),
    warned: counts("Number of changes that violate rules with enforcement `advise`, by rule name."),
    errors: Type.Array(Type.String(), {
      description:
        "First rejections as text, if there are details. Visible to the token that started the job, and to tokens that may write the organization and read all its workspaces; else empty.",
    }),
    "accessor-id": "AccessorID of the token that started the job.",
    "started-at": nullable(Type.String({ format: "date-time" })),
    "finished-at": nullable(Type.String({ format: "date-time" })),
  },
};

export const jobDocument = documentOf("The job.", EXAMPLE, SAID);
/** The job in it is as its document shows it. */
export const progressStream = Type.String({
  examples: ['event: progress\ndata: {"data":{"id":"tj-Ab3kXyZ12mNoPqRs","type":"tag-jobs","attributes":{…},…}}\n\n'],
});
export const jobList = pageOf("Page of jobs, newest first.", EXAMPLE, SAID);

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
    refused: counts("Number of changes that would be rejected, by reason."),
    warned: counts("Number of changes that would violate rules with enforcement `advise`, by rule name."),
    complete: "Whether the preview is complete. false: it took too long, and the numbers are partial.",
    changes: {
      details: Type.Record(Type.String(), Type.Unknown(), {
        description: "Changes as the audit record would contain them.",
      }),
    },
  },
};

export const previewDocument = Type.Object(
  { data: shapeOf(PREVIEW, PREVIEW_SAID) },
  { description: "Preview of the job.", examples: [{ data: PREVIEW }] },
);
