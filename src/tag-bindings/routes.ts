import { apiRoutes, type Registrar } from "../http/jsonapi.ts";
import { effectiveRenderer, renderBinding } from "./render.ts";
import { bindingList, bindingsBody, effectiveList, readBindings } from "./schema.ts";
import { changeBindings, listBindings, listEffectiveBindings, type Holder } from "./service.ts";

/** Keys and values of workspaces and projects. */
export const tagBindingRoutes = apiRoutes("Key/value tags", (on) => {
  registerHolder(on, "/workspaces/:holder_id", "Workspace", (id) => ({ workspace: id }));
  registerHolder(on, "/projects/:holder_id", "Project", (id) => ({ project: id }));
});

function registerHolder(
  on: Registrar,
  base: "/workspaces/:holder_id" | "/projects/:holder_id",
  name: string,
  holderOf: (id: string) => Holder,
): void {
  const what = `a ${name.toLowerCase()}`;
  on.read(`${base}/tag-bindings`, {
    operationId: `list${name}TagBindings`,
    summary: `List the keys and values of ${what} itself`,
    answer: bindingList,
    handle: async ({ ctx, params }) => ({
      data: (await listBindings(ctx, holderOf(params.holder_id))).map(renderBinding),
    }),
  });
  on.read(`${base}/effective-tag-bindings`, {
    operationId: `list${name}EffectiveTagBindings`,
    summary: `List the keys and values that apply to ${what}, inherited or not`,
    answer: effectiveList,
    handle: async ({ ctx, params }) => {
      const { organizationName, bindings } = await listEffectiveBindings(ctx, holderOf(params.holder_id));
      return { data: bindings.map(effectiveRenderer(ctx, organizationName)) };
    },
  });
  on.patch(`${base}/tag-bindings`, {
    operationId: `add${name}TagBindings`,
    summary: `Add keys and values to ${what}, or change their values; the others stay`,
    body: bindingsBody,
    answer: bindingList,
    handle: async ({ ctx, params, body }) => {
      const holder = holderOf(params.holder_id);
      const wanted = readBindings(body.data);
      await changeBindings(ctx, holder, { wanted, replaces: false, tagsToo: true });
      const found = new Map((await listBindings(ctx, holder)).map((binding) => [binding.key, binding]));
      return { data: wanted.flatMap(({ key }) => found.get(key) ?? []).map(renderBinding) };
    },
  });
  const RELATIONSHIP = `${base}/relationships/tag-bindings` as const;
  on.read(RELATIONSHIP, {
    operationId: `read${name}TagBindings`,
    summary: `The same as a relationship: the keys and values of ${what} itself`,
    answer: bindingList,
    handle: async ({ ctx, params }) => ({
      data: (await listBindings(ctx, holderOf(params.holder_id))).map(renderBinding),
    }),
  });
  const change = { body: bindingsBody, answer: "Done; also when there was nothing to do." };
  on.post(RELATIONSHIP, {
    ...change,
    operationId: `bind${name}`,
    summary: `Add keys and values to ${what}; the others stay`,
    handle: ({ ctx, params, body }) =>
      changeBindings(ctx, holderOf(params.holder_id), { wanted: readBindings(body.data), replaces: false }),
  });
  on.replace(RELATIONSHIP, {
    ...change,
    operationId: `replace${name}TagBindings`,
    summary: `Make the keys and values of ${what} exactly these`,
    handle: ({ ctx, params, body }) =>
      changeBindings(ctx, holderOf(params.holder_id), { wanted: readBindings(body.data), replaces: true }),
  });
}
