import type { V1Routes } from "../../http/v1/consul-api.ts";
import { CAS_PARAMETER, operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { targetOf } from "../kit/object-routes.ts";
import { renderToken } from "../tokens/render.ts";
import { tokenAnswer } from "../tokens/schema.ts";
import { disableToken, enableToken } from "./service.ts";

const COMMON = {
  tag: "Tokens",
  params: { accessor: "AccessorID of the token." },
  query: { ...SCOPE_PARAMETERS.namespace, ...CAS_PARAMETER },
  answer: tokenAnswer,
};
const DISABLE = {
  config: { refusals: [409] },
  schema: operation({
    operationId: "disableToken",
    summary: "Disable a token",
    description: "The server rejects its secrets, and ends its sessions, event streams and blocking queries.",
    ...COMMON,
  }),
};
const ENABLE = {
  config: { refusals: [409] },
  schema: operation({
    operationId: "enableToken",
    summary: "Enable a disabled token",
    description: "The server accepts the secrets again. Ended sessions stay ended.",
    ...COMMON,
  }),
};

/** The routes that disable a token and enable it again. */
export function disablingRoutes(renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    app.put<ByAccessor>("/acl/token/:accessor/disable", DISABLE, async (request) =>
      renderToken(await disableToken(request.ctx, targetOf(request, request.params.accessor)), renderScope),
    );
    app.put<ByAccessor>("/acl/token/:accessor/enable", ENABLE, async (request) =>
      renderToken(await enableToken(request.ctx, targetOf(request, request.params.accessor)), renderScope),
    );
    done();
  };
}

type ByAccessor = { Params: { accessor: string } };
