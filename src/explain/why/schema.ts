import { Type, type Static } from "typebox";
import { oneOf } from "../../http/v1/body-schema.ts";
import { decidingRule, SHOWN_SCOPE } from "../../acl/kit/answer-schema.ts";
import { SCOPE_MEMBERS } from "../../acl/kit/schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import type { RightsQuestion } from "../../rights/rules/question.ts";
import type { ExplainedOwn } from "./own.ts";
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
        description: "Method and path instead of the other members, such as `PATCH /api/v2/workspaces/ws-1`.",
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
      Type.String({ description: "Rules of an unsaved policy, which is named `draft` in the paths." }),
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
        description: "Binding rules of the login that granted it.",
      }),
    ),
  },
  { title: "DecidingLink" },
);

/** A policy in the path to a decision. */
export const shownPolicy = Type.Object(
  {
    ID: Type.String({ description: "ID of the policy; `hidden` if the caller may not read it." }),
    Name: Type.String(),
    ...SHOWN_SCOPE,
    Places: Type.Optional(
      Type.Array(Type.Object({ Line: Type.Integer(), Column: Type.Integer() }), {
        description: "Position of the rule in the policy.",
      }),
    ),
    Links: Type.Array(link, { description: "Path from the subject to the policy." }),
  },
  { title: "DecidingPolicy" },
);

export const wantedSchema = Type.Object(
  {
    Rules: Type.Optional(Type.String({ description: "Minimal rule that allows the access." })),
    Overruled: Type.Optional(
      Type.Boolean({
        description: "Whether the deciding rule takes precedence: remove it before you add another rule.",
      }),
    ),
    Roles: Type.Array(Type.Object({ ID: Type.String(), Name: Type.String() }), {
      description: "Existing roles that grant the access.",
    }),
    RolesComplete: Type.Boolean({ description: "Whether all roles were checked." }),
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
  Allow: Type.Optional(Type.Boolean({ description: "Absent if the path names no object that the caller may read." })),
  DecidedBy: Type.Optional(
    oneOf(
      ["direct", "default", "default-policy", "login", "disabled"],
      "`login`: the login of the identity would be denied. `disabled`: the token is disabled.",
    ),
  ),
  Rule: Type.Optional(decidingRule),
  Path: Type.Optional(Type.Array(shownPolicy)),
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
    Refusal: Type.Optional(
      Type.String({
        description: "Reason why a login would be denied, or the time at which the token was disabled.",
      }),
    ),
    Answers: Type.Array(Type.Object(DECISION, { title: "ExplainedDecision" })),
  },
  {
    description: "Subject, and the checks in the order of the request, each with its decision and path.",
    examples: [{ AccessorID: "7a38d7a2-8a29-4d5c-9cd6-bb4ea5f3a4e3", Answers: [EXAMPLE] }],
  },
);

export const refusalAnswer = Type.Object(
  {
    RequestID: Type.String(),
    At: Type.String({
      description: "Time of the audit record, or of the last denial if the record is not written yet.",
    }),
    Action: oneOf(["read", "write", "login", "authenticate"]),
    AccessorID: text,
    Count: Type.Integer({ description: "Number of identical denied requests within the minute." }),
    Question: Type.Optional(
      Type.Object(DECISION, { title: "ExplainedDecision", description: "Requested access, and the current decision." }),
    ),
    TokenIsGone: Type.Optional(Type.Literal(true)),
    Login: Type.Optional(Type.Object({ AuthMethod: Type.String(), Reason: Type.String(), BindingRule: text })),
  },
  {
    description: "Denied request, its denial, and the current decision.",
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

export const ownRefusalsAnswer = Type.Array(
  Type.Object(
    {
      RequestID: Type.String(),
      At: Type.String({ format: "date-time" }),
      Action: oneOf(["read", "write"]),
      Question: Type.Object(DECISION, { title: "ExplainedDecision" }),
    },
    { title: "OwnDeniedRequest" },
  ),
  {
    description: "Last denied access checks, the latest first, each with the current decision and the minimal rule.",
    examples: [
      [
        {
          RequestID: "5b0d1f6f3b8e-2s",
          At: "2026-11-24T12:00:00.000Z",
          Action: "write",
          Question: { ...QUESTION, Allow: false, DecidedBy: "default-policy" },
        },
      ],
    ],
  },
);

/** Denied requests of the caller as they are answered. */
export function renderOwnRefusals(refusals: readonly ExplainedOwn[], renderScope: RenderScope) {
  return refusals.map(({ refusal: { requestId, at, action, question }, now }) => ({
    RequestID: requestId,
    At: new Date(at).toISOString(),
    Action: action,
    Question: renderAnswer(askedOf(question, renderScope), now),
  }));
}

function askedOf({ resource, segment, access, scope }: RightsQuestion, renderScope: RenderScope) {
  return { Resource: resource, Segment: segment, Access: access, ...renderScope(scope) };
}

/** A refused request as it is answered. */
export function renderRefusal(
  requestId: string,
  { record, count, question, now, login }: ExplainedRefusal,
  renderScope: RenderScope,
) {
  const { at, accessorId, action } = record;
  const asked = question && askedOf(question, renderScope);
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
