import { textOrFile } from "../body.ts";
import { historyVerbs } from "../kit/history.ts";
import { textColumns, textFlags } from "../kit/texts.ts";
import { kindVerbs, type CliKind } from "../kit/v1.ts";
import { checkVerb } from "../kit/check.ts";
import type { Noun } from "../spec.ts";
import { templateVerbs } from "./policy-templates.ts";
import { testVerb } from "./policy-test.ts";
import { tightenPolicyVerb } from "./tighten.ts";

/** Policies. */
export const POLICY: CliKind = {
  noun: "policy",
  plural: "policies",
  pathName: "id",
  idMember: "ID",
  draft: { changed: "Policies", deleted: "DeletedPolicies", empty: { Rules: "" } },
  check: {
    operation: "checkPolicy",
    bodyOf: (members, isWhole) => (isWhole || typeof members["Rules"] === "string" ? members : undefined),
  },
  nameMember: "Name",
  operations: {
    list: "listPolicies",
    read: "readPolicy",
    readByName: "readPolicyByName",
    create: "createPolicy",
    replace: "replacePolicy",
    update: "updatePolicy",
    remove: "deletePolicy",
  },
  columns: [
    { title: "Name", value: "Name" },
    ...textColumns("policy"),
    { title: "ID", value: "ID" },
    { title: "Datacenters", value: "Datacenters", wide: true },
    { title: "Namespace", value: "Namespace", wide: true },
    { title: "Index", value: "ModifyIndex", wide: true },
    // Lists do not have them.
    { title: "Rules", value: (item) => item["Rules"], wide: true },
  ],
  memberFlags: [
    ...textFlags("policy"),
    {
      name: "rules",
      value: "HCL",
      member: "Rules",
      read: textOrFile,
      help: "Policy rules. @FILE reads a file, @- reads stdin.",
    },
    {
      name: "valid-datacenter",
      value: "NAME",
      many: true,
      member: "Datacenters",
      help: "Datacenter in which the policy is valid. Repeatable. Default: all.",
    },
  ],
};

export const noun: Noun = {
  name: "policy",
  summary: "Policies: rules, checks, tests and templates.",
  verbs: [
    ...kindVerbs(POLICY),
    ...historyVerbs(POLICY, "policy"),
    checkVerb({
      operation: "checkPolicy",
      summary: "Check policy rules without saving them. Reports errors and warnings with line and column.",
      argument: { name: "file", help: "File with policy rules in HCL or JSON. Use - to read stdin.", complete: "file" },
      bodyOf: (text) => ({ Rules: text }),
      member: "Rules",
    }),
    testVerb,
    tightenPolicyVerb(POLICY),
    ...templateVerbs,
  ],
};
