/**
 * Shows the permissions that a change would give and take, and the objects that it affects. The server computes them
 * before the change.
 */
import { TesseraError } from "@tessera-server/client";
import type { Call } from "../spec.ts";
import type { Item } from "../output/types.ts";
import { objectOf } from "./answers.ts";
import { rightText } from "../../../declared/rights.ts";
import { visible } from "../output/values.ts";

/** Subjects that are named. */
const NAMED = 10;

/** How objects of a kind are named in the body of the question. */
export interface Draft {
  readonly changed: "Policies" | "Roles" | "Tokens";
  /** Member for deleted objects. Tokens have none: they take nothing from others. */
  readonly deleted?: "DeletedPolicies" | "DeletedRoles";
  /** Values that members have when an object is written without them. */
  readonly empty: Readonly<Record<string, unknown>>;
}

/** The operations that a command asks for it, before it changes an object of a kind. */
export function askedBy({ draft }: { readonly draft?: Draft }): string[] {
  return draft === undefined ? [] : ["previewEffect"];
}

/**
 * Writes to standard error who gains and loses what if objects were as these; that it cannot be said where the caller may not ask,
 * or the server is older.
 */
export async function noteEffect(call: Call, draft: Draft | undefined, ...objects: readonly Item[]): Promise<void> {
  const isGone = objects.some(({ isDeleted }) => isDeleted === true);
  const member = isGone ? draft?.deleted : draft?.changed;
  if (member === undefined || objects.length === 0) return;
  const body = { [member]: objects.map(({ isDeleted: _isDeleted, ...each }) => each) };
  let effect: Item;
  try {
    const answer = await call.read("previewEffect", { body, query: { "page-size": String(NAMED) } });
    effect = objectOf(answer);
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error;
    await call.out.note(`Could not compute the impact: ${error.message}`);
    return;
  }
  for (const line of linesOf(effect)) await call.out.warn(line);
  if (effect["ReasonRequested"] === true) call.reason.isRequested = true;
}

function linesOf(effect: Item): string[] {
  const counts = (["Tokens", "Roles", "BindingRules"] as const).flatMap((kind) => {
    const { Gain, Lose } = effect[kind] as { Gain: number; Lose: number };
    const what = { Tokens: "tokens", Roles: "roles", BindingRules: "binding rules" }[kind];
    return Gain + Lose === 0 ? [] : [`${what}: ${Lose} lose and ${Gain} gain permissions`];
  });
  if (counts.length === 0) return ["no permissions change"];
  const entries = effect["Entries"] as Item[];
  const lines = ((effect["Changes"] ?? []) as Item[]).flatMap((change, index) => {
    const named = entries.filter((entry) => (entry["Changes"] as number[]).includes(index));
    const more = COUNTED.reduce((sum, [member]) => sum + Number(change[member]), 0) - named.length;
    return [
      `  ${changeText(change)}`,
      ...named.map((entry) => `    ${String(entry["Kind"])} ${String(entry["ID"])}${nameOf(entry)}`),
      ...(more > 0 ? [`    ${named.length === 0 ? more : `and ${more} more`}`] : []),
    ];
  });
  const partly = effect["Complete"] === true ? [] : ["partial result: too many objects are affected"];
  return [...counts, ...lines, ...partly].map(visible);
}

const COUNTED = [
  ["Roles", "role", "roles"],
  ["Tokens", "token", "tokens"],
  ["BindingRules", "binding rule", "binding rules"],
] as const;

function changeText(change: Item): string {
  const counts = COUNTED.flatMap(([member, one, many]) => {
    const count = Number(change[member]);
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  const name = rightText({ ...change, Access: "" }).trim();
  return `${name}: ${String(change["From"])} → ${String(change["To"])} (${counts.join(", ")})`;
}

function nameOf({ Name }: Item): string {
  return typeof Name === "string" && Name !== "" ? ` (${Name})` : "";
}
