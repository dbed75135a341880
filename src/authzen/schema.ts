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
  title: "EvaluationRequest",
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
    title: "EvaluationsRequest",
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

const searched = (what: string) =>
  Type.Object(
    { type: Type.String(), properties },
    { title: "SearchedEntity", description: `Searched ${what}; an ID is ignored.` },
  );
const page = Type.Optional(
  Type.Object(
    {
      token: Type.Optional(Type.String({ description: "`next_token` of the previous page." })),
      limit: Type.Optional(Type.Integer({ description: "Maximum number of results. Default: 100. Maximum: 1000." })),
    },
    { title: "SearchPage" },
  ),
);
const answered = Type.Optional(
  Type.Object(
    { next_token: Type.String(), count: Type.Integer() },
    { title: "SearchedPage", description: "Empty `next_token`: last page." },
  ),
);
const entities = Type.Object(
  {
    page: answered,
    context: free("`search`: `rules` where results are names in policy rules, not stored objects."),
    results: Type.Array(
      Type.Object(
        {
          type: Type.String(),
          id: Type.String(),
          properties: free(
            "Properties with which a mapped resource has the access, in addition to those of the request.",
          ),
        },
        { title: "FoundEntity" },
      ),
    ),
  },
  { title: "FoundEntities", description: "Results of one page.", examples: [{ results: [SUBJECT] }] },
);

/** Bodies and answers of the searches. */
export const SEARCHES = {
  subject: {
    operationId: "searchSubjects",
    body: Type.Object(
      { subject: searched("subjects"), action, resource: entity, context, page },
      {
        title: "SubjectSearch",
        examples: [{ subject: { type: "role" }, action: { name: "write" }, resource: RESOURCE }],
      },
    ),
    answer: entities,
  },
  resource: {
    operationId: "searchResources",
    body: Type.Object(
      { subject: entity, action, resource: searched("resources"), context, page },
      {
        title: "ResourceSearch",
        examples: [{ subject: SUBJECT, action: { name: "write" }, resource: { type: "service" } }],
      },
    ),
    answer: entities,
  },
  action: {
    operationId: "searchActions",
    body: Type.Object(
      { subject: entity, resource: entity, context, page },
      { title: "ActionSearch", examples: [{ subject: SUBJECT, resource: RESOURCE }] },
    ),
    answer: Type.Object(
      { page: answered, results: Type.Array(Type.Object({ name: Type.String() })) },
      { title: "FoundActions", description: "Results of one page.", examples: [{ results: [{ name: "read" }] }] },
    ),
  },
};
