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
import { shortcomingAsJson } from "./as-json.ts";
import { renderTagPolicy } from "./render.ts";

const enforce = Type.Union([Type.Literal("advise"), Type.Literal("refuse")], {
  description: "advise: writes that break rules are made, and answered with meta.warnings; refuse: they are 422.",
});

const PATTERN = "A regular expression (RE2) that fits the whole";

const ruleSchema = Type.Object(
  {
    name: Type.String({ description: "Unique in the policy; answers name the rule by it." }),
    project: optional(
      Type.String({ minLength: 1, maxLength: 100 }),
      "Id of the project that it is for; all without it.",
    ),
    "required-keys": optional(
      Type.Array(Type.String()),
      "Keys that a workspace has, itself or by its project, or as flat tags.",
    ),
    key: optional(Type.String(), "The key whose values are bounded by allowed-values or value-pattern."),
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

export const reportList = pageOf("A page of workspaces that fall short.", SHORTCOMING, {
  attributes: {
    "violation-count": "How many rules it breaks, each as often as it does.",
    violations: Type.Array(shapeOf(SHORTCOMING.attributes.violations[0]), { description: "The first 20." }),
  },
});

export const reportQuery = Type.Object({
  ...pageQuery,
  q: parameter("Text that the name holds, in any case."),
  "filter[project][id]": parameter("Id of its project."),
  "filter[rule]": parameter("A rule that it breaks."),
  "filter[kind]": parameter("How: required, value, name or limit."),
  "filter[key]": parameter("The key or name it is about."),
});
