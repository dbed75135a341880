/** A plan as people, machines and reviews read it. No secret is in any of them. */
import { structuredPatch } from "diff";
import type { PlannedChange, Field } from "./change.ts";
import type { Looked } from "./lint.ts";
import type { Losses } from "./losses.ts";
import { isDone, type DeclaredPlan } from "./plan.ts";
import { textOf } from "./problem.ts";
import { isSecretKey, mapSecrets } from "./secrets.ts";
import { isRecord } from "./shape.ts";
import { replayedJson, replayedLines } from "./replay-lines.ts";
import type { Replayed } from "./replay.ts";
import type { Untried } from "./trial.ts";
import type { FileValue } from "./documents.ts";

export interface ShownPlan {
  readonly plan: DeclaredPlan;
  readonly looked: Omit<Looked, "besideMethods">;
  readonly losses: Losses;
  /** Changes that the server did not try, or could not judge. Undefined when none was tried at all. */
  readonly untried: readonly Untried[] | undefined;
  /** Recorded use that the plan refuses. Undefined where nobody asked for it. */
  readonly replayed?: Replayed;
}

const SIGNS = { create: "+", update: "~", delete: "-" } as const;
const SECRET = "(secret)";
const MOST_LINES = 60;

/** Lines of text. A line begins with `+`, `-` or `~` where it is about something that comes, goes or changes. */
export function planLines(told: ShownPlan): string[] {
  const { plan } = told;
  const parts = [
    plan.changes.flatMap(changeLines),
    warningLines(told),
    untriedLines(told),
    lossLines(told),
    replayLines(told),
    leftLines(told),
    [summaryOf(plan)],
  ];
  return joined(parts);
}

/** With an empty line between those that say something. */
function joined(parts: readonly (readonly string[])[]): string[] {
  return parts.filter((each) => each.length > 0).flatMap((each, at) => (at === 0 ? each : ["", ...each]));
}

function warningLines({ looked: { warnings, gap } }: ShownPlan): string[] {
  return joined([
    warnings.length === 0 ? [] : ["Warnings:", ...warnings.map((each) => `  ${textOf(each)}`)],
    gap === undefined ? [] : [`  ${gap}`],
  ]);
}

function lossLines({ losses: { first, count } }: ShownPlan): string[] {
  if (count === 0) return [];
  const lines = first.map(({ who, what, isOwn }) => `  ${who} ${what}${isOwn ? "   <- your own token" : ""}`);
  const more = count > first.length ? [`  and ${count - first.length} more`] : [];
  return ["Permissions removed from:", ...lines, ...more];
}

/** Recorded use with another result; nothing where the plan changes no permission. */
function replayLines({ replayed }: ShownPlan): string[] {
  return replayed === undefined ? [] : joined(replayedLines(replayed));
}

function leftLines({ plan: { left } }: ShownPlan): string[] {
  if (left.length === 0) return [];
  const head = "No longer in the files, and kept (--prune deletes these objects):";
  return [head, ...cut(left.map((key) => `  ${key}`))];
}

function untriedLines({ plan, untried = [] }: ShownPlan): string[] {
  if (untried.length === 0) return [];
  const each = untried.map(({ change, why }) => `  ${changeLine(change)}: ${why}`);
  return [`Not tested on the server, ${untried.length} of ${plan.changes.length}:`, ...cut(each)];
}

/** Returns the summary of a plan, in one line. */
export function summaryOf(plan: DeclaredPlan): string {
  if (isDone(plan)) return `No changes. ${plan.unchanged} objects match the files.`;
  const count = (action: PlannedChange["action"]) => plan.changes.filter((change) => change.action === action).length;
  const owns = plan.changes.length === 0 ? "; the list of owned objects is updated" : "";
  return `${count("create")} to create, ${count("update")} to change, ${count("delete")} to delete, ${plan.unchanged} unchanged${owns}.`;
}

/** One line of a change, for progress. A binding rule is told by its description, also where that is not what it is found by. */
export function changeLine({ action, object }: PlannedChange): string {
  const { kind, path, content } = object;
  const { description } = content;
  const isUntold = kind.name === "binding-rule" && typeof description === "string" && description !== "";
  const said = isUntold && !path.endsWith(`/${description}`) ? ` (${description.slice(0, 200)})` : "";
  return `${SIGNS[action]} ${kind.name} ${path}${said}`;
}

function changeLines(change: PlannedChange): string[] {
  const { action, object, fields } = change;
  const place = object.place === undefined ? "" : `   ${object.place.file}:${object.place.line}`;
  const lines = [`${changeLine(change)}${place}`];
  if (action === "update") lines.push(...fields.flatMap(fieldLines));
  if (action === "create") lines.push(...fields.flatMap(createdLines));
  return lines;
}

/** Rules and other texts of several lines are shown as they are written. */
function createdLines({ name, after }: Field): string[] {
  if (typeof after !== "string" || (name !== "rules" && !after.includes("\n")) || name === "secret")
    return [`    ${name}: ${short(name, after)}`];
  const lines = after.replace(/\n$/, "").split("\n");
  return [`    ${name}:`, ...cut(lines.map((line) => `      +${line}`))];
}

function fieldLines({ name, before, after }: Field): string[] {
  const texts = [before ?? "", after ?? ""].filter((each) => typeof each === "string");
  if (texts.length === 2 && name !== "secret" && (name === "rules" || texts.some((each) => each.includes("\n")))) {
    const [was = "", is = ""] = texts;
    const { hunks } = structuredPatch("", "", was, is, undefined, undefined, { context: 2 });
    const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => !line.startsWith("\\"));
    return [`    ${name}:`, ...cut(lines.map((line) => `      ${line}`))];
  }
  if (isList(before) && isList(after)) {
    const known = (list: readonly FileValue[]) => new Set(list.map((each) => JSON.stringify(each)));
    const [old, now] = [known(before ?? []), known(after ?? [])];
    const gone = [...old].filter((each) => !now.has(each)).map((each) => `      - ${each}`);
    const come = [...now].filter((each) => !old.has(each)).map((each) => `      + ${each}`);
    return [`    ${name}:`, ...cut([...gone, ...come])];
  }
  if (isRecord(before) || isRecord(after)) {
    const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
      (key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]),
    );
    return names.map((key) => `    ${name}.${key}: ${short(key, old[key])} -> ${short(key, now[key])}`);
  }
  return [`    ${name}: ${short(name, before)} -> ${short(name, after)}`];
}

function isList(value: FileValue | undefined): value is FileValue[] | undefined {
  return value === undefined || Array.isArray(value);
}

function cut(lines: readonly string[]): string[] {
  return lines.length <= MOST_LINES
    ? [...lines]
    : [...lines.slice(0, MOST_LINES), `      and ${lines.length - MOST_LINES} more lines`];
}

const SHORT = 120;

function short(name: string, value: FileValue | undefined): string {
  if (value === undefined || value === null) return "(none)";
  if (isSecretKey(name) || name === "secret") return SECRET;
  const text = JSON.stringify(masked(value));
  return text.length <= SHORT ? text : `${text.slice(0, SHORT)}… (${text.length} characters)`;
}

function masked(value: FileValue): FileValue {
  return isRecord(value) ? mapSecrets(value, () => SECRET) : value;
}

/** The plan as JSON; its form does not change but by additions. */
export function planJson({ plan, looked, losses, untried, replayed }: ShownPlan): object {
  return {
    done: isDone(plan),
    ...(plan.owner === undefined ? {} : { owner: plan.owner }),
    changes: plan.changes.map(({ action, object, fields }) => ({
      action,
      kind: object.kind.name,
      object: object.path,
      ...(object.place === undefined ? {} : { file: object.place.file, line: object.place.line }),
      fields: fields.map(({ name, before, after }) => ({
        name,
        before: shown(name, before),
        after: shown(name, after),
      })),
    })),
    unchanged: plan.unchanged,
    left: plan.left,
    warnings: looked.warnings.map(({ place, message }) => ({ ...place, message })),
    ...(looked.gap === undefined ? {} : { gap: looked.gap }),
    untried: untried?.map(({ change: { action, object }, why }) => ({
      action,
      kind: object.kind.name,
      object: object.path,
      why,
    })),
    losses: losses.first,
    "loss-count": losses.count,
    ...(replayed === undefined ? {} : { replay: replayedJson(replayed) }),
  };
}

function shown(name: string, value: FileValue | undefined): FileValue {
  if (value === undefined || value === null) return null;
  return name === "secret" ? SECRET : masked(value);
}

/** The plan for a comment on a change: a summary, and the rest to be opened. */
export function planMarkdown(told: ShownPlan): string {
  const { plan, losses, looked, untried = [], replayed } = told;
  const marks = [
    ...(replayed !== undefined && replayed.refused > 0 ? [`**Recorded use denied: ${replayed.refused}.**`] : []),
    ...(losses.count > 0 ? [`**Permissions removed from ${losses.count}.**`] : []),
    ...(looked.warnings.length > 0 ? [`**${looked.warnings.length} warnings.**`] : []),
    ...(untried.length > 0 ? [`**Not tested: ${untried.length} of ${plan.changes.length}.**`] : []),
  ];
  const head = ["### Tessera plan", "", summaryOf(plan), ...(marks.length === 0 ? [] : ["", ...marks])];
  if (plan.changes.length === 0 && marks.length === 0 && plan.left.length === 0) return `${head.join("\n")}\n`;
  const first = joined([lossLines(told), replayLines(told), warningLines(told), untriedLines(told)]);
  const open = first.length === 0 ? "" : `\`\`\`text\n${block(first, MOST_OPEN)}\n\`\`\`\n\n`;
  const rest = joined([plan.changes.flatMap(changeLines), leftLines(told)]);
  const details = `<details><summary>Details</summary>\n\n\`\`\`diff\n${block(rest, MOST_DETAILS)}\n\`\`\`\n\n</details>\n`;
  return `${head.join("\n")}\n\n${open}${rest.length === 0 ? "" : details}`;
}

/** Characters of what is read first, and of the rest: a comment has 65,536. */
const MOST_OPEN = 15_000;
const MOST_DETAILS = 40_000;

/** Lines within a block of Markdown, none of which ends it. @param most characters; where there are more, the last line says so */
function block(lines: readonly string[], most: number): string {
  const kept: string[] = [];
  let size = 0;
  for (const line of lines) {
    const safe = line.replaceAll("```", "'''").slice(0, most);
    size += safe.length + 1;
    if (size > most) return [...kept, `… and ${lines.length - kept.length} more lines: run tessera plan`].join("\n");
    kept.push(safe);
  }
  return kept.join("\n");
}
