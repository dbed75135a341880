import { Type } from "typebox";
import type { QueryParameters } from "../../http/query.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { oneOf } from "../../http/v1/body-schema.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { BIND_TYPES } from "../../acl/bindings/binding.ts";
import { SHOWN_SCOPE } from "../../acl/kit/answer-schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { findUses, readAsked, type UsesOfKind, type UsingKind } from "./service.ts";
import type { CountedUses } from "./use.ts";

const COUNTED = {
  Count: Type.Integer({ description: "Number of objects, counted up to 10,000." }),
  More: Type.Optional(Type.Boolean({ description: "Whether there are more." })),
};

const countedTokens = Type.Object(COUNTED, {
  title: "CountedTokens",
  description: "Tokens with the role; of a policy, tokens that have it through its first 100 roles, each counted once.",
});

const useLink = Type.Object(
  {
    Kind: oneOf(BIND_TYPES),
    ID: Type.Optional(
      Type.String({ description: "Absent for the template of a name, and for a name without an object." }),
    ),
    Name: Type.String(),
  },
  { title: "UseLink" },
);

const usesOfKind = Type.Object(
  {
    ...COUNTED,
    First: Type.Array(
      Type.Object({
        ID: Type.String({ description: "ID; AccessorID of a token, name of a namespace." }),
        Name: Type.Optional(Type.String({ description: "Name; description of a token or a binding rule." })),
        ...SHOWN_SCOPE,
        Tokens: Type.Optional(countedTokens),
        Links: Type.Optional(
          Type.Array(useLink, { description: "Object that a binding rule grants, or first 20 policies of a role." }),
        ),
      }),
      { description: "The first 100." },
    ),
  },
  { title: "UsesOfKind" },
);

/** Names of the members of the answer, by the kind of objects in them. */
const MEMBERS = {
  tokens: "Tokens",
  roles: "Roles",
  bindingRules: "BindingRules",
  namespaces: "Namespaces",
} as const satisfies Record<UsingKind, string>;

const answer = Type.Object(
  {
    ...Object.fromEntries(Object.values(MEMBERS).map((member) => [member, Type.Optional(usesOfKind)])),
    ThroughRoles: Type.Optional(countedTokens),
    Content: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description: "Contents of a namespace: number of objects by kind, such as `tokens`.",
      }),
    ),
    Hidden: Type.Optional(
      Type.Boolean({ description: "Whether objects that the caller may not read use it, or are in it." }),
    ),
  },
  {
    description: "Objects that use it and that the caller may read.",
    examples: [
      {
        Tokens: {
          Count: 1,
          First: [
            {
              ID: "237be9ef-e3af-4c08-a0c8-2d294a0f5598",
              Name: "the deployer",
              Namespace: "default",
              Partition: "default",
            },
          ],
        },
        Roles: {
          Count: 1,
          First: [
            {
              ID: "6b9d8c1e-7a42-4f50-8b0a-2f1f9a3d5c77",
              Name: "deployers",
              Namespace: "default",
              Partition: "default",
              Tokens: { Count: 305 },
            },
          ],
        },
        ThroughRoles: { Count: 305 },
        BindingRules: { Count: 0, First: [] },
        Hidden: true,
      },
    ],
  },
);

/** The route that says what uses an object. */
export function usesRoutes(renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "listUses",
      summary: "List the objects that use an object",
      description:
        "Uses of a policy, role or auth method, or contents of a namespace, limited to objects that the caller may read.",
      tag: "Access control",
      query: {
        ...SCOPE_PARAMETERS.namespace,
        policy: "ID of a policy.",
        role: "ID of a role.",
        "auth-method": "Name of an auth method.",
        namespace: "Name of a namespace.",
      },
      answer,
    });
    app.get("/acl/uses", { schema }, async ({ ctx, scope, query }) => {
      const { asked, key } = readAsked(query as QueryParameters);
      const { kinds, throughRoles, content, hasHidden } = await findUses(ctx, scope, asked, key);
      const shown = (Object.keys(MEMBERS) as UsingKind[]).map((kind) => [MEMBERS[kind], renderKind(kinds[kind])]);
      return {
        ...Object.fromEntries(shown),
        ThroughRoles: throughRoles && renderCount(throughRoles),
        // Engines count kinds in an order of their own.
        Content: content && Object.fromEntries([...content].toSorted(([one], [other]) => (one < other ? -1 : 1))),
        Hidden: hasHidden || undefined,
      };
    });
    done();
  };

  function renderKind(uses: UsesOfKind | undefined) {
    return (
      uses && {
        ...renderCount(uses),
        First: uses.first.map(({ id, name, scope, tokens, links }) => ({
          ID: id,
          Name: name || undefined,
          ...renderScope(scope),
          Tokens: tokens && renderCount(tokens),
          Links: links?.map((link) => ({ Kind: link.kind, ID: link.id, Name: link.name })),
        })),
      }
    );
  }
}

function renderCount({ count, hasMore }: CountedUses) {
  return { Count: count, More: hasMore || undefined };
}
