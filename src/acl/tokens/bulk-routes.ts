/** Routes that are about many tokens at once. */
import type { FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import type { QueryParameters } from "../../http/query.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { leakedAnswer, leakedBody, revokeAnswer, revokeBody } from "./bulk-schema.ts";
import { findLeaked } from "./leaked.ts";
import {
  createPreviewLane,
  previewRevocation,
  readRevocation,
  startRevocation,
  type Revocation,
} from "./revocation/service.ts";

const LEAKED = {
  config: { question: true, body: { schema: leakedBody, prefix: "Request decoding failed: " } },
  schema: operation({
    operationId: "findLeakedTokens",
    summary: "Find active tokens by leaked secrets",
    description: "Maximum 1,000 secrets. Requires operator:write and acl:write in the default namespace.",
    tag: "Tokens",
    answer: leakedAnswer,
  }),
};
const REVOKE = {
  config: { body: { schema: revokeBody, prefix: "Request decoding failed: " }, refusals: [409] },
  schema: operation({
    operationId: "revokeTokens",
    summary: "Revoke tokens in bulk",
    description: "Deletes the matching tokens of a namespace in the background.",
    tag: "Tokens",
    query: {
      ...SCOPE_PARAMETERS.namespace,
      preview: "Dry run: return the tokens to delete, delete none. true or false.",
    },
    answer: revokeAnswer,
  }),
};
const PROGRESS = {
  config: { missing: "Missing revocation ID" },
  schema: operation({
    operationId: "readTokenRevocation",
    summary: "Read the progress of a token revocation",
    tag: "Tokens",
    params: { id: "ID of the revocation." },
    query: SCOPE_PARAMETERS.namespace,
    answer: revokeAnswer,
  }),
};

/** The routes of suspected secrets and of revocations. */
export function bulkTokenRoutes(renderScope: RenderScope): V1Routes {
  const lane = createPreviewLane();
  return (app, _options, done) => {
    app.post("/acl/tokens/leaked", LEAKED, async (request) => {
      const { Secrets = [] } = bodyOf(request, leakedBody);
      const live = await findLeaked(request.ctx, Secrets);
      return {
        Live: live.map(({ position, accessorId, scope, isOld }) => ({
          Position: position,
          AccessorID: accessorId,
          Old: isOld,
          ...renderScope(scope),
        })),
      };
    });
    app.post("/acl/tokens/revoke", REVOKE, async (request) => {
      const { ctx, scope } = request;
      const { UnusedFor = "", AuthMethod = "", Role = "", Description = "" } = bodyOf(request, revokeBody);
      const input = { unusedFor: UnusedFor, authMethod: AuthMethod, role: Role, description: Description };
      if (!isPreview(request)) return render(await startRevocation(ctx, scope, input));
      const { total, accessorIds } = await previewRevocation(ctx, lane, scope, input);
      return { Status: "preview", Total: total, Revoked: 0, AccessorIDs: accessorIds, ...renderScope(scope) };
    });
    app.get<{ Params: { id: string } }>("/acl/tokens/revoke/:id", PROGRESS, async (request) =>
      render(await readRevocation(request.ctx, request.scope, request.params.id)),
    );
    done();
  };

  function render({ id, status, total, revoked, reason, createdAt, finishedAt, scope }: Revocation) {
    return {
      ID: id,
      Status: status,
      Total: total === -1 ? undefined : total,
      Revoked: revoked,
      Reason: reason || undefined,
      CreateTime: createdAt,
      FinishTime: finishedAt || undefined,
      ...renderScope(scope),
    };
  }
}

/** Checks the `preview` parameter: a misspelt value must not delete tokens. @throws AppError `bad_parameter` */
function isPreview({ query }: FastifyRequest): boolean {
  const { preview = "false" } = query as QueryParameters;
  if (preview === "" || preview === "true") return true;
  if (preview === "false") return false;
  throw new AppError("bad_parameter", "Invalid preview value: expected true or false");
}
