import { objectOf } from "../kit/answers.ts";
import type { Item } from "../output/types.ts";
import type { Verb } from "../spec.ts";

const KINDS = ["policy", "rule", "token", "role", "identity", "binding-rule", "decision-point"];

export const verb: Verb = {
  name: "use",
  summary: "Report which permissions are used, by day.",
  description: "Shows how often permissions were used, by requests and by access checks. Requires acl:read.",
  operations: ["readUse"],
  flags: [
    {
      name: "by",
      value: "KIND",
      query: "by",
      choices: KINDS,
      help: "Kind of the subjects in the report. Default: policy.",
    },
    { name: "id", value: "ID", query: "id", help: "Only the policy, token, role or binding rule with this ID." },
    { name: "policy", value: "ID", query: "policy", help: "Count only the use of this policy.", complete: "policy" },
    {
      name: "unused-for",
      value: "DURATION",
      query: "unused-for",
      help: "Only subjects not used for this duration, for example 30d.",
    },
  ],
  examples: ["tessera use --by rule --unused-for 30d"],
  async run(call) {
    const found = objectOf(await call.read("readUse"));
    const { Since: since, IncompleteOn: gap } = found as { Since?: string; IncompleteOn?: string };
    if (since === undefined) await call.out.warn("Use of permissions is not recorded.");
    else await call.out.progress(`Recorded since ${since}.`);
    if (gap !== undefined)
      await call.out.warn(`Until ${gap}, some uses were not recorded because the limit was reached.`);
    const columns = [
      { title: "Subject", value: subjectOf },
      { title: "Last day", value: (item: Item) => item["LastDay"] ?? "never" },
      { title: "Days of 30", value: (item: Item) => item["DaysUsed"] ?? 0 },
      { title: "Requests", value: "Enforced" },
      { title: "Own questions", value: "Own" },
      { title: "Questions", value: "Others" },
      { title: "First day", value: "FirstDay", wide: true },
    ];
    await call.out.list(entriesOf(found), { columns, name: subjectOf });
  },
};

async function* entriesOf(found: Item): AsyncGenerator<Item> {
  yield* (found["Entries"] ?? []) as Item[];
}

function subjectOf(item: Item): string {
  if (typeof item["DecisionPoint"] === "string") return item["DecisionPoint"] || "(not recorded)";
  const { Policy, Rule, Token, Role, Identity, BindingRule } = item as Record<
    string,
    Record<string, string> | undefined
  >;
  if (Rule !== undefined) {
    const about = `${Rule["Resource"]}${Rule["Prefix"] === undefined ? "" : "_prefix"} "${Rule["Segment"]}"`;
    const block = Rule["Block"] === undefined ? "" : `${Rule["Block"]}: `;
    return `${Policy?.["Name"] ?? Policy?.["ID"]}: ${block}${about} ${Rule["Policy"]}`;
  }
  if (Identity !== undefined) return `${Identity["AuthMethod"]}/${Identity["Identity"] ?? "(roles)"}`;
  if (BindingRule !== undefined)
    return `${BindingRule["AuthMethod"]}: ${BindingRule["Description"] || BindingRule["ID"]}`;
  return Token?.["AccessorID"] ?? Role?.["Name"] ?? Policy?.["Name"] ?? Policy?.["ID"] ?? "";
}
