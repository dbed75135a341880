import { didYouMean } from "../../../declared/shape.ts";
import type { OperationId } from "@tessera-server/client";
import type { Call } from "../spec.ts";
import { usage } from "../exit.ts";
import { each } from "../kit/answers.ts";
import { idOf, shownAs, type CliKind } from "../kit/v1.ts";
import type { Item } from "../output/types.ts";
import { jsonText } from "../output/values.ts";
import type { Verb } from "../spec.ts";

/** The kinds that can be watched, and where each is. */
const KINDS: Readonly<Record<string, () => Promise<CliKind>>> = {
  policy: async () => (await import("./policy.ts")).POLICY,
  role: async () => (await import("./role.ts")).ROLE,
  token: async () => (await import("./token.ts")).TOKEN,
  "auth-method": async () => (await import("./auth-method.ts")).AUTH_METHOD,
  "binding-rule": async () => (await import("./binding-rule.ts")).BINDING_RULE,
  namespace: async () => (await import("./namespace.ts")).NAMESPACE,
  partition: async () => (await import("./partition.ts")).PARTITION,
};

/** Lists under `/api/v2` that can be watched; one page of a hundred. */
const LISTS: Readonly<Record<string, OperationId>> = {
  tag: "listTags",
  workspace: "listWorkspaces",
  project: "listProjects",
  job: "listTagJobs",
};

export const verb: Verb = {
  name: "watch",
  summary: "Show objects and refresh the output on every change.",
  description:
    "Shows a list or an object, and shows it again on every change. Ctrl-C stops it. --output json prints one line per update.",
  operations: [
    "listPolicies",
    "listRoles",
    "listTokens",
    "listAuthMethods",
    "listBindingRules",
    "listNamespaces",
    "listPartitions",
    "listTags",
    "listWorkspaces",
    "listProjects",
    "listTagJobs",
  ],
  args: [
    { name: "kind", help: `One of ${[...Object.keys(KINDS), ...Object.keys(LISTS)].join(", ")}.` },
    { name: "name", help: "Object name or ID. Only for objects under /v1.", optional: true },
  ],
  flags: [{ name: "count", value: "N", help: "Stop after N updates." }],
  async run(call) {
    const word = call.arg("kind");
    const load = Object.hasOwn(KINDS, word) ? KINDS[word] : undefined;
    if (load !== undefined) return watchKind(call, await load());
    const operation = Object.hasOwn(LISTS, word) ? LISTS[word] : undefined;
    if (operation === undefined) {
      const near = didYouMean(word, [...Object.keys(KINDS), ...Object.keys(LISTS)]);
      throw usage(`cannot watch ${JSON.stringify(word)}: unknown kind${near}; run tessera watch --help`);
    }
    if (call.optionalArg("name") !== undefined) throw usage(`cannot watch a single ${word}. Watch the list instead`);
    const columns = [
      { title: "ID", value: "id" },
      { title: "Name", value: "attributes.name" },
    ];
    await follow(
      call,
      operation,
      { path: { organization_name: call.organization() }, query: { "page[size]": "100" } },
      { columns, name: (item) => item["id"] },
    );
  },
};

async function watchKind(call: Call, kind: CliKind): Promise<void> {
  const name = call.optionalArg("name");
  const shown = shownAs(kind);
  if (name === undefined) return follow(call, kind.operations.list as OperationId, {}, shown);
  const path = { [kind.pathName]: await idOf(call, kind, name) };
  return follow(call, kind.operations.read as OperationId, { path }, shown);
}

type Watched = Parameters<Call["client"]["watch"]>[1];

async function follow(
  call: Call,
  operation: OperationId,
  input: Watched,
  shown: ReturnType<typeof shownAs>,
): Promise<void> {
  let left = Number(call.flag("count") ?? Infinity);
  const onReconnect = (error: Error) => void call.out.warn(`${error.message}; retrying`);
  for await (const { body } of call.client.watch(operation, { ...input, signal: call.io.signal, onReconnect })) {
    await show(call, body, shown);
    if (--left <= 0) return;
    if (!call.out.isData) await call.out.text("\n");
  }
}

async function show(call: Call, body: unknown, shown: ReturnType<typeof shownAs>): Promise<void> {
  const value = typeof body === "object" && body !== null && "data" in body ? body.data : body;
  if (call.out.format === "json") return call.out.text(`${jsonText(value ?? null)}\n`);
  if (call.out.format === "yaml") await call.out.text("---\n");
  if (value === undefined) return call.out.text("not found\n");
  if (Array.isArray(value)) await call.out.list(each(value as Item[]), shown);
  else await call.out.item(value as Item, shown);
}
