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
const DONE = "Done, including when nothing had to change. The list protects nothing: this server stores no state.";

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
    summary: "List remote state consumers",
    description: "The list protects nothing: this server stores no state.",
    query: Type.Object({
      ...pageQuery,
      show_only_configured: parameter("true: only workspaces on the list, even if all workspaces may read the state."),
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
    summary: "Add remote state consumers to a workspace",
    description: "Maximum 1,000 consumers per workspace, all in its organization.",
    body: listBody,
    answer: DONE,
    handle: ({ ctx, params, body }) => addStateConsumers(ctx, params.workspace_id, idsIn(body)),
  });
  on.replace(CONSUMERS, {
    operationId: "replaceRemoteStateConsumers",
    summary: "Replace the remote state consumers of a workspace",
    body: wholeBody,
    answer: DONE,
    handle: ({ ctx, params, body }) => replaceStateConsumers(ctx, params.workspace_id, idsIn(body)),
  });
  on.delete(CONSUMERS, {
    operationId: "removeRemoteStateConsumers",
    summary: "Remove remote state consumers from a workspace",
    description: "Workspaces that are not consumers are ignored.",
    body: listBody,
    answer: DONE,
    handle: ({ ctx, params, body }) => removeStateConsumers(ctx, params.workspace_id, idsIn(body)),
  });
});
