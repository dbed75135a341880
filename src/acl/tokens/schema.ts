import { Type } from "typebox";
import { freeText, goDuration, goTime, READ_ONLY_MEMBERS, READ_ONLY_TIME } from "../../http/v1/body-schema.ts";
import { nullable } from "../../http/jsonapi/schema.ts";
import { SHOWN_GRANTS, SHOWN_INDEXES, shownLinks, SHOWN_SCOPE } from "../kit/answer-schema.ts";
import { SHOWN_POLICY } from "../policies/schema.ts";
import { SHOWN_ROLE } from "../roles/schema.ts";
import { GRANT_MEMBERS, linksSchema, SCOPE_MEMBERS } from "../kit/schema.ts";
import { unsupportedText } from "../kit/unsupported.ts";

const EXAMPLE = {
  AccessorID: "4790b712-08ff-4c92-85df-006937ca5567",
  SecretID: "8ff82181-310d-41f3-ac40-3733f168539d",
  Description: "Web deployments",
  Roles: [{ ID: "237be9ef-e3af-4c08-a0c8-2d294a0f5598", Name: "web-team" }],
  Local: false,
  ExpirationTime: "2026-11-21T00:26:24.523Z",
  CreateTime: "2026-11-20T23:26:24.523Z",
  Hash: "Ajr9Lxj+Krn3iRd5n9tv/SIdCAQVIlXPPNk1jt0CBpI=",
  CreateIndex: 5,
  ModifyIndex: 5,
};

/** Members that every token has. Examples of similar answers show no more. */
const { Roles: _roles, ExpirationTime: _expirationTime, ...PLAIN } = EXAMPLE;
export const PLAIN_EXAMPLE = PLAIN;

const MEMBERS = {
  AccessorID: Type.Optional(
    Type.String({
      description:
        "Can be set at creation with operator:write, or with acl:write in the default namespace of the partition.",
    }),
  ),
  SecretID: Type.Optional(Type.String()),
  Name: unsupportedText,
  Description: Type.Optional(freeText()),
  Roles: Type.Optional(linksSchema),
  ...GRANT_MEMBERS,
  Local: Type.Optional(Type.Boolean()),
  AuthMethod: Type.Optional(Type.String()),
  AuthMethodNamespace: Type.Optional(Type.String()),
  ExpirationTime: Type.Optional(goTime()),
  ExpirationTTL: Type.Optional(goDuration()),
  CreateTime: Type.Optional(goTime()),
  LastUsed: READ_ONLY_TIME,
  DisabledTime: READ_ONLY_TIME,
  ...SCOPE_MEMBERS,
  ...READ_ONLY_MEMBERS,
};

export const tokenBody = Type.Object(MEMBERS, {
  title: "TokenBody",
  examples: [{ Description: EXAMPLE.Description, Roles: [{ Name: "web-team" }], ExpirationTTL: "1h" }],
});

const SHOWN = {
  AccessorID: Type.String(),
  SecretID: Type.String(),
  Description: Type.String(),
  Roles: Type.Optional(shownLinks),
  ...SHOWN_GRANTS,
  Local: Type.Boolean(),
  AuthMethod: Type.Optional(Type.String()),
  AuthMethodNamespace: Type.Optional(Type.String()),
  ExpirationTime: Type.Optional(Type.String({ format: "date-time" })),
  CreateTime: Type.String({ format: "date-time" }),
  LastUsed: Type.Optional(
    Type.String({
      format: "date-time",
      description: "Time of the first use on the last day (UTC) of use; absent before the first use.",
    }),
  ),
  DisabledTime: Type.Optional(
    Type.String({ format: "date-time", description: "Time at which the token was disabled; absent if it is enabled." }),
  ),
  Hash: Type.String(),
  ...SHOWN_SCOPE,
  ...SHOWN_INDEXES,
};

export const tokenAnswer = Type.Object(SHOWN, { title: "Token", description: "The token.", examples: [EXAMPLE] });

const idsOrNull = nullable(Type.Array(Type.String()));

/** Members that `expanded` adds: all of them or none. */
const EXPANDED = Type.Partial(
  Type.Object({
    ExpandedPolicies: nullable(Type.Array(Type.Object(SHOWN_POLICY))),
    ExpandedRoles: nullable(Type.Array(Type.Object(SHOWN_ROLE))),
    NamespaceDefaultPolicyIDs: idsOrNull,
    NamespaceDefaultRoleIDs: idsOrNull,
    AgentACLDefaultPolicy: Type.String(),
    AgentACLDownPolicy: Type.String(),
    ResolvedByAgent: Type.String(),
  }),
);

export const tokenReadAnswer = Type.Intersect([tokenAnswer, EXPANDED], {
  title: "ExpandedToken",
  description: "The token.",
  examples: [EXAMPLE],
});

const OLD_ID = Type.Object({ ID: Type.String({ description: "SecretID, for old clients." }) });

export const bootstrapAnswer = Type.Intersect([OLD_ID, tokenAnswer], {
  title: "BootstrapToken",
  description: "The token.",
  examples: [{ ID: PLAIN.SecretID, ...PLAIN, Description: "Bootstrap Token (Global Management)" }],
});

export const tokenListAnswer = Type.Array(Type.Object(SHOWN), {
  description: "Tokens. SecretID is `<hidden>` without acl:write.",
  examples: [[{ ...PLAIN, SecretID: "<hidden>" }]],
});

export const bootstrapBody = Type.Object(
  { BootstrapSecret: Type.Optional(Type.String({ description: "SecretID for the new token." })) },
  { examples: [{}] },
);
