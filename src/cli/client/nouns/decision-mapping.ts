import { textColumns, textFlags } from "../kit/texts.ts";
import { kindVerbs, type CliKind } from "../kit/v1.ts";
import type { Noun } from "../spec.ts";

/** Mappings of own types to policy rules, for the decision point. */
export const DECISION_MAPPING: CliKind = {
  noun: "decision-mapping",
  plural: "decision mappings",
  pathName: "name",
  idMember: "Name",
  nameMember: "Name",
  operations: {
    list: "listDecisionMappings",
    read: "readDecisionMapping",
    create: "createDecisionMapping",
    replace: "replaceDecisionMapping",
    update: "updateDecisionMapping",
    remove: "deleteDecisionMapping",
  },
  columns: [
    { title: "Name", value: "Name" },
    { title: "Subject types", value: (item) => typesIn(item["SubjectTypes"]) },
    { title: "Resource types", value: (item) => typesIn(item["ResourceTypes"]) },
    ...textColumns("decision-mapping"),
    { title: "Partition", value: "Partition", wide: true },
    { title: "Index", value: "ModifyIndex", wide: true },
  ],
  memberFlags: textFlags("decision-mapping"),
};

function typesIn(value: unknown): string {
  const types = Array.isArray(value) ? (value as { Type?: unknown }[]) : [];
  return types.map(({ Type }) => String(Type)).join(", ");
}

export const noun: Noun = {
  name: "decision-mapping",
  summary: "Decision mappings: map AuthZEN types to tokens, roles and policy rules.",
  verbs: kindVerbs(DECISION_MAPPING),
};
