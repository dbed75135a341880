import { Type } from "typebox";

const day = (description: string) => Type.Optional(Type.String({ description }));

const useEntry = Type.Object(
  {
    Policy: Type.Optional(
      Type.Object({ ID: Type.String(), Name: Type.Optional(Type.String()) }, { title: "UsedPolicy" }),
    ),
    Rule: Type.Optional(
      Type.Object(
        {
          Resource: Type.String(),
          Segment: Type.String(),
          Prefix: Type.Optional(Type.Boolean()),
          Policy: Type.String({ description: "Permission of the rule." }),
          Line: Type.Optional(Type.Integer({ description: "Line in the policy. Reports of one policy only." })),
          Block: Type.Optional(Type.String({ description: "Namespace or partition block that contains the rule." })),
        },
        { title: "UsedRule" },
      ),
    ),
    Token: Type.Optional(
      Type.Object({ AccessorID: Type.String(), Description: Type.String() }, { title: "UsingToken" }),
    ),
    Role: Type.Optional(Type.Object({ ID: Type.String(), Name: Type.String() }, { title: "UsedRole" })),
    Identity: Type.Optional(
      Type.Object(
        { AuthMethod: Type.String(), Identity: Type.Optional(Type.String()) },
        { title: "UsingIdentity", description: "Without Identity: identities that are recorded by their roles." },
      ),
    ),
    BindingRule: Type.Optional(
      Type.Object(
        { ID: Type.String(), Description: Type.String(), AuthMethod: Type.String() },
        {
          title: "MatchedBindingRule",
          description: "`Enforced` is the number of logins that the binding rule matched.",
        },
      ),
    ),
    DecisionPoint: Type.Optional(
      Type.String({
        description:
          "AccessorID of a token, or METHOD/IDENTITY of a login. Empty: decision points without a recorded name.",
      }),
    ),
    Enforced: Type.Integer({ description: "Number of requests that used a permission." }),
    Own: Type.Integer({ description: "Number of questions of callers about their own permissions." }),
    Others: Type.Integer({ description: "Number of questions about the permissions of other subjects." }),
    FirstDay: day("First day of use (UTC). Absent: never used."),
    LastDay: day("Last day of use (UTC)."),
    DaysUsed: Type.Optional(
      Type.Integer({ description: "Number of the last 30 days with a use. Absent: never used." }),
    ),
    Names: Type.Optional(
      Type.Array(
        Type.Object(
          { Name: Type.String(), Access: Type.String(), Total: Type.Integer(), LastDay: Type.String() },
          { title: "UsedName" },
        ),
        { description: "Names that were accessed and that the caller may read, at most 50. Reports by rule only." },
      ),
    ),
    OtherNames: Type.Optional(Type.Boolean({ description: "Whether uses of further names are counted." })),
  },
  { title: "UseEntry" },
);

/** Answer of `/v1/acl/use`. */
export const useAnswer = Type.Object(
  {
    Since: day("Day since which use is recorded without interruption. Absent: nothing is recorded."),
    IncompleteOn: day("Last day on which uses of the namespace were not recorded because the limit was reached."),
    Entries: Type.Array(useEntry),
    More: Type.Optional(Type.Boolean({ description: "Whether there are more than 10,000 entries." })),
  },
  {
    title: "UseReport",
    description: "Use of permissions.",
    examples: [
      {
        Since: "2026-11-01",
        Entries: [
          {
            Policy: { ID: "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11", Name: "web" },
            Rule: { Resource: "key", Segment: "web/", Prefix: true, Policy: "write" },
            Enforced: 0,
            Own: 1204,
            Others: 0,
            FirstDay: "2026-11-03",
            LastDay: "2026-11-28",
            DaysUsed: 6,
            Names: [{ Name: "web/config", Access: "read", Total: 1204, LastDay: "2026-11-28" }],
          },
        ],
      },
    ],
  },
);
