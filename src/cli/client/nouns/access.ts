import type { Call } from "../spec.ts";
import { csvLine } from "../report/csv.ts";
import { namespaceRows, ruleRow, tokenRows, type Row } from "../report/grants.ts";
import type { Column, Item } from "../output/types.ts";
import type { Noun, Verb } from "../spec.ts";

const COLUMNS: readonly Column[] = [
  { title: "Subject", value: "subject" },
  { title: "ID", value: "id" },
  { title: "Description", value: "description" },
  { title: "Holds", value: "holds" },
  { title: "Through", value: "through" },
  { title: "Last used", value: "lastUsed" },
  { title: "Expires", value: "expires", wide: true },
  { title: "Namespace", value: "namespace", wide: true },
];
const CSV: readonly (keyof Row)[] = [
  "subject",
  "id",
  "description",
  "namespace",
  "holds",
  "through",
  "lastUsed",
  "expires",
];

const report: Verb = {
  name: "report",
  summary: "Every subject, what it holds, through what, and when it was last used.",
  description:
    "For reviews: tokens, what namespaces give every token, and binding rules, with a row for each thing that they hold. No secret is in it.",
  operations: ["listTokens", "listRoles", "listBindingRules", "listNamespaces"],
  flags: [{ name: "csv", help: "As CSV, in which no cell is a formula." }],
  examples: ["tessera access report --csv > access.csv"],
  async run(call) {
    if (!call.isSet("csv")) {
      await call.out.list(rowsOf(call), { columns: COLUMNS, name: (item) => item["id"] });
      return;
    }
    await call.out.text(
      csvLine(["Subject", "ID", "Description", "Namespace", "Holds", "Through", "Last used", "Expires"]),
    );
    for await (const row of rowsOf(call)) await call.out.text(csvLine(CSV.map((name) => String(row[name]))));
  },
};

async function* rowsOf(call: Call): AsyncGenerator<Row> {
  const roles = new Map<string, Item>();
  for await (const role of call.client.pages<Item>("listRoles", { signal: call.io.signal }).items())
    roles.set(String(role["ID"]), role);
  const wanted = call.settings.namespace ?? "default";
  for await (const namespace of call.client.pages<Item>("listNamespaces", { signal: call.io.signal }).items()) {
    if (wanted === "*" || namespace["Name"] === wanted) yield* namespaceRows(namespace);
  }
  let count = 0;
  for await (const token of call.client.pages<Item>("listTokens", { signal: call.io.signal }).items()) {
    if (++count % 1000 === 0) await call.out.progress(`${count} tokens`);
    yield* tokenRows(token, roles);
  }
  for await (const rule of call.client.pages<Item>("listBindingRules", { signal: call.io.signal }).items())
    yield ruleRow(rule);
}

const who: Verb = {
  name: "who",
  summary: "Who can do something: tokens, roles and binding rules.",
  operations: ["listAccess"],
  args: [
    { name: "access", help: "read, write or list." },
    { name: "resource", help: "Such as workspace, tag or service." },
    { name: "segment", help: "Which one, such as acme/prod.", optional: true },
  ],
  flags: [{ name: "limit", value: "N", help: "No more than so many." }],
  examples: ["tessera access who write workspace acme/prod"],
  async run(call) {
    const query = { resource: call.arg("resource"), access: call.arg("access"), segment: call.optionalArg("segment") };
    const columns: Column[] = [
      { title: "Kind", value: (item) => item["Kind"] ?? item["Type"] },
      { title: "ID", value: (item) => item["ID"] ?? item["AccessorID"] },
      { title: "Name", value: (item) => item["Name"] ?? item["Description"] },
      { title: "Through", value: (item) => item["Path"] ?? item["Through"] ?? item["Rule"] },
      { title: "Condition", value: (item) => item["Condition"] ?? item["Selector"] },
    ];
    await call.out.list(call.pages("listAccess", { query }), {
      columns,
      name: (item) => item["ID"] ?? item["AccessorID"],
    });
  },
};

export const noun: Noun = {
  name: "access",
  summary: "Who can do something, and what everybody holds.",
  verbs: [who, report],
};
