/** Proposals of smaller policies and roles, by recorded use. Nothing is applied. */
import { TIGHTEN_REASONS } from "../../../../packages/model/tighten-reasons.ts";
import type { Call, Flag, Verb } from "../spec.ts";
import { CliError, EXIT, usage } from "../exit.ts";
import { each, objectOf } from "../kit/answers.ts";
import { idOf, nameArgument, type CliKind } from "../kit/v1.ts";
import type { Item, OutputLine } from "../output/types.ts";
import { plain } from "../output/values.ts";

const WINDOW: readonly Flag[] = [
  { name: "days", value: "N", help: "Number of days of recorded use, 1 to 128. Default: 90." },
  {
    name: "decision-point",
    value: "ID",
    many: true,
    help: "Include access checks that this caller makes for other subjects. AccessorID, or METHOD/IDENTITY of its login. Repeatable.",
  },
];

/** The command of policies. */
export function tightenPolicyVerb(kind: CliKind): Verb {
  return {
    name: "tighten",
    summary: "Propose a smaller policy, based on recorded use. Read-only.",
    description:
      "Prints the proposed policy rules to stdout and the reasons to stderr. The proposal adds no permission for any subject.",
    operations: ["tightenPolicy"],
    args: [nameArgument(kind)],
    flags: [
      ...WINDOW,
      {
        name: "keep",
        value: "KIND:NAME",
        many: true,
        help: "Policy rule or name to keep, for example key_prefix:app/. Repeatable.",
      },
    ],
    examples: ["tessera policy tighten web --days 30 > web.hcl"],
    async run(call) {
      const body = { ...windowOf(call), Keep: call.flagList("keep").map(keptOf) };
      const found = await ask(call, kind, "tightenPolicy", body);
      if (call.out.isData) return call.out.value(found);
      await noteGrounds(call, found);
      const lines = Array.isArray(found["Lines"]) ? (found["Lines"] as Item[]) : [];
      await call.out.warnLines(lines.map(lineOf));
      if (typeof found["Rules"] !== "string")
        throw new CliError(EXIT.failed, "no safe draft found", "the warnings above show the reason");
      if (found["Changed"] !== true)
        return call.out.note("No change: recorded requests used every rule of the policy.");
      return call.out.text(found["Rules"]);
    },
  };
}

/** The command of roles. */
export function tightenRoleVerb(kind: CliKind): Verb {
  return {
    name: "tighten",
    summary: "List the policies that a role does not need, based on recorded use. Read-only.",
    operations: ["tightenRole"],
    args: [nameArgument(kind)],
    flags: [
      ...WINDOW,
      { name: "keep", value: "ID", many: true, help: "ID of a policy to keep. Repeatable.", complete: "policy" },
    ],
    examples: ["tessera role tighten web-team --days 30"],
    async run(call) {
      const found = await ask(call, kind, "tightenRole", { ...windowOf(call), Keep: call.flagList("keep") });
      if (call.out.isData) return call.out.value(found);
      await noteGrounds(call, found);
      const policies = Array.isArray(found["Policies"]) ? (found["Policies"] as Item[]) : [];
      const columns = [
        { title: "Policy", value: "Name" },
        { title: "Action", value: "Action" },
        { title: "Reason", value: (item: Item) => TIGHTEN_REASONS[plain(item["Reason"], "")] ?? item["Reason"] },
        { title: "ID", value: "ID" },
      ];
      await call.out.list(each(policies), { columns, name: (item) => item["ID"] });
      if (found["Offered"] !== true)
        throw new CliError(EXIT.failed, "no safe draft found", "the warnings above show the reason");
      return undefined;
    },
  };
}

async function ask(call: Call, kind: CliKind, operation: string, body: object): Promise<Item> {
  const id = await idOf(call, kind, call.arg(nameArgument(kind).name));
  return objectOf(await call.read(operation, { path: { id }, body }));
}

function windowOf(call: Call): Item {
  const days = call.flag("days");
  if (days !== undefined && !/^[1-9][0-9]*$/.test(days)) throw usage(`invalid --days ${days}: expected a number`);
  const points = call.flagList("decision-point");
  return { ...(days !== undefined && { Days: Number(days) }), ...(points.length > 0 && { DecisionPoints: points }) };
}

/** A rule or a name, as `key_prefix:app/`, `key:app/x` or `acl`. */
function keptOf(text: string): Item {
  const [kind = "", ...rest] = text.split(":");
  const isPrefix = kind.endsWith("_prefix");
  return {
    Resource: isPrefix ? kind.slice(0, -"_prefix".length) : kind,
    Segment: rest.join(":"),
    ...(isPrefix && { Prefix: true }),
  };
}

/** Says how far the recorded use reaches. */
async function noteGrounds(call: Call, found: Item): Promise<void> {
  const { Days, RecordedSince, Incomplete, Holders } = found;
  const { Roles, BindingRules, Tokens } = (Holders ?? {}) as Item;
  await call.out.note(
    `Recorded use: ${plain(Days, "")} days since ${plain(RecordedSince, "")}, ${plain(Tokens, "0")} tokens, ` +
      `${plain(Roles, "0")} roles and ${plain(BindingRules, "0")} binding rules.`,
  );
  if (Incomplete !== undefined)
    await call.out.warn(`Until ${plain(Incomplete, "")}, some uses were not recorded because the limit was reached.`);
}

const COLOURS: Readonly<Record<string, 31 | 32 | 33>> = { dropped: 31, replaced: 33, lowered: 33 };

function lineOf(found: Item): OutputLine {
  const { Line, Rule, In, Action, Reason, Other, Policy, Names } = found;
  const action = plain(Action, "");
  const inside = Array.isArray(In) ? In.map((block) => ` in ${plain(block, "")}`).join("") : "";
  const names = Array.isArray(Names) ? `: ${Names.map((name) => plain(name, "")).join(", ")}` : "";
  const lowered = Policy === undefined ? "" : ` to ${plain(Policy, "")}`;
  const other = Other === undefined ? "" : ` ${plain((Other as Item)["Rule"], "")}`;
  const reason = TIGHTEN_REASONS[plain(Reason, "")] ?? plain(Reason, "");
  const text = `${plain(Line, "")}: ${plain(Rule, "")}${inside}: ${action}${lowered}: ${reason}${other}${names}`;
  const colour = COLOURS[action];
  return { text, ...(colour !== undefined && { colour }) };
}
