/** Decisions as people read them: which rule, where it stands, how whoever was asked about came by it, and what would allow it. */
import { brokenLines, visible } from "../output/values.ts";
import type { Item } from "../output/types.ts";

/** A line of a text, and how far it is indented. What is code is not broken. */
export interface DecisionLine {
  readonly indent: number;
  readonly text: string;
  readonly isCode?: boolean;
}

interface Link {
  Kind?: string;
  Name?: string;
  ID?: string;
  Namespace?: string;
  Role?: string;
  BindingRules?: { ID: string; AuthMethod?: string; Selector?: string }[];
}

interface Step {
  ID?: string;
  Name?: string;
  Namespace?: string;
  Places?: { Line: number; Column: number }[];
  Links?: Link[];
}

/** A decision of `explain`, `why` or `authorize`. */
interface Decision {
  Allow?: boolean;
  DecidedBy?: string;
  Rule?: { Resource: string; Segment: string; Prefix?: boolean; Policy: string };
  Path?: Step[];
  Policies?: Step[];
  Wanted?: { Rules?: string; Overruled?: boolean; Roles?: { Name?: string; ID?: string }[]; RolesComplete?: boolean };
}

/** Returns the decision and its reason, in lines. Empty when the item contains neither. */
export function decisionLines(item: Item): DecisionLine[] {
  const decision = item as Decision;
  return [...pathLines(decision), ...wantedLines(decision)];
}

function pathLines({ DecidedBy: by, Rule: rule, Path: path, Policies: policies }: Decision): DecisionLine[] {
  if (by === "default-policy") return [line(0, "No rule matches, so the default policy applies.")];
  if (by === "disabled") return [line(0, "The token is disabled.")];
  if (by === "login") return [line(0, "The login would be denied.")];
  if (rule === undefined) return [];
  return [
    line(0, "Deciding rule:"),
    { indent: 2, text: ruleText(rule), isCode: true },
    ...(path ?? policies ?? []).flatMap(stepLines),
  ];
}

function stepLines({ ID: id, Name: name, Places: places = [], Links: links = [] }: Step): DecisionLine[] {
  const end = links.length === 0 ? "" : ",";
  if (id === "hidden") return [line(0, `in a policy that you may not read${end}`), ...links.map(linkLine)];
  const where = places.map(({ Line: row, Column: column }) => `line ${row}, column ${column}`).join("; ");
  return [line(0, `in policy ${name ?? id}${where === "" ? "" : ` (${where})`}${end}`), ...links.map(linkLine)];
}

function linkLine({
  Kind: kind,
  Name: name,
  ID: id,
  Namespace: namespace,
  Role: role,
  BindingRules: rules,
}: Link): DecisionLine {
  const what = id === "hidden" ? "that you may not read" : (name ?? id ?? "");
  const texts: Readonly<Record<string, string>> = {
    direct: "held directly",
    role: `held through role ${what}`,
    identity: `held through identity ${what}${role === undefined ? "" : ` of role ${role}`}`,
    default: `held as a default of namespace ${namespace ?? what}${role === undefined ? "" : `, through role ${role}`}`,
  };
  const given = (rules ?? []).map(({ ID: rule, AuthMethod: method, Selector: selector }) => {
    const of = method === undefined ? "" : ` of ${method}`;
    return `granted by binding rule ${rule}${of}${selector === undefined ? "" : ` (${selector})`}`;
  });
  return line(
    2,
    [texts[kind ?? ""] ?? `held through ${kind ?? "a hidden object"} ${what}`.trim(), ...given].join(", "),
  );
}

function wantedLines({ Wanted: wanted }: Decision): DecisionLine[] {
  if (wanted === undefined) return [];
  const { Rules: rules, Overruled: isOverruled, Roles: roles = [], RolesComplete: isComplete } = wanted;
  const lines: DecisionLine[] = [];
  if (isOverruled === true)
    lines.push(line(0, "Remove this rule first: it has precedence over any rule that would allow the request."));
  if (rules === undefined) lines.push(line(0, "No policy in this namespace can allow this access."));
  else {
    lines.push(line(0, "Minimal rule that allows this access:"));
    for (const text of rules.split("\n")) lines.push({ indent: 2, text, isCode: true });
  }
  const names = roles.map(({ Name: name, ID: id }) => name ?? id).join(", ");
  const rest = isComplete === false ? " (not all roles were checked)" : "";
  if (names !== "") lines.push(line(0, `Roles that grant this access: ${names}${rest}`));
  else if (rules !== undefined) lines.push(line(0, `No role in this namespace grants this access${rest}.`));
  return lines;
}

/** A rule as a policy writes it, in one line. */
export function ruleText({ Resource, Segment, Prefix, Policy }: NonNullable<Decision["Rule"]>): string {
  if (Segment === "" && Prefix !== true) return `${Resource} = ${JSON.stringify(Policy)}`;
  return `${Resource}${Prefix === true ? "_prefix" : ""} ${JSON.stringify(Segment)} { policy = ${JSON.stringify(Policy)} }`;
}

/** A line of words. */
export function line(indent: number, text: string): DecisionLine {
  return { indent, text };
}

/** Lines as text, broken between words where they are wider than a terminal. @param columns undefined where there is none */
export function textOf(lines: readonly DecisionLine[], columns: number | undefined): string {
  const room = columns === undefined ? Infinity : Math.max(columns, 20);
  return lines
    .flatMap(({ indent, text, isCode }) => {
      const whole = " ".repeat(indent) + visible(text);
      return isCode === true ? [whole] : brokenLines(whole, room, indent + 2);
    })
    .map((text) => `${text}\n`)
    .join("");
}
