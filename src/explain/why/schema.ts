import { Type, type Static } from "typebox";
import { oneOf } from "../../http/v1/body-schema.ts";
import { decidingRule, SHOWN_SCOPE } from "../../acl/kit/answer-schema.ts";
import { SCOPE_MEMBERS } from "../../acl/kit/schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import type { ExplainedRefusal } from "./refusal.ts";
import type { ExplainedQuestion } from "./service.ts";

const text = Type.Optional(Type.String());

export const questionSchema = Type.Object(
  {
    Resource: text,
    Segment: text,
    Access: text,
    Namespace: text,
    Partition: text,
    Request: Type.Optional(
      Type.String({
        description: "A method and path in the place of all else, such as `PATCH /api/v2/workspaces/ws-1`.",
      }),
    ),
  },
  { title: "ExplainQuestion" },
);

const QUESTION = { Resource: "workspace", Segment: "acme/prod-db", Access: "write" };

export const explainBody = Type.Object(
  {
    AccessorID: text,
    RoleID: text,
    RoleName: text,
    AuthMethod: text,
    Rules: Type.Optional(
      Type.String({ description: "Of a policy that is only thought of; it is `draft` in the paths." }),
    ),
    BearerToken: text,
    Identity: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    Questions: Type.Optional(Type.Array(questionSchema)),
    ...SCOPE_MEMBERS,
  },
  { examples: [{ AccessorID: "7a38d7a2-8a29-4d5c-9cd6-bb4ea5f3a4e3", Questions: [QUESTION] }] },
);

const link = Type.Object(
  {
    Kind: oneOf(["direct", "role", "identity", "default"]),
    ID: text,
    Name: text,
    Namespace: text,
    Role: text,
    BindingRules: Type.Optional(
      Type.Array(Type.Object({ ID: Type.String(), AuthMethod: text, Selector: text }), {
        description: "The binding rules of the login that gave it.",
      }),
    ),
  },
  { title: "DecidingLink" },
);

const step = Type.Object(
  {
    ID: Type.String({ description: "Of the policy; `hidden` when the caller may not read it." }),
    Name: Type.String(),
    ...SHOWN_SCOPE,
    Places: Type.Optional(
      Type.Array(Type.Object({ Line: Type.Integer(), Column: Type.Integer() }), {
        description: "Where in its text the rule stands.",
      }),
    ),
    Links: Type.Array(link, { description: "How whoever is asked about came by it." }),
  },
  { title: "DecidingPolicy" },
);

export const wantedSchema = Type.Object(
  {
    Rules: Type.Optional(Type.String({ description: "The smallest rule that would allow it." })),
    Overruled: Type.Optional(
      Type.Boolean({ description: "The rule that decides is stronger: it has to go before any other counts." }),
    ),
    Roles: Type.Array(Type.Object({ ID: Type.String(), Name: Type.String() }), {
      description: "Roles that hold it already.",
    }),
    RolesComplete: Type.Boolean({ description: "Whether all roles were looked at." }),
  },
  { title: "WantedRule" },
);

export const DECISION = {
  Resource: text,
  Segment: text,
  Access: text,
  Namespace: text,
  Partition: text,
  Request: text,
  Allow: Type.Optional(Type.Boolean({ description: "Absent where the path names nothing that the caller may read." })),
  DecidedBy: Type.Optional(
    oneOf(["direct", "default", "default-policy", "login"], "`login` of an identity whose login would be refused."),
  ),
  Rule: Type.Optional(decidingRule),
  Path: Type.Optional(Type.Array(step)),
  Wanted: Type.Optional(wantedSchema),
};

const EXAMPLE = {
  ...QUESTION,
  Allow: false,
  DecidedBy: "direct",
  Rule: { Resource: "organization", Segment: "acme", Policy: "read" },
  Path: [
    {
      ID: "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11",
      Name: "readers",
      Namespace: "default",
      Partition: "default",
      Places: [{ Line: 1, Column: 14 }],
      Links: [{ Kind: "role", ID: "237be9ef-e3af-4c08-a0c8-2d294a0f5598", Name: "developers" }],
    },
  ],
  Wanted: { Rules: 'workspace "acme/prod-db" {\n  policy = "write"\n}', Roles: [], RolesComplete: true },
};

export const explainAnswer = Type.Object(
  {
    AccessorID: text,
    AuthMethod: text,
    Role: Type.Optional(Type.Object({ ID: Type.String(), Name: Type.String() })),
    Refusal: Type.Optional(Type.String({ description: "What a login would be refused with." })),
    Answers: Type.Array(Type.Object(DECISION, { title: "ExplainedDecision" })),
  },
  {
    description:
      "Who was asked about, and the questions in their order, each with its answer and the path that led to it.",
    examples: [{ AccessorID: "7a38d7a2-8a29-4d5c-9cd6-bb4ea5f3a4e3", Answers: [EXAMPLE] }],
  },
);

export const refusalAnswer = Type.Object(
  {
    RequestID: Type.String(),
    At: Type.String({ description: "When it was put on record, or refused last while it is not." }),
    Action: oneOf(["read", "write", "login", "authenticate"]),
    AccessorID: text,
    Count: Type.Integer({ description: "Requests that were refused the same within its minute." }),
    Question: Type.Optional(
      Type.Object(DECISION, { title: "ExplainedDecision", description: "What was asked, and how it is decided now." }),
    ),
    TokenIsGone: Type.Optional(Type.Literal(true)),
    Login: Type.Optional(Type.Object({ AuthMethod: Type.String(), Reason: Type.String(), BindingRule: text })),
  },
  {
    description: "The request, what it was refused, and how that is decided now.",
    examples: [
      {
        RequestID: "5b0d1f6f3b8e-2s",
        At: "2026-11-24T12:00:00.000Z",
        Action: "write",
        AccessorID: "7a38d7a2-8a29-4d5c-9cd6-bb4ea5f3a4e3",
        Count: 1,
        // The path is in the example of `explain`.
        Question: { ...QUESTION, Allow: false, DecidedBy: "default-policy" },
      },
    ],
  },
);

/** A refused request as it is answered. */
export function renderRefusal(
  requestId: string,
  { record, count, question, now, login }: ExplainedRefusal,
  renderScope: RenderScope,
) {
  const { at, accessorId, action } = record;
  const asked = question && {
    Resource: question.resource,
    Segment: question.segment,
    Access: question.access,
    ...renderScope(question.scope),
  };
  const unanswered: ExplainedQuestion = { asked: question, decision: undefined, wanted: undefined };
  return {
    RequestID: requestId,
    At: at,
    Action: action,
    AccessorID: accessorId || undefined,
    Count: count,
    Question: asked && renderAnswer(asked, now ?? unanswered),
    TokenIsGone: question !== undefined && now === undefined ? true : undefined,
    Login: login && { AuthMethod: login.authMethod, Reason: login.reason, BindingRule: login.bindingRule },
  };
}

/** An answer, with the question as it was asked, or as its request was understood. */
export function renderAnswer(question: Static<typeof questionSchema>, { asked, decision, wanted }: ExplainedQuestion) {
  const said = question.Request === undefined ? question : { ...understood(asked), Request: question.Request };
  return {
    Resource: said.Resource || undefined,
    Segment: said.Segment || undefined,
    Access: said.Access || undefined,
    Namespace: said.Namespace || undefined,
    Partition: said.Partition || undefined,
    Request: said.Request || undefined,
    ...decision,
    Wanted: wanted && {
      Rules: wanted.rules,
      Overruled: wanted.isOverruled || undefined,
      Roles: wanted.roles.map(({ id, name }) => ({ ID: id, Name: name })),
      RolesComplete: wanted.isComplete,
    },
  };
}

function understood(asked: ExplainedQuestion["asked"]): Omit<Static<typeof questionSchema>, "Request"> {
  if (asked === undefined) return {};
  const { resource, segment, access } = asked;
  return { Resource: resource, Segment: segment, Access: access };
}
