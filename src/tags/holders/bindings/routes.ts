import type { Static } from "typebox";
import type { Context } from "../../../context.ts";
import { apiRoutes, type Registrar } from "../../../http/jsonapi/jsonapi.ts";
import { warned } from "../../../http/jsonapi/warnings.ts";
import { listOrganizationBindings } from "./organization-bindings.ts";
import { readBindingSearch } from "./parameters.ts";
import { effectiveRenderer, foundRenderer, renderBinding } from "./render.ts";
import {
  bindingList,
  bindingsBody,
  effectiveList,
  foundList,
  foundQuery,
  readAddedBindings,
  readBindings,
  writtenBindings,
} from "./schema.ts";
import { changeBindings, listBindings, listEffectiveBindings, type TagHolder } from "./service.ts";

/** Keys and values of workspaces and projects. */
export const tagBindingRoutes = apiRoutes("Key/value tags", (on) => {
  registerHolder(on, "/workspaces/:workspace_id", "Workspace");
  registerHolder(on, "/projects/:project_id", "Project");
  on.list("/organizations/:organization_name/tag-bindings", {
    operationId: "listTagBindings",
    summary: "List the tag keys of an organization",
    description: "Includes the values, and the workspaces and projects that have them.",
    query: foundQuery,
    answer: foundList,
    handle: async ({ ctx, params, query }, page) => {
      const { fields, ...search } = readBindingSearch(query);
      const { bindings, total } = await listOrganizationBindings(ctx, params.organization_name, search, page);
      return { data: bindings.map(foundRenderer(fields)), total };
    },
  });
});

interface BindRequest {
  ctx: Context;
  params: Params;
  body: Static<typeof bindingsBody>;
}

type Params = { workspace_id?: string; project_id?: string };

function holderOf({ workspace_id: workspace, project_id: project = "" }: Params): TagHolder {
  return workspace === undefined ? { project } : { workspace };
}

type Base = "/workspaces/:workspace_id" | "/projects/:project_id";
type HolderName = "Workspace" | "Project";

/** The paths of version 1 of the official client, and, as a relationship, those of version 2. */
function registerHolder(on: Registrar, base: Base, name: HolderName): void {
  registerReads(on, base, name);
  registerWrites(on, base, name);
}

function registerReads(on: Registrar, base: Base, name: HolderName): void {
  const what = `a ${name.toLowerCase()}`;
  const handle = async ({ ctx, params }: { ctx: Context; params: Params }) => ({
    data: (await listBindings(ctx, holderOf(params))).map(renderBinding),
  });
  on.read(`${base}/tag-bindings`, {
    operationId: `list${name}TagBindings`,
    summary: `List the own tag keys of ${what}`,
    answer: bindingList,
    handle,
  });
  on.read(`${base}/relationships/tag-bindings`, {
    operationId: `read${name}TagBindings`,
    summary: `List the tag key relationships of ${what}`,
    answer: bindingList,
    handle,
  });
  on.read(`${base}/effective-tag-bindings`, {
    operationId: `list${name}EffectiveTagBindings`,
    summary: `List the effective tag keys of ${what}`,
    description: "Own and inherited keys with their values.",
    answer: effectiveList,
    handle: async ({ ctx, params }) => {
      const { organizationName, bindings } = await listEffectiveBindings(ctx, holderOf(params));
      return { data: bindings.map(effectiveRenderer(ctx, organizationName)) };
    },
  });
}

function registerWrites(on: Registrar, base: Base, name: HolderName): void {
  const what = `a ${name.toLowerCase()}`;
  const RELATIONSHIP = `${base}/relationships/tag-bindings` as const;
  on.patch(`${base}/tag-bindings`, {
    operationId: `add${name}TagBindings`,
    summary: `Add or update tag keys of ${what}`,
    description: "Other tag keys do not change.",
    body: bindingsBody,
    answer: writtenBindings,
    handle: async ({ ctx, params, body }) => {
      const wanted = readAddedBindings(body.data);
      const request = { wanted, replaces: false, tagsToo: true };
      const { bindings, warnings } = await changeBindings(ctx, holderOf(params), request);
      return warned({ data: bindings.map(renderBinding) }, warnings);
    },
  });
  const change = { body: bindingsBody, answer: "Done, including when nothing had to change.", warns: true };
  async function bind({ ctx, params, body }: BindRequest, replaces: boolean) {
    const wanted = replaces ? readBindings(body.data) : readAddedBindings(body.data);
    const { warnings } = await changeBindings(ctx, holderOf(params), { wanted, replaces });
    return warned({}, warnings);
  }
  on.post(RELATIONSHIP, {
    ...change,
    operationId: `bind${name}`,
    summary: `Add tag keys to ${what}`,
    description: "Other tag keys do not change.",
    handle: (request) => bind(request, false),
  });
  on.replace(RELATIONSHIP, {
    ...change,
    operationId: `replace${name}TagBindings`,
    summary: `Replace the tag keys of ${what}`,
    handle: (request) => bind(request, true),
  });
}
