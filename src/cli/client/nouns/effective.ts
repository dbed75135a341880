import { CliError, EXIT, usage } from "../exit.ts";
import type { Call, Verb } from "../spec.ts";
import type { Item, OutputColumn } from "../output/types.ts";
import { counted } from "../output/counted.ts";

/** Options that name a subject, with their parameters. */
const SUBJECTS = [
  ["token", "accessor"],
  ["role", "role"],
  ["auth-method", "auth-method"],
  ["namespace-defaults", "namespace-defaults"],
] as const;

export const verb: Verb = {
  name: "effective",
  summary: "Show the effective permissions of a token, role, auth method or namespace.",
  description:
    "Prints one row per name in a rule. Default: the current token. With --with: only resources with differences.",
  operations: ["listEffective"],
  flags: [
    { name: "token", value: "ACCESSOR", help: "Subject: the token with this AccessorID.", complete: "token" },
    { name: "role", value: "NAME", help: "Subject: a token with this role.", complete: "role" },
    {
      name: "auth-method",
      value: "NAME",
      help: "Subject: a login that all binding rules of this auth method match.",
      complete: "auth-method",
    },
    {
      name: "namespace-defaults",
      value: "NAME",
      help: "Subject: the default policies of this namespace.",
      complete: "namespace",
    },
    { name: "with", value: "KIND:NAME", help: "Second subject, for example token:ACCESSOR or role:NAME." },
    {
      name: "at",
      value: "TIME",
      help: "Show the permissions at this time in RFC 3339, from audit records. Not for auth methods.",
    },
    { name: "resource", value: "NAME", help: "Only rows of this resource type, for example workspace." },
  ],
  examples: [
    "tessera effective",
    "tessera effective --role developers --resource workspace",
    "tessera effective --role developers --with role:readers",
    "tessera effective --token 4790b712-08ff-4c92-85df-006937ca5567 --at 2026-11-03T00:00:00Z",
  ],
  async run(call) {
    const query = queryOf(call);
    const table: { head: Item; entries: Item[] } = { head: {}, entries: [] };
    for (let after: string | null = ""; after !== null;) {
      const answer = await call.read("listEffective", {
        query: { ...query, "page-size": "1000", ...(after !== "" && { after }) },
      });
      const { Entries, ...head } = answer.body as Item & { Entries?: Item[] };
      if (Entries === undefined) throw new CliError(EXIT.failed, "the server response contains no permissions");
      if (after === "") table.head = head;
      table.entries.push(...Entries);
      if (answer.headers.get("x-service-results-filtered-by-acls") === "true" && after === "")
        await call.out.warn("The list is incomplete: your token may not read all policies.");
      after = answer.headers.get("x-service-next");
    }
    await show(call, table.head, table.entries);
  },
};

/** @throws CliError */
function queryOf(call: Call): Record<string, string> {
  const named = SUBJECTS.flatMap(([flag, parameter]) => {
    const value = call.flag(flag);
    return value === undefined ? [] : [[parameter, value] as const];
  });
  if (named.length > 1) throw usage("use only one of --token, --role, --auth-method and --namespace-defaults");
  const other = call.flag("with")?.replace(/^token:/, "accessor:");
  const [resource, at] = [call.flag("resource"), call.flag("at")];
  return {
    ...Object.fromEntries(named),
    ...(other !== undefined && { with: other }),
    ...(resource !== undefined && { resource }),
    ...(at !== undefined && { at }),
  };
}

async function show(call: Call, head: Item, entries: readonly Item[]): Promise<void> {
  const { Reason: damage } = (head["Damage"] ?? {}) as { Reason?: string };
  if (damage !== undefined)
    await call.out.warn(`The audit log is corrupted after that time, so the permissions can differ: ${damage}`);
  if (call.out.isData) return call.out.value({ ...head, Entries: entries });
  const isCompared = head["With"] !== undefined;
  const columns: OutputColumn[] = [
    { title: "Resource", value: "Resource" },
    { title: "Name", value: nameOf },
    { title: "Namespace", value: placeOf },
    ...(isCompared
      ? [
          { title: "First", value: (item: Item) => allowedOf(item["Decisions"]) },
          { title: "Second", value: (item: Item) => allowedOf(item["With"]) },
          { title: "Differs", value: (item: Item) => (item["Differs"] === true ? "yes" : "") },
        ]
      : [{ title: "Allowed", value: (item: Item) => allowedOf(item["Decisions"]) }]),
    { title: "Through", value: (item) => throughOf(item["Decisions"]) },
    ...(isCompared ? [{ title: "Second through", value: (item: Item) => throughOf(item["With"]) }] : []),
  ];
  await call.out.list(each(entries), { columns, name: nameOf });
  const computed = (head["Subject"] as { Computed?: unknown[] } | undefined)?.Computed ?? [];
  if (computed.length > 0)
    await call.out.note(
      `Not included: ${counted(computed.length, "binding rule")} with grants that depend on the identity.`,
    );
  await call.out.note(`Default policy for everything else: ${String(head["DefaultPolicy"])}.`);
}

async function* each(entries: readonly Item[]): AsyncGenerator<Item> {
  yield* entries;
}

/** The name of a row; what begins with it has a star. */
function nameOf({ Segment: segment = "", Prefix: prefix }: Item): string {
  return `${String(segment)}${prefix === true ? "*" : ""}`;
}

interface Place {
  Namespace?: string;
  NamespacePrefix?: true;
  Partition?: string;
  PartitionPrefix?: true;
}

function placeOf(item: Item): string | undefined {
  const {
    Namespace: namespace,
    NamespacePrefix: some,
    Partition: partition = "",
    PartitionPrefix: parts,
  } = item as Place;
  if (namespace === undefined) return undefined;
  const inside = `${namespace}${some === true ? "*" : ""}`;
  const of = `${partition}${parts === true ? "*" : ""}`;
  return of === "default" ? inside : `${of}/${inside}`;
}

interface Cell {
  Allowed: string[];
  DecidedBy: string;
  Rule?: { Policy: string };
  Path?: { Name: string; Places?: { Line: number }[] }[];
}

function allowedOf(cells: unknown): string {
  const allowed = ((cells ?? []) as Cell[]).flatMap(({ Allowed }) => Allowed);
  if (allowed.length > 0) return allowed.join(", ");
  return ((cells ?? []) as Cell[]).some(({ Rule }) => Rule?.Policy === "deny") ? "deny" : "-";
}

/** The policies that hold the rules, each with its lines. */
function throughOf(cells: unknown): string {
  const texts = ((cells ?? []) as Cell[]).flatMap(({ Path, DecidedBy }) => {
    if (Path === undefined) return DecidedBy === "default-policy" ? ["default policy"] : [];
    return Path.map(({ Name, Places = [] }) => [Name, ...Places.map(({ Line }) => Line)].join(":"));
  });
  return [...new Set(texts)].join(", ");
}
