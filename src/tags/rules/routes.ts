import { EntryTexts } from "../../http/sending/entry-texts.ts";
import { apiRoutes, type Registrar } from "../../http/jsonapi/jsonapi.ts";
import type { QueryParameters } from "../../http/query.ts";
import { createKeptLists, type KeptLists } from "../../limits/kept-lists.ts";
import { readRules } from "./read-rules.ts";
import { renderTagPolicy } from "./render.ts";
import type { ReportFilter } from "./report.ts";
import { dayAsJson, effectAsJson } from "./as-json.ts";
import { checkDraft, listCoverageDays, listKeyCoverage, listProjectCoverage, reportShortcomings } from "./reports.ts";
import {
  checkBody,
  checkDocument,
  coverageList,
  coverageQuery,
  daysList,
  daysQuery,
  policyDocument,
  projectsList,
  projectsQuery,
  putBody,
  reportList,
  reportQuery,
} from "./schema.ts";
import { putTagPolicy, readTagPolicy, removeTagPolicy, type NamedTagPolicy } from "./service.ts";

const POLICY = "/organizations/:organization_name/tag-policy";
const KEPT_BYTES = 32 * 1024 * 1024;

/** Rules for the tags of an organization's workspaces. */
export const tagPolicyRoutes = apiRoutes("Tag policy", (on) => {
  const kept = createKeptLists({ pool: "tagReports", maxBytes: KEPT_BYTES, running: 2 });
  on.read(POLICY, {
    operationId: "readTagPolicy",
    summary: "Read the tag policy of an organization",
    answer: policyDocument,
    handle: async ({ ctx, params }) => documentOf(await readTagPolicy(ctx, params.organization_name)),
  });
  on.put(POLICY, {
    operationId: "putTagPolicy",
    summary: "Replace the tag policy of an organization",
    body: putBody,
    answer: policyDocument,
    handle: async ({ ctx, params, body }) => {
      const { enforce, rules } = body.data.attributes;
      return documentOf(await putTagPolicy(ctx, params.organization_name, enforce, readRules(rules)));
    },
  });
  on.delete(POLICY, {
    operationId: "deleteTagPolicy",
    summary: "Delete the tag policy of an organization",
    answer: "Deleted.",
    handle: ({ ctx, params }) => removeTagPolicy(ctx, params.organization_name),
  });
  on.list(`${POLICY}/report`, {
    operationId: "reportTagPolicy",
    summary: "List non-compliant workspaces",
    query: reportQuery,
    answer: reportList,
    handle: async ({ ctx, params, query }, page) => {
      const filter = readFilter(query);
      const { texts, total } = await reportShortcomings(ctx, kept, params.organization_name, filter, page);
      return { data: new EntryTexts(texts), total };
    },
  });
  addCoverage(on, kept);
  on.act(`${POLICY}/check`, {
    operationId: "checkTagPolicy",
    summary: "Count workspaces that would violate a draft",
    description: "Saves nothing.",
    body: checkBody,
    answer: checkDocument,
    handle: async ({ ctx, params, body }) => {
      const rules = readRules(body.data.attributes.rules);
      const { organizationName, ...effect } = await checkDraft(ctx, kept, params.organization_name, rules);
      return { data: effectAsJson(organizationName, effect) };
    },
  });
});

/** Adds the lists of how many workspaces have the required keys. */
function addCoverage(on: Registrar, kept: KeptLists): void {
  on.list(`${POLICY}/keys`, {
    operationId: "listTagPolicyKeys",
    summary: "List required tag keys with their coverage",
    description: "Most missing keys first.",
    query: coverageQuery,
    answer: coverageList,
    handle: async ({ ctx, params, query }, page) => {
      const projectId = query["filter[project][id]"] || undefined;
      const { texts, total, isWhole } = await listKeyCoverage(ctx, kept, params.organization_name, projectId, page);
      return { data: new EntryTexts(texts), total, meta: { "is-complete": isWhole } };
    },
  });
  on.list(`${POLICY}/projects`, {
    operationId: "listTagPolicyProjects",
    summary: "List projects with coverage of required tag keys",
    description: "Most workspaces without a key first.",
    query: projectsQuery,
    answer: projectsList,
    handle: async ({ ctx, params, query }, page) => {
      const key = query["filter[key]"] || undefined;
      const { texts, total, isWhole } = await listProjectCoverage(ctx, kept, params.organization_name, key, page);
      return { data: new EntryTexts(texts), total, meta: { "is-complete": isWhole } };
    },
  });
  on.list(`${POLICY}/days`, {
    operationId: "listTagPolicyDays",
    summary: "List coverage of required tag keys by day",
    description: "By key, then by day. Requires permission to read all workspaces.",
    query: daysQuery,
    answer: daysList,
    handle: async ({ ctx, params, query }, page) => {
      const key = query["filter[key]"] || undefined;
      const { days, total, isWhole } = await listCoverageDays(ctx, params.organization_name, key, page);
      return { data: days.map(dayAsJson), total, meta: { "is-complete": isWhole } };
    },
  });
}

function documentOf({ policy, organizationName }: NamedTagPolicy) {
  return { data: renderTagPolicy(policy, organizationName) };
}

function readFilter(query: QueryParameters): ReportFilter {
  const given = (name: string) => query[name] || undefined;
  return {
    namePart: given("q"),
    projectId: given("filter[project][id]"),
    rule: given("filter[rule]"),
    kind: given("filter[kind]"),
    subject: given("filter[key]"),
  };
}
