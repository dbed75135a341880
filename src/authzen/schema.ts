/** Payloads of the decision point, for the OpenAPI document: `request.ts` reads them. */
import { Type } from "typebox";

const free = (description: string) => Type.Optional(Type.Object({}, { description, additionalProperties: true }));
const properties = free("Attributes with any names.");
const entity = Type.Object({ type: Type.String(), id: Type.String(), properties }, { title: "DecisionEntity" });
const action = Type.Object({ name: Type.String(), properties }, { title: "DecisionAction" });
const context = free("Environment. Not used.");
const members = { subject: entity, action, resource: entity, context };

const SUBJECT = { type: "role", id: "web-team" };
const RESOURCE = { type: "service", id: "web" };

export const evaluationBody = Type.Object(members, {
  title: "Evaluation",
  description:
    "Subject: `token`, `role` or `identity`, and its ID. Resource: as in policy rules, such as `key`, and its name.",
  examples: [{ subject: SUBJECT, action: { name: "write" }, resource: RESOURCE }],
});

const parts = {
  subject: Type.Optional(entity),
  action: Type.Optional(action),
  resource: Type.Optional(entity),
  context,
};

export const evaluationsBody = Type.Object(
  {
    ...parts,
    evaluations: Type.Optional(Type.Array(Type.Object(parts, { title: "EvaluationItem" }))),
    options: Type.Optional(
      Type.Object({
        evaluations_semantic: Type.Optional(
          Type.String({ description: "execute_all, deny_on_first_deny or permit_on_first_permit." }),
        ),
      }),
    ),
  },
  {
    title: "Evaluations",
    examples: [
      {
        subject: SUBJECT,
        resource: RESOURCE,
        evaluations: [{ action: { name: "read" } }, { action: { name: "write" } }],
      },
    ],
  },
);

const decision = { decision: Type.Boolean(), context: free("Reason of the decision, or error of an item.") };

export const decisionAnswer = Type.Object(decision, {
  title: "AccessDecision",
  description: "Decision.",
  examples: [{ decision: true }],
});

export const decisionsAnswer = Type.Object(
  { evaluations: Type.Optional(Type.Array(decisionAnswer)), decision: Type.Optional(Type.Boolean()) },
  {
    title: "AccessDecisions",
    description: "Decisions in the order of the items; a single decision for a request without items.",
    examples: [{ evaluations: [{ decision: true }, { decision: false }] }],
  },
);
