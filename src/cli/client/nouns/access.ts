import { replay } from "./access-replay.ts";
import type { Call } from "../spec.ts";
import { csvLine } from "../report/csv.ts";
import { objectOf } from "../kit/answers.ts";
import { namespaceRows, ruleRow, tokenRows, type Row } from "../report/grants.ts";
import type { OutputColumn, Item } from "../output/types.ts";
import { plain } from "../output/values.ts";
import type { Noun, Verb } from "../spec.ts";

const COLUMNS: readonly OutputColumn[] = [
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
  summary: "List all subjects with their permissions and last use.",
  description:
    "Lists tokens, namespace defaults and binding rules for access reviews. One row per grant, without secrets.",
  operations: ["listTokens", "listRoles", "listBindingRules", "listNamespaces"],
  flags: [{ name: "csv", help: "Print CSV. Formulas in cells are escaped." }],
  examples: ["tessera access report --csv > access.csv"],
  async run(call) {
    if (!call.isSet("csv")) {
      await call.out.list(rowsOf(call), { columns: COLUMNS, name: (item) => item["id"] });
      return;
    }
    await call.out.text(
      csvLine(["Subject", "ID", "Description", "Namespace", "Holds", "Through", "Last used", "Expires"]),
    );
    for await (const row of rowsOf(call)) await call.out.text(csvLine(CSV.map((name) => csvText(row, name))));
  },
};

/** Returns the text of a CSV cell. Tables show a dash for a missing value, CSV an empty cell. */
function csvText(row: Row, name: keyof Row): string {
  const text = String(row[name]);
  return text === "-" && name !== "description" ? "" : text;
}

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
  summary: "List the tokens, roles and binding rules with a permission.",
  operations: ["listAccess"],
  args: [
    { name: "access", help: "read, write or list." },
    { name: "resource", help: "Resource type, for example workspace, tag or service." },
    { name: "segment", help: "Resource name, for example acme/prod.", optional: true },
  ],
  flags: [{ name: "limit", value: "N", help: "Maximum number of results." }],
  examples: ["tessera access who write workspace acme/prod"],
  async run(call) {
    const query = { resource: call.arg("resource"), access: call.arg("access"), segment: call.optionalArg("segment") };
    const columns: OutputColumn[] = [
      { title: "Kind", value: "Kind" },
      { title: "Name", value: (item) => item["Name"] ?? item["ID"] },
      { title: "Through", value: throughOf },
      { title: "Condition", value: conditionOf },
      { title: "ID", value: "ID" },
      { title: "Namespace", value: "Namespace", wide: true },
    ];
    await call.out.list(call.pages("listAccess", { query }), { columns, name: (item) => item["ID"] });
  },
};

const KINDS = ["Tokens", "Roles", "BindingRules", "Namespaces"] as const;

const uses: Verb = {
  name: "uses",
  summary: "List the objects that use a policy, role or auth method, or that a namespace contains.",
  operations: ["listUses"],
  args: [
    { name: "kind", help: "policy, role, auth-method or namespace." },
    { name: "key", help: "ID of a policy or role, or name of an auth method or namespace." },
  ],
  examples: ["tessera access uses auth-method github-actions"],
  async run(call) {
    const answer = await call.read("listUses", { query: { [call.arg("kind")]: call.arg("key") } });
    const found = objectOf(answer);
    if (found["Hidden"] === true)
      await call.out.progress("the list is incomplete: your token may not read all objects");
    const columns: OutputColumn[] = [
      { title: "Kind", value: "Kind" },
      { title: "ID", value: "ID" },
      { title: "Name", value: "Name" },
      { title: "Count", value: "Count" },
    ];
    await call.out.list(usesOf(found), { columns, name: (item) => item["ID"] ?? item["Kind"] });
  },
};

async function* usesOf(found: Item): AsyncGenerator<Item> {
  for (const Kind of KINDS) {
    const { First = [], Count } = (found[Kind] ?? {}) as { First?: Item[]; Count?: number };
    for (const each of First) yield { Kind, ...each };
    if (Count !== undefined && Count > First.length) yield { Kind, Name: "total", Count };
  }
  for (const [Kind, Count] of Object.entries((found["Content"] ?? {}) as Item)) yield { Kind, Count };
}

const overview: Verb = {
  name: "overview",
  summary: "Show object counts and problems that need attention.",
  operations: ["readOverview"],
  async run(call) {
    const found = objectOf(await call.read("readOverview"));
    await call.out.item(found, { columns: [], name: (item) => item["Partition"] });
  },
};

/** The policies that hold the rule, or what else decides. */
function throughOf({ Policies: policies, DecidedBy: by }: Item): unknown {
  const names = (policies as { Name: string }[] | undefined)?.map(({ Name: name }) => name).join(", ");
  if (by === "default-policy") return "default policy";
  if (by === "computed") return "depends on the identity";
  return by === "default" ? `${names} (default of its namespace)` : names;
}

function conditionOf({ AuthMethod: method, Selector: selector }: Item): unknown {
  if (method === undefined) return undefined;
  return `login with ${plain(method)}${selector === undefined ? "" : ` and selector ${plain(selector)}`}`;
}

export const noun: Noun = {
  name: "access",
  summary: "Access reports: who has a permission, and which permissions exist.",
  verbs: [who, uses, overview, report, replay],
};
