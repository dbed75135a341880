import { Type } from "typebox";
import type { QueryParameters } from "../../http/query.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation } from "../../http/v1/operation.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { SHOWN_SCOPE } from "../kit/answer-schema.ts";
import { MOST_NAMED_TOKENS, nameTokens } from "./names.ts";

const answer = Type.Array(
  Type.Object(
    {
      AccessorID: Type.String(),
      Description: Type.String(),
      AuthMethod: Type.Optional(Type.String({ description: "Auth method that created the token." })),
      ...SHOWN_SCOPE,
    },
    { title: "TokenName" },
  ),
  {
    description: "Tokens that the caller may read, in the order of the request.",
    examples: [
      [
        {
          AccessorID: "6a1253d2-1785-24fd-91c2-f8e78c745511",
          Description: "CI of the web team",
          Namespace: "default",
          Partition: "default",
        },
      ],
    ],
  },
);

const SCHEMA = operation({
  operationId: "listTokenNames",
  summary: "List descriptions of tokens",
  description: "Tokens of all namespaces with acl:read, and the caller's own token.",
  tag: "Tokens",
  query: { accessor: `AccessorIDs, separated by commas. Maximum ${MOST_NAMED_TOKENS}.` },
  answer,
});

/** The route that gives AccessorIDs their names. */
export function tokenNameRoutes(renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    app.get("/acl/token-names", { schema: SCHEMA }, async ({ ctx, query }) => {
      const { accessor = "" } = query as QueryParameters;
      const named = await nameTokens(ctx, accessor.split(","));
      return named.map(({ accessorId, description, authMethod, scope }) => ({
        AccessorID: accessorId,
        Description: description,
        AuthMethod: authMethod || undefined,
        ...renderScope(scope),
      }));
    });
    done();
  };
}
