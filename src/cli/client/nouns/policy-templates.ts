import { BODY_FLAGS, membersOf } from "../body.ts";
import { each, objectOf } from "../kit/answers.ts";
import type { OutputColumn, Item } from "../output/types.ts";
import type { Verb } from "../spec.ts";

const COLUMNS: readonly OutputColumn[] = [
  { title: "Name", value: "TemplateName" },
  { title: "Description", value: "Description" },
  { title: "Schema", value: "Schema", wide: true },
  { title: "Template", value: (item) => item["Template"], wide: true },
];
const SHOWN = { columns: COLUMNS, name: (item: Item) => item["TemplateName"] };

/** The built-in templates of policies. */
export const templateVerbs: readonly Verb[] = [
  {
    name: "templates",
    summary: "List the built-in templates.",
    operations: ["listTemplatedPolicies"],
    async run(call) {
      const found = objectOf(await call.read("listTemplatedPolicies"));
      await call.out.list(each(Object.values(found) as Item[]), SHOWN);
    },
  },
  {
    name: "template",
    summary: "Show a built-in template.",
    operations: ["readTemplatedPolicy"],
    args: [{ name: "name", help: "Template name, for example builtin/service." }],
    async run(call) {
      await call.out.item(
        objectOf(await call.read("readTemplatedPolicy", { path: { name: call.arg("name") } })),
        SHOWN,
      );
    },
  },
  {
    name: "preview",
    summary: "Render a template and show the policy.",
    operations: ["previewTemplatedPolicy"],
    args: [{ name: "template", help: "Template name, for example builtin/service." }],
    flags: [
      { name: "name", value: "NAME", member: "Name", help: "Value of the template variable Name." },
      ...BODY_FLAGS,
    ],
    async run(call) {
      const input = { path: { name: call.arg("template") }, body: await membersOf(call) };
      const columns: OutputColumn[] = [
        { title: "Name", value: "Name" },
        { title: "Description", value: "Description" },
        { title: "Rules", value: (item) => item["Rules"] },
      ];
      await call.out.item(objectOf(await call.read("previewTemplatedPolicy", input)), {
        columns,
        name: (item) => item["Name"],
      });
    },
  },
];
