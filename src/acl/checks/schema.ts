import { Type } from "typebox";
import { communityMethodBody, methodBody } from "../auth-methods/schema.ts";
import { bindingRuleBody, RULE_EXAMPLE } from "../binding-rules/schema.ts";
import { renderFinding, type Findings } from "./finding.ts";

const text = Type.Optional(Type.String());

const RULE = { title: "BindingRuleToCheck", examples: [RULE_EXAMPLE] };

/** A binding rule, and its auth method where that is to be another one than is stored. */
export const ruleToCheck = Type.Object({ ...bindingRuleBody.properties, Method: Type.Optional(methodBody) }, RULE);
export const communityRuleToCheck = Type.Object(
  { ...bindingRuleBody.properties, Method: Type.Optional(communityMethodBody) },
  RULE,
);

const finding = Type.Object(
  {
    Code: Type.String({ description: "`invalid` for errors; for warnings, the code of the finding." }),
    Message: Type.String(),
    Member: Type.String({ description: "Member of the body." }),
    Line: Type.Optional(Type.Integer({ description: "Line in the text of the member, from 1." })),
    Column: Type.Optional(Type.Integer({ description: "Column in characters, from 1." })),
    DidYouMean: text,
  },
  { title: "Finding" },
);

const EXAMPLE = {
  Errors: [],
  Warnings: [
    {
      Code: "unknown-kind",
      Message: 'unknown rule type "organisation"; it has no effect',
      Member: "Rules",
      Line: 1,
      Column: 1,
      DidYouMean: "organization",
    },
  ],
};

export const findingsAnswer = Type.Object(
  { Errors: Type.Array(finding), Warnings: Type.Array(finding) },
  {
    description: "Errors and warnings; both empty if the object is valid.",
    examples: [EXAMPLE],
  },
);

export function renderFindings({ errors, warnings }: Findings) {
  return { Errors: errors.map(renderFinding), Warnings: warnings.map(renderFinding) };
}
