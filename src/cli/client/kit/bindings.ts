/** Keys and values of workspaces and of projects: the same commands for both. */
import type { Call } from "../spec.ts";
import { usage } from "../exit.ts";
import type { Argument, Verb } from "../spec.ts";
import { each, listOf } from "./answers.ts";
import { BINDING_COLUMNS, bindingLinks, projectId, shownBy, workspaceId } from "./v2.ts";

const SHOWN = shownBy(BINDING_COLUMNS, "attributes.key");

/** A kind whose objects have keys and values. */
interface Bound {
  noun: "workspace" | "project";
  /** Its part of the names of operations. */
  kind: "Workspace" | "Project";
  argument: Argument;
  /** The parameters of the path of the object that a call names. */
  pathOf(call: Call): Promise<Record<string, string>>;
}

/** A link as a list of them shows it. */
interface ShownLink {
  attributes: { key: string; value?: string };
}

/** `bindings`, `bind`, `rebind` and `unbind` of a kind. */
export function bindingVerbs(noun: "workspace" | "project"): Verb[] {
  const bound: Bound = {
    noun,
    kind: noun === "workspace" ? "Workspace" : "Project",
    argument: { name: noun, help: `${noun === "workspace" ? "Workspace" : "Project"} name or ID.`, complete: noun },
    pathOf: async (call) =>
      noun === "workspace"
        ? { workspace_id: await workspaceId(call, call.arg(noun)) }
        : { project_id: await projectId(call, call.arg(noun)) },
  };
  const words: Argument = { name: "binding", help: "KEY=VALUE, or KEY without a value.", many: true };
  return [listing(bound), binding(bound, words), rebinding(bound, words), unbinding(bound)];
}

function listing({ noun, kind, argument, pathOf }: Bound): Verb {
  return {
    name: "bindings",
    summary: `List the tag keys and values of a ${noun}.`,
    operations: [`list${kind}TagBindings`, `list${kind}EffectiveTagBindings`, `read${kind}TagBindings`],
    args: [argument],
    flags: [
      { name: "effective", help: "Include inherited tag keys." },
      { name: "links", help: "Use the endpoint /relationships/tag-bindings." },
    ],
    async run(call) {
      const operation = call.isSet("effective")
        ? `list${kind}EffectiveTagBindings`
        : call.isSet("links")
          ? `read${kind}TagBindings`
          : `list${kind}TagBindings`;
      await call.out.list(each(listOf(await call.read(operation, { path: await pathOf(call) }))), SHOWN);
    },
  };
}

function binding({ noun, kind, argument, pathOf }: Bound, words: Argument): Verb {
  return {
    name: "bind",
    summary: `Add tag keys and values to a ${noun}.`,
    operations: [`add${kind}TagBindings`, `bind${kind}`],
    args: [argument, words],
    flags: [{ name: "links", help: "Use the endpoint /relationships/tag-bindings." }],
    async run(call) {
      const operation = call.isSet("links") ? `bind${kind}` : `add${kind}TagBindings`;
      await call.write(operation, { path: await pathOf(call), body: { data: bindingLinks(call.args("binding")) } });
    },
  };
}

function rebinding(bound: Bound, words: Argument): Verb {
  const { noun, kind, argument } = bound;
  return {
    name: "rebind",
    summary: `Replace all tag keys and values of a ${noun}.`,
    operations: [`list${kind}TagBindings`, `replace${kind}TagBindings`],
    args: [argument, { ...words, optional: true }],
    async run(call) {
      const path = await bound.pathOf(call);
      await replace(bound, call, path, bindingLinks(call.args("binding")));
    },
  };
}

function unbinding(bound: Bound): Verb {
  const { noun, kind, argument } = bound;
  return {
    name: "unbind",
    summary: `Remove tag keys from a ${noun}.`,
    operations: [`list${kind}TagBindings`, `replace${kind}TagBindings`],
    args: [argument, { name: "key", help: "Tag keys.", many: true }],
    async run(call) {
      const path = await bound.pathOf(call);
      const keys = new Set(call.args("key"));
      const now = await linksNow(bound, call, path);
      const missing = [...keys].find((key) => !now.some(({ attributes }) => attributes.key === key));
      if (missing !== undefined) throw usage(`the ${noun} does not have its own tag key ${JSON.stringify(missing)}`);
      const kept = now.filter(({ attributes }) => !keys.has(attributes.key));
      const links = kept.map(({ attributes: { key, value } }) => ({
        type: "tag-bindings",
        attributes: { key, value: value ?? "" },
      }));
      await replace(bound, call, path, links);
    },
  };
}

async function linksNow({ kind }: Bound, call: Call, path: Record<string, string>): Promise<readonly ShownLink[]> {
  return listOf(await call.read(`list${kind}TagBindings`, { path })) as readonly Readonly<
    Record<string, unknown>
  >[] as readonly (ShownLink & Record<string, unknown>)[];
}

async function replace(bound: Bound, call: Call, path: Record<string, string>, data: object[]): Promise<void> {
  const now = await linksNow(bound, call, path);
  const kept = new Set(data.map((link) => (link as ShownLink).attributes.key));
  const gone = now.filter(({ attributes }) => !kept.has(attributes.key));
  if (gone.length > 0)
    await call.confirm(
      `Remove these tag keys from the ${bound.noun}?`,
      gone.map(({ attributes }) => `${attributes.key}=${attributes.value ?? ""}`),
    );
  await call.write(`replace${bound.kind}TagBindings`, { path, body: { data } });
}
