/** Keys and values of workspaces and of projects: the same commands for both. */
import type { Call } from "../spec.ts";
import { usage } from "../exit.ts";
import type { Argument, Verb } from "../spec.ts";
import { each, listOf } from "./answers.ts";
import { BINDING_COLUMNS, bindingLinks, projectId, shownBy, workspaceId } from "./v2.ts";

const SHOWN = shownBy(BINDING_COLUMNS, "attributes.key");

/** `bindings`, `bind` and `unbind` of a kind. */
export function bindingVerbs(noun: "workspace" | "project"): Verb[] {
  const kind = noun === "workspace" ? "Workspace" : "Project";
  const argument: Argument = { name: noun, help: "Its name or ID.", complete: noun };
  const words: Argument = { name: "binding", help: "KEY=VALUE, or KEY.", many: true };
  const pathOf = async (call: Call) =>
    noun === "workspace"
      ? { workspace_id: await workspaceId(call, call.arg(noun)) }
      : { project_id: await projectId(call, call.arg(noun)) };
  return [
    {
      name: "bindings",
      summary: `List the keys and values of a ${noun}.`,
      operations: [`list${kind}TagBindings`, `list${kind}EffectiveTagBindings`, `read${kind}TagBindings`],
      args: [argument],
      flags: [
        { name: "effective", help: "With those that it inherits." },
        { name: "links", help: "As relationships, by the other path." },
      ],
      async run(call) {
        const operation = call.isSet("effective")
          ? `list${kind}EffectiveTagBindings`
          : call.isSet("links")
            ? `read${kind}TagBindings`
            : `list${kind}TagBindings`;
        await call.out.list(each(listOf(await call.read(operation, { path: await pathOf(call) }))), SHOWN);
      },
    },
    {
      name: "bind",
      summary: `Give a ${noun} keys and values; others stay.`,
      operations: [`add${kind}TagBindings`, `bind${kind}`],
      args: [argument, words],
      flags: [{ name: "links", help: "As relationships, by the other path." }],
      async run(call) {
        const operation = call.isSet("links") ? `bind${kind}` : `add${kind}TagBindings`;
        await call.write(operation, { path: await pathOf(call), body: { data: bindingLinks(call.args("binding")) } });
      },
    },
    {
      name: "rebind",
      summary: `Replace all keys and values of a ${noun}.`,
      operations: [`list${kind}TagBindings`, `replace${kind}TagBindings`],
      args: [argument, { ...words, optional: true }],
      async run(call) {
        const path = await pathOf(call);
        await replace(call, path, bindingLinks(call.args("binding")));
      },
    },
    {
      name: "unbind",
      summary: `Take keys from a ${noun}.`,
      operations: [`list${kind}TagBindings`, `replace${kind}TagBindings`],
      args: [argument, { name: "key", help: "The keys.", many: true }],
      async run(call) {
        const path = await pathOf(call);
        const keys = new Set(call.args("key"));
        const now = listOf(await call.read(`list${kind}TagBindings`, { path })) as {
          attributes: { key: string; value?: string };
        }[];
        const missing = [...keys].find((key) => !now.some(({ attributes }) => attributes.key === key));
        if (missing !== undefined) throw usage(`the ${noun} has no key ${JSON.stringify(missing)} of its own`);
        const kept = now.filter(({ attributes }) => !keys.has(attributes.key));
        await replace(
          call,
          path,
          kept.map(({ attributes: { key, value } }) => ({
            type: "tag-bindings",
            attributes: { key, value: value ?? "" },
          })),
        );
      },
    },
  ];

  async function replace(call: Call, path: Record<string, string>, data: object[]): Promise<void> {
    const now = listOf(await call.read(`list${kind}TagBindings`, { path })) as {
      attributes: { key: string; value?: string };
    }[];
    const kept = new Set(data.map((link) => (link as { attributes: { key: string } }).attributes.key));
    const gone = now.filter(({ attributes }) => !kept.has(attributes.key));
    if (gone.length > 0)
      await call.confirm(
        `Take these from the ${noun}?`,
        gone.map(({ attributes }) => `${attributes.key}=${attributes.value ?? ""}`),
      );
    await call.write(`replace${kind}TagBindings`, { path, body: { data } });
  }
}
