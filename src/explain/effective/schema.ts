import { Type } from "typebox";
import { oneOf } from "../../http/v1/body-schema.ts";
import { decidingRule, SHOWN_SCOPE } from "../../acl/kit/answer-schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { shownPolicy } from "../why/schema.ts";
import type { EffectivePage, ShownCell, ShownRow, ShownSubject } from "./service.ts";

const text = Type.Optional(Type.String());
const flag = (description: string) => Type.Optional(Type.Literal(true, { description }));
const accesses = (description: string) => Type.Array(oneOf(["read", "list", "write"]), { description });

const cell = Type.Object(
  {
    Accesses: accesses("Accesses that this rule decides."),
    Allowed: accesses("Allowed accesses."),
    DecidedBy: oneOf(["direct", "default", "default-policy"]),
    Rule: Type.Optional(decidingRule),
    Path: Type.Optional(Type.Array(shownPolicy)),
  },
  { title: "EffectiveCell" },
);

const row = Type.Object(
  {
    Resource: Type.String(),
    Segment: text,
    Prefix: flag("Whether the row applies to all names with this prefix that no closer row matches."),
    ...SHOWN_SCOPE,
    NamespacePrefix: flag("Whether the row applies to all namespaces with this prefix that have no closer row."),
    PartitionPrefix: flag("Whether the row applies to all partitions with this prefix that have no closer row."),
    Decisions: Type.Array(cell),
    With: Type.Optional(Type.Array(cell, { description: "Decisions about the second subject." })),
    Differs: flag("Whether an access is allowed to only one of the subjects."),
  },
  { title: "EffectiveRow" },
);

const SUBJECT = {
  AccessorID: text,
  AuthMethod: text,
  Role: Type.Optional(Type.Object({ ID: Type.String(), Name: Type.String() })),
  ...SHOWN_SCOPE,
  Computed: Type.Optional(
    Type.Array(Type.Object({ ID: Type.String(), BindType: Type.String(), BindName: Type.String(), Selector: text }), {
      description: "Binding rules without effect on the table: their grants depend on the identity.",
    }),
  ),
};

const subject = Type.Object(SUBJECT, { title: "EffectiveSubject" });

export const effectiveAnswer = Type.Object(
  {
    Subject: subject,
    With: Type.Optional(subject),
    DefaultPolicy: oneOf(
      ["allow", "deny"],
      "Decision where no row matches. `deny` for acl, organization and workspace.",
    ),
    At: Type.Optional(Type.String({ description: "Time of the permissions, if they are not the current ones." })),
    Records: Type.Optional(
      Type.Integer({ description: "Number of audit records since then. Requires operator:read." }),
    ),
    Damage: Type.Optional(
      Type.Object(
        { Seq: Type.Optional(Type.Integer()), Reason: Type.String() },
        { description: "First corrupted or missing audit record since then. The permissions can differ." },
      ),
    ),
    Entries: Type.Array(row),
  },
  {
    description: "Effective permissions, by place, resource and name.",
    examples: [
      {
        Subject: { AccessorID: "7a38d7a2-8a29-4d5c-9cd6-bb4ea5f3a4e3", Namespace: "default", Partition: "default" },
        DefaultPolicy: "deny",
        Entries: [
          {
            Resource: "workspace",
            Segment: "acme/prod-",
            Prefix: true,
            Namespace: "default",
            Partition: "default",
            Decisions: [
              {
                Accesses: ["read", "write"],
                Allowed: ["read"],
                DecidedBy: "direct",
                Rule: { Resource: "workspace", Segment: "acme/prod-", Prefix: true, Policy: "read" },
                Path: [
                  {
                    ID: "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11",
                    Name: "readers",
                    Namespace: "default",
                    Partition: "default",
                    Places: [{ Line: 1, Column: 18 }],
                    Links: [{ Kind: "role", ID: "237be9ef-e3af-4c08-a0c8-2d294a0f5598", Name: "developers" }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
);

/** A page of the table as it is answered. */
export function renderEffective(
  { subjects: [subject_, other], rows, records }: EffectivePage,
  defaultPolicy: "allow" | "deny",
  renderScope: RenderScope,
) {
  return {
    Subject: subject_ && renderSubject(subject_, renderScope),
    With: other && renderSubject(other, renderScope),
    DefaultPolicy: defaultPolicy,
    At: records?.at,
    Records: records?.count,
    Damage: records?.damage && {
      Seq: records.count === undefined ? undefined : records.damage.seq,
      Reason: `the record ${records.damage.why}`,
    },
    Entries: rows.map((each) => renderRow(each, renderScope)),
  };
}

function renderSubject({ shown, scope, computed }: ShownSubject, renderScope: RenderScope) {
  const rules = computed.map(({ id, bindType, bindName, selector }) => ({
    ID: id,
    BindType: bindType,
    BindName: bindName,
    Selector: selector || undefined,
  }));
  return { ...shown, ...renderScope(scope), Computed: rules.length > 0 ? rules : undefined };
}

function renderRow(
  { resource, segment, prefix, partition, namespace, cells, differs }: ShownRow,
  renderScope: RenderScope,
) {
  const [first = [], second] = cells;
  const place = renderScope({ partition: partition.name, namespace: namespace.name });
  return {
    Resource: resource,
    Segment: segment || undefined,
    Prefix: prefix || undefined,
    ...place,
    NamespacePrefix: (place && namespace.prefix) || undefined,
    PartitionPrefix: (place && partition.prefix) || undefined,
    Decisions: first.map(renderCell),
    With: second?.map(renderCell),
    Differs: differs || undefined,
  };
}

function renderCell({ accesses: about, allowed, ...decision }: ShownCell) {
  return { Accesses: about, Allowed: allowed, ...decision };
}
