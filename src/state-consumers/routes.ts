import { Type } from "typebox";
import { apiRoutes } from "../http/jsonapi/jsonapi.ts";
import { bulkBody, identifier, pageQuery, parameter } from "../http/jsonapi/schema.ts";
import { readFlag } from "../http/query.ts";
import { renderWorkspaces } from "../workspaces/render.ts";
import { workspaceList } from "../workspaces/schema.ts";
import {
  addStateConsumers,
  listStateConsumers,
  MAX_CONSUMERS,
  removeStateConsumers,
  replaceStateConsumers,
} from "./service.ts";

const CONSUMERS = "/workspaces/:workspace_id/relationships/remote-state-consumers";
const DONE = "Done; also when there was nothing to do. The list guards nothing: there is no state here.";

const consumer = identifier("workspaces", 100);
const EXAMPLE = { type: "workspaces", id: "ws-Ab3kXyZ12mNoPqRs" };
const listBody = bulkBody(consumer, EXAMPLE);
/** The whole list, which may be empty. */
const wholeBody = Type.Object(
  { data: Type.Array(consumer, { maxItems: MAX_CONSUMERS }) },
  { examples: [{ data: [EXAMPLE] }] },
);

const idsIn = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

/** The workspaces that may read the state of another. */
export const stateConsumerRoutes = apiRoutes("Remote state consumers", (on) => {
  on.list(CONSUMERS, {
    operationId: "listRemoteStateConsumers",
    summary: "List the workspaces that may read the state of a workspace; there is none here that this would guard",
    query: Type.Object({
      ...pageQuery,
      show_only_configured: parameter(
        "true: those that were put on the list, also while all others may read the state.",
      ),
    }),
    answer: workspaceList,
    handle: async ({ ctx, params, query }, page) => {
      const isConfigured = readFlag(query, "show_only_configured") === true;
      const { workspaces, total } = await listStateConsumers(ctx, params.workspace_id, isConfigured, page);
      const { data } = await renderWorkspaces(ctx, workspaces);
      return { data, total, found: workspaces.length };
    },
  });
  on.post(CONSUMERS, {
    operationId: "addRemoteStateConsumers",
    summary: "Add consumers of the same organization to a workspace, 1,000 at most in all",
    body: listBody,
    answer: DONE,
    handle: ({ ctx, params, body }) => addStateConsumers(ctx, params.workspace_id, idsIn(body)),
  });
  on.replace(CONSUMERS, {
    operationId: "replaceRemoteStateConsumers",
    summary: "Make the consumers of a workspace exactly these",
    body: wholeBody,
    answer: DONE,
    handle: ({ ctx, params, body }) => replaceStateConsumers(ctx, params.workspace_id, idsIn(body)),
  });
  on.delete(CONSUMERS, {
    operationId: "removeRemoteStateConsumers",
    summary: "Take consumers off the list of a workspace; others that are named are passed over",
    body: listBody,
    answer: DONE,
    handle: ({ ctx, params, body }) => removeStateConsumers(ctx, params.workspace_id, idsIn(body)),
  });
});
