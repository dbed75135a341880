import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { CAS_PARAMETER, deleted, operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import type { QueryParameters } from "../../http/query.ts";
import { invalid } from "../../errors.ts";
import { fold } from "../../fold.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { targetOf } from "../kit/object-routes.ts";
import { renderView, viewAnswer, viewBody, viewFrom, viewsAnswer } from "./schema.ts";
import { createView, listViews, removeView, replaceView } from "./service.ts";

const TAG = "Views";
const BODY = { schema: viewBody, prefix: "View decoding failed: " };
const BY_ID = { params: { id: "ID of the view." }, query: { ...SCOPE_PARAMETERS.namespace, ...CAS_PARAMETER } };

const LIST = {
  schema: operation({
    operationId: "listViews",
    summary: "List saved views of lists",
    description: "Your own views; with acl:read also the shared views of the namespace.",
    tag: TAG,
    query: { ...SCOPE_PARAMETERS.namespace, list: "Noun of one list, such as roles. Default: all lists." },
    answer: viewsAnswer,
  }),
};
const CREATE = {
  config: { body: BODY, refusals: [409] },
  schema: operation({
    operationId: "createView",
    summary: "Save a view of a list",
    description: "For yourself, or with acl:write for the namespace.",
    tag: TAG,
    query: SCOPE_PARAMETERS.namespace,
    answer: viewAnswer,
  }),
};
const REPLACE = {
  config: { body: BODY, missing: "Missing view ID", refusals: [409] },
  schema: operation({
    operationId: "replaceView",
    summary: "Replace a saved view",
    description: "Your own view, or with acl:write a shared view of the namespace. `List` and `Shared` cannot change.",
    tag: TAG,
    ...BY_ID,
    answer: viewAnswer,
  }),
};
const REMOVE = {
  config: { missing: "Missing view ID", refusals: [409] },
  schema: operation({
    operationId: "deleteView",
    summary: "Delete a saved view",
    description: "Your own view, or with acl:write a shared view of the namespace.",
    tag: TAG,
    ...BY_ID,
    answer: deleted,
  }),
};

type ById = { Params: { id: string } };

/** The routes of saved views of lists. */
export function viewRoutes(renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    app.get("/acl/views", LIST, async ({ ctx, scope, query }) => {
      const { list = "" } = query as QueryParameters;
      return (await listViews(ctx, scope, list)).map((view) => renderView(view, renderScope));
    });
    app.put("/acl/view", CREATE, async (request) => {
      const { ctx, scope } = request;
      return renderView(await createView(ctx, scope, viewFrom(bodyOf(request, viewBody))), renderScope);
    });
    app.put<ById>("/acl/view/:id", REPLACE, async (request) => {
      const { id } = request.params;
      const body = bodyOf(request, viewBody);
      if (body.ID && fold(body.ID) !== fold(id)) throw invalid("View ID in URL and payload do not match");
      return renderView(await replaceView(request.ctx, targetOf(request, id), viewFrom(body)), renderScope);
    });
    app.delete<ById>("/acl/view/:id", REMOVE, async (request) => {
      await removeView(request.ctx, targetOf(request, request.params.id));
      return true;
    });
    done();
  };
}
