/** A write that is about to be sent. What a form shows as its code, and what it sends, come from the same plan. */
import { textMembersOf, type KindWithTexts } from "../../../packages/model/text-members.ts";
import type { OperationId, Query } from "@tessera-server/client";
import type { Place } from "../base/place.ts";
import type { HclResource } from "./hcl.ts";
import { writeUnowned } from "./owned.ts";

/** Members of an object, as the API calls them. */
export type Members = Readonly<Record<string, unknown>>;

export interface Plan {
  readonly operation: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: unknown;
  /** The ETag of the read that it rests on: with it the write is refused (412) when that has changed. */
  readonly ifMatch?: string;
  /** Refused (412) when there is one already. */
  readonly isFirst?: boolean;
  /** Reason for the audit log. */
  readonly reason?: string;
  /** Words behind `tessera`, such as `["token", "create"]`; flags of scope are added. None where no command can say it. */
  readonly command: readonly string[];
  /** Document of declared files for this object. */
  readonly declared?: Members;
  /** Resource of a Terraform provider for this object, where one exists. */
  readonly terraform?: HclResource;
}

/** Header with the reason for a change, percent-encoded. */
export const REASON_HEADER = "x-tessera-change-reason";

/** Adds a reason to a write; an empty one adds nothing. */
export function withReason(plan: Plan, reason: string): Plan {
  return reason === "" ? plan : { ...plan, reason };
}

/** Sends it. @throws TesseraError when the server refuses; ConnectionError when it gives no answer */
export async function send(plan: Plan, place: Place): Promise<unknown> {
  const { operation, path = {}, query = {}, body, ifMatch = "", isFirst = false, reason = "" } = plan;
  const headers = {
    ...(ifMatch === "" ? {} : { "if-match": ifMatch }),
    ...(isFirst ? { "if-none-match": "*" } : {}),
    ...(reason === "" ? {} : { [REASON_HEADER]: encodeURIComponent(reason) }),
  };
  const sent = { path, query, ...(body === undefined ? {} : { body }) };
  return writeUnowned(
    async (more) => (await place.client.request(operation, { ...sent, headers: { ...headers, ...more } })).body,
  );
}

/** Flags for members: as a form names them, and for all others `--set`, which takes any. */
export function flagsOf(
  members: Members,
  named: Readonly<Record<string, (value: unknown) => readonly string[] | undefined>> = {},
): string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const flags = named[name]?.(value);
    return flags ?? ["--set", `${name}=${JSON.stringify(value)}`];
  });
}

/** A command of what it is about and its flags. A name that looks like a flag stands behind all of them. */
export function commandOf(verb: readonly string[], names: readonly string[], flags: readonly string[]): string[] {
  const isAmbiguous = names.some((name) => name.startsWith("-"));
  return isAmbiguous ? [...verb, ...flags, "--", ...names] : [...verb, ...names, ...flags];
}

/** A flag with a text, where it is one. With `@` in front some flags take a file instead. */
export function textFlag(flag: string): (value: unknown) => readonly string[] | undefined {
  return (value) =>
    typeof value === "string" && value !== "" && !value.startsWith("@") ? [`--${flag}`, value] : undefined;
}

/** Returns the flags of the text members of a kind, by member. */
export function textFlags(kind: KindWithTexts): Readonly<Record<string, ReturnType<typeof textFlag>>> {
  return Object.fromEntries(textMembersOf(kind).map(({ wire, flag }) => [wire, textFlag(flag)]));
}

/** Returns one flag for each link. Only `--set` can clear a list. */
export function linkFlags(flag: string): (value: unknown) => readonly string[] | undefined {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return undefined;
    const links = value as readonly { ID?: string; Name?: string }[];
    return links.flatMap(({ ID, Name }) => [`--${flag}`, Name ?? ID ?? ""]);
  };
}

/** A member that is a text; undefined when there is none. */
export function textIn(members: Members, ...names: readonly string[]): string | undefined {
  return names.map((name) => members[name]).find((value) => typeof value === "string");
}
