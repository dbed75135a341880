import { Type, type Static } from "typebox";
import { oneOf } from "../../http/v1/body-schema.ts";
import { SCOPE_MEMBERS } from "../../acl/kit/schema.ts";
import { lineFinder } from "../../rights/rules/scanner.ts";
import { DAYS_KEPT } from "../../records/uses/row.ts";
import { POLICY_REASONS } from "./engine/role.ts";
import type { KeptRule, TightenedLine } from "./engine/tighten.ts";
import { LINE_REASONS } from "./engine/wanted.ts";
import type { Grounds } from "./find.ts";
import { DEFAULT_DAYS, type TightenedPolicyDraft, type TightenedRoleDraft, type TightenWindow } from "./service.ts";

const window = {
  Days: Type.Optional(
    Type.Integer({ description: `Number of days of recorded use, 1 to ${DAYS_KEPT}. Default: ${DEFAULT_DAYS}.` }),
  ),
  DecisionPoints: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Decision points whose access checks for other subjects count: AccessorIDs of tokens, or METHOD/IDENTITY of logins. " +
        "Maximum 100. Default: none.",
    }),
  ),
};

export const tightenPolicyBody = Type.Object(
  {
    ...window,
    Keep: Type.Optional(
      Type.Array(
        Type.Object({
          Resource: Type.Optional(Type.String()),
          Segment: Type.Optional(Type.String()),
          Prefix: Type.Optional(Type.Boolean()),
        }),
        { description: "Policy rules to keep unchanged, and names to keep allowed. Maximum 1000." },
      ),
    ),
    ...SCOPE_MEMBERS,
  },
  { title: "TightenPolicyBody", examples: [{ Days: 90, Keep: [{ Resource: "key", Segment: "app/", Prefix: true }] }] },
);

export const tightenRoleBody = Type.Object(
  {
    ...window,
    Keep: Type.Optional(Type.Array(Type.String(), { description: "IDs of policies to keep. Maximum 1000." })),
    ...SCOPE_MEMBERS,
  },
  { title: "TightenRoleBody", examples: [{ Days: 90 }] },
);

const grounds = {
  Days: Type.Integer({ description: "Number of days of recorded use." }),
  RecordedSince: Type.String({ description: "First day of recorded use." }),
  Incomplete: Type.Optional(
    Type.String({ description: "Last day on which use was not recorded: the namespace had too many rows." }),
  ),
  Holders: Type.Object(
    { Roles: Type.Integer(), BindingRules: Type.Integer(), Tokens: Type.Integer() },
    { title: "TightenHolders", description: "Number of subjects that hold the policy or role." },
  ),
};

const line = Type.Object(
  {
    Line: Type.Integer({ description: "Line of the policy rule in the stored text." }),
    Rule: Type.String(),
    In: Type.Optional(Type.Array(Type.String(), { description: "Blocks that contain the policy rule." })),
    Action: oneOf(["kept", "lowered", "replaced", "dropped"]),
    Reason: oneOf(LINE_REASONS),
    Other: Type.Optional(
      Type.Object(
        { Rule: Type.String(), Policies: Type.Array(Type.String()) },
        { title: "TightenOtherRule", description: "Policy rule that is the reason." },
      ),
    ),
    Policy: Type.Optional(Type.String({ description: "New permission." })),
    Intentions: Type.Optional(Type.String({ description: "New permission for intentions." })),
    Names: Type.Optional(Type.Array(Type.String(), { description: "Names that replace the prefix." })),
  },
  { title: "TightenedLine" },
);

export const tightenPolicyAnswer = Type.Object(
  {
    ID: Type.String(),
    Name: Type.String(),
    ...grounds,
    Rules: Type.Optional(
      Type.String({ description: "Draft of the policy rules; missing if no safe draft was found." }),
    ),
    Changed: Type.Boolean(),
    Lines: Type.Array(line),
  },
  {
    title: "TightenedPolicy",
    description: "A draft that adds no permission for any subject. The policy stays unchanged.",
    examples: [
      {
        ID: "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11",
        Name: "web",
        Days: 90,
        RecordedSince: "2026-08-01",
        Holders: { Roles: 1, BindingRules: 0, Tokens: 12 },
        Rules: 'key "web/config" {\n  policy = "read"\n}\n',
        Changed: true,
        Lines: [
          {
            Line: 1,
            Rule: 'key_prefix "web/"',
            Action: "replaced",
            Reason: "used-by-name",
            Names: ["web/config"],
          },
          { Line: 4, Rule: 'node_prefix ""', Action: "dropped", Reason: "unused" },
        ],
      },
    ],
  },
);

export const tightenRoleAnswer = Type.Object(
  {
    ID: Type.String(),
    Name: Type.String(),
    ...grounds,
    Offered: Type.Boolean({ description: "Whether removing the dropped policies adds no permission for any subject." }),
    Policies: Type.Array(
      Type.Object(
        {
          ID: Type.String(),
          Name: Type.String(),
          Action: oneOf(["kept", "dropped"]),
          Reason: oneOf(POLICY_REASONS),
        },
        { title: "TightenedLink" },
      ),
    ),
  },
  {
    title: "TightenedRole",
    description: "Policies that the role can lose without a new permission for any subject. The role stays unchanged.",
    examples: [
      {
        ID: "000ed53c-e2d3-e7e6-31a5-c19bc3518a3d",
        Name: "deployers",
        Days: 90,
        RecordedSince: "2026-08-01",
        Holders: { Roles: 1, BindingRules: 0, Tokens: 12 },
        Offered: true,
        Policies: [
          { ID: "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11", Name: "web", Action: "kept", Reason: "used" },
          { ID: "9a0f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11", Name: "old", Action: "dropped", Reason: "unused" },
        ],
      },
    ],
  },
);

/** Returns the window of a request. */
export function windowFrom({
  Days,
  DecisionPoints = [],
}: Pick<Static<typeof tightenRoleBody>, "Days" | "DecisionPoints">): TightenWindow {
  return { days: Days, points: DecisionPoints };
}

/** Returns what a request keeps. */
export function keepFrom({ Keep = [] }: Static<typeof tightenPolicyBody>): KeptRule[] {
  return Keep.map(({ Resource = "", Segment = "", Prefix = false }) => ({
    resource: Resource,
    segment: Segment,
    prefix: Prefix,
  }));
}

export function renderTightenedPolicy({ id, name, rules, draft, lines, ...more }: TightenedPolicyDraft) {
  const lineOf = lineFinder(rules);
  return {
    ID: id,
    Name: name,
    ...renderGrounds(more),
    Rules: draft,
    Changed: draft !== undefined && draft !== rules,
    Lines: lines.map((each) => renderLine(lineOf(each.at), each)),
  };
}

export function renderTightenedRole({ id, name, policies, isOffered, ...more }: TightenedRoleDraft) {
  return {
    ID: id,
    Name: name,
    ...renderGrounds(more),
    Offered: isOffered,
    Policies: policies.map((each) => ({ ID: each.id, Name: each.name, Action: each.action, Reason: each.reason })),
  };
}

function renderGrounds({ days, since, gap, holders }: Grounds & { days: number }) {
  return {
    Days: days,
    RecordedSince: dateOf(since ?? 0),
    Incomplete: gap === undefined ? undefined : dateOf(gap),
    Holders: { Roles: holders.role, BindingRules: holders["binding-rule"], Tokens: holders.token },
  };
}

function renderLine(lineNumber: number, { name, blocks, action, reason, other, edit }: TightenedLine) {
  const lowered = edit?.action === "lowered" ? edit : undefined;
  return {
    Line: lineNumber,
    Rule: name,
    In: blocks.length === 0 ? undefined : blocks,
    Action: action,
    Reason: reason,
    Other: other && { Rule: other.name, Policies: other.policies },
    Policy: lowered?.policy,
    Intentions: lowered?.intentions,
    Names: edit?.action === "replaced" ? edit.names.map(({ segment }) => segment) : undefined,
  };
}

/** A day, as days since 1970-01-01, in ISO 8601. */
function dateOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
