/** Shapes of rules for tags on the wire. Their bounds are checked with a pointer to what is wrong. */
import { Type } from "typebox";
import {
  documentOf,
  optional,
  pageOf,
  pageQuery,
  parameter,
  resourceBody,
  shapeOf,
} from "../../http/jsonapi/schema.ts";
import { readRules } from "./read-rules.ts";
import { coverageAsJson, dayAsJson, effectAsJson, projectAsJson, shortcomingAsJson } from "./as-json.ts";
import { renderTagPolicy } from "./render.ts";

const enforce = Type.Union([Type.Literal("advise"), Type.Literal("refuse")], {
  description: "advise: violations are accepted and returned in meta.warnings. refuse: violations get 422.",
});

const PATTERN = "Regular expression (RE2) that must match the whole";

const ruleSchema = Type.Object(
  {
    name: Type.String({ description: "Rule name, unique in the tag policy." }),
    project: optional(
      Type.String({ minLength: 1, maxLength: 100 }),
      "ID of the project to which the rule applies. Default: all projects.",
    ),
    "required-keys": optional(
      Type.Array(Type.String()),
      "Tag keys that a workspace must have: own, inherited, or as a tag without a value.",
    ),
    key: optional(Type.String(), "Tag key whose values are restricted by allowed-values or value-pattern."),
    "allowed-values": optional(Type.Array(Type.String()), "Values that the key may have."),
    "value-pattern": optional(Type.String(), `${PATTERN} value.`),
    "naming-pattern": optional(Type.String(), `${PATTERN} name of each tag and key.`),
  },
  { additionalProperties: false, title: "TagRule" },
);

/** More than a policy may have, so that it is refused in words. */
const MAX_ENTRIES = 1000;

const RULES = [
  { name: "owners", "required-keys": ["owner"] },
  { name: "stages", key: "env", "allowed-values": ["dev", "prod"] },
  { name: "names", "naming-pattern": "[a-z][a-z0-9-]*" },
];

export const putBody = resourceBody(
  "tag-policies",
  { attributes: Type.Object({ enforce, rules: Type.Array(ruleSchema, { maxItems: MAX_ENTRIES }) }) },
  { attributes: { enforce: "advise", rules: RULES } },
);

const TIME = "2026-01-02T03:04:05.678Z";
const [owners, stages, names] = RULES;
const POLICY = renderTagPolicy(
  {
    id: "tpol-Ab3kXyZ12mNoPqRs",
    organizationId: "",
    enforce: "advise",
    rules: readRules([owners, stages, names].flatMap((rule) => rule ?? [])),
    createdAt: TIME,
    updatedAt: TIME,
  },
  "acme",
);

export const policyDocument = documentOf(
  "The rules.",
  // As it is sent: what is undefined is left out.
  JSON.parse(JSON.stringify(POLICY)) as object,
  { attributes: { enforce, rules: Type.Array(ruleSchema) } },
);

const SHORTCOMING = shortcomingAsJson({ id: "ws-Ab3kXyZ12mNoPqRs", name: "network" }, [
  { rule: "owners", detail: "The key owner is missing", kind: "required", subject: "owner" },
]);

export const reportList = pageOf("Page of non-compliant workspaces.", SHORTCOMING, {
  attributes: {
    "violation-count": "Number of violations.",
    violations: Type.Array(shapeOf(SHORTCOMING.attributes.violations[0]), { description: "The first 20." }),
  },
});

export const reportQuery = Type.Object({
  ...pageQuery,
  q: parameter("Text that the name contains, ignoring case."),
  "filter[project][id]": parameter("Project ID."),
  "filter[rule]": parameter("Violated rule of the tag policy."),
  "filter[kind]": parameter("Kind of violation: required, value, name or limit."),
  "filter[key]": parameter("Tag key or tag name."),
});

const COVERAGE = coverageAsJson({
  key: "owner",
  rules: ["owners"],
  workspaces: 1200,
  missing: 250,
  withoutValue: 10,
  valueCount: 31,
  values: [{ value: "platform", workspaces: 400 }],
  others: 540,
  projects: [{ id: "prj-Ab3kXyZ12mNoPqRs", workspaces: 300, missing: 200 }],
});

export const coverageList = pageOf(
  "Page of required tag keys.",
  COVERAGE,
  {
    attributes: {
      rules: Type.Array(Type.String(), { description: "Rules that require the key." }),
      workspaces: "Number of workspaces that must have the key.",
      missing: "Number of these workspaces without the key.",
      "without-value": "Number of these workspaces that have the key as a tag without a value.",
      "value-count": "Number of different values.",
      values: Type.Array(shapeOf(COVERAGE.attributes.values[0]), { description: "The 10 most frequent values." }),
      other: "Number of workspaces with other values.",
      projects: Type.Array(shapeOf(COVERAGE.attributes.projects[0]), {
        description: "The 10 projects with most workspaces without the key.",
      }),
    },
  },
  undefined,
  // False when there are more values or projects than the server counts.
  { "is-complete": true },
);

export const coverageQuery = Type.Object({
  ...pageQuery,
  "filter[project][id]": parameter("Project ID."),
});

export const projectsList = pageOf(
  "Page of projects.",
  projectAsJson({ id: "prj-Ab3kXyZ12mNoPqRs", workspaces: 300, missing: 200 }),
  {
    attributes: {
      workspaces: "Number of workspaces that must have a required key.",
      missing: "Number of these workspaces without one of their required keys.",
    },
  },
  undefined,
  // False when there are more projects than the server counts.
  { "is-complete": true },
);

export const projectsQuery = Type.Object({ ...pageQuery, "filter[key]": parameter("Required tag key.") });

export const daysList = pageOf(
  "Page of days.",
  dayAsJson({ key: "owner", day: 20787, workspaces: 1200, missing: 250, withoutValue: 10, valueCount: 31 }),
  {
    attributes: {
      day: "Day in UTC. The server counts once a day, and keeps 90 days.",
      workspaces: "Number of workspaces that had to have the key.",
      missing: "Number of these workspaces without the key.",
      "without-value": "Number of these workspaces that had the key as a tag without a value.",
      "value-count": "Number of different values.",
    },
  },
  undefined,
  // False when the caller may not read all workspaces; the list is empty then.
  { "is-complete": true },
);

export const daysQuery = Type.Object({ ...pageQuery, "filter[key]": parameter("Tag key.") });

export const checkBody = resourceBody(
  "tag-policies",
  {
    attributes: Type.Object({
      enforce: Type.Optional(enforce),
      rules: Type.Array(ruleSchema, { maxItems: MAX_ENTRIES }),
    }),
  },
  { attributes: { rules: RULES } },
);

export const checkDocument = documentOf(
  "Effect of the rules.",
  effectAsJson("acme", {
    workspaces: 1200,
    failing: 250,
    failingNow: 10,
    newlyFailing: 240,
    rules: [{ name: "owners", failing: 250 }],
  }),
  {
    id: "Organization name.",
    attributes: {
      workspaces: "Number of checked workspaces.",
      "non-compliant": "Number of workspaces that would violate the rules.",
      "non-compliant-now": "Number of workspaces that violate the saved rules.",
      "newly-non-compliant": "Number of workspaces that would violate the rules, and violate no saved rule.",
      rules: { "non-compliant": "Number of workspaces that would violate this rule." },
    },
  },
);
