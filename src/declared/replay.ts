/** Uses on record that a plan would refuse, as the server finds them in its use ledger. */
import { TesseraError } from "@tessera-server/client";
import type { PlannedChange } from "./change.ts";
import { draftsOf, isSamePlace, MOST_DRAFTS, placeOf } from "./effect.ts";
import { keyOf, type Where } from "./kinds.ts";
import { needsOf } from "./order.ts";
import { rightText } from "./rights.ts";
import { scopeQuery, type Server } from "./server.ts";
import { toWire } from "./shape.ts";

type Item = Readonly<Record<string, unknown>>;

/** Answer of the server. */
export interface ReplayPage {
  Pairs: number;
  Refused: number;
  Allowed: number;
  AlreadyRefused: number;
  Unreplayable: { Total: number; Subjects: number; Names: number; Claims: number };
  Ledger: { IncompleteOn?: string };
  Refusals: { Since?: string; ReadsSince?: string; Complete: boolean };
  Entries: readonly Item[];
}

/** Effect of a plan on recorded use, in all its places together. */
export interface Replayed {
  readonly pairs: number;
  readonly refused: number;
  readonly allowed: number;
  readonly alreadyRefused: number;
  readonly unreplayable: {
    readonly total: number;
    readonly subjects: number;
    readonly names: number;
    readonly claims: number;
  };
  /** Last day on which the ledger had no room for all use. */
  readonly ledgerGap: string | undefined;
  /** Days of the oldest refusals on record; undefined where there is none. */
  readonly refusalsSince: string | undefined;
  readonly readRefusalsSince: string | undefined;
  /** The first differences, in words. */
  readonly first: readonly ReplayedUse[];
  /** Places that the server did not replay, with the reason. */
  readonly gaps: readonly string[];
}

/** One use, or one refusal, that the plan answers in another way. */
export interface ReplayedUse {
  /** Subject, such as `token 6f1c… (CI of the first team)`. */
  readonly who: string;
  /** Permission, such as `write service web`. */
  readonly right: string;
  /** Text such as `in use on 6 of the last 30 days, …: would be denied`. */
  readonly what: string;
  readonly change: "refused" | "allowed";
}

/** Differences that are named. */
const MOST = 100;

const NOTHING: Replayed = {
  pairs: 0,
  refused: 0,
  allowed: 0,
  alreadyRefused: 0,
  unreplayable: { total: 0, subjects: 0, names: 0, claims: 0 },
  ledgerGap: undefined,
  refusalsSince: undefined,
  readRefusalsSince: undefined,
  first: [],
  gaps: [],
};

/** Has the server ask its use ledger again, in each place where the plan changes permissions. @throws what the client throws, but for refusals */
export async function findReplayed(server: Server, changes: readonly PlannedChange[]): Promise<Replayed> {
  const known = changes.filter((change) => !isOfNewMethod(change, changes));
  let found = NOTHING;
  for (const where of placesOf(known)) found = together(found, await replayAt(server, where, known));
  return found;
}

function placesOf(changes: readonly PlannedChange[]): Where[] {
  const places = new Map<string, Where>();
  for (const change of changes) {
    const where = replayPlace(change);
    if (where !== undefined) places.set(JSON.stringify(where), where);
  }
  return [...places.values()];
}

function replayPlace(change: PlannedChange): Where | undefined {
  return change.object.kind.name === "binding-rule" ? change.object.where : placeOf(change);
}

/** A method that the plan makes has no identities yet, and the server does not know it. */
function isOfNewMethod({ object }: PlannedChange, changes: readonly PlannedChange[]): boolean {
  if (object.kind.name !== "binding-rule") return false;
  const needs = needsOf(object);
  return changes.some(
    ({ action, object: { kind, key } }) => kind.name === "auth-method" && action === "create" && needs.includes(key),
  );
}

async function replayAt(server: Server, where: Where, changes: readonly PlannedChange[]): Promise<Replayed> {
  const here = changes.filter((change) => {
    const place = replayPlace(change);
    return place !== undefined && isSamePlace(place, where);
  });
  const body = { ...draftsOf(here), ...rulesOf(here) };
  if (Object.values(body).reduce((sum, list) => sum + list.length, 0) > MOST_DRAFTS)
    return gap(where, `more than ${MOST_DRAFTS} objects change`);
  try {
    const query = { ...scopeQuery(server, where), "page-size": MOST };
    const answer = await server.api.request<ReplayPage>("replayDraft", { query, body, signal: server.signal });
    return replayedOf(answer.body);
  } catch (error) {
    if (error instanceof TesseraError && error.status >= 400 && error.status < 500)
      return gap(where, error.status === 404 ? "the server is older than this tessera" : error.message);
    throw error;
  }
}

function gap(where: Where, why: string): Replayed {
  return { ...NOTHING, gaps: [`${keyOf("namespace", where, where.namespace)}: ${why}`] };
}

/** Binding rules as they are to be; found by their ID. */
function rulesOf(changes: readonly PlannedChange[]): Record<string, Item[]> {
  const body: Record<string, Item[]> = {};
  for (const { action, object, live, content } of changes) {
    if (object.kind.name !== "binding-rule") continue;
    if (action === "delete") (body["DeletedBindingRules"] ??= []).push({ ID: live?.id });
    else {
      const { Description: _description, ...wire } = toWire(object.kind.members, content);
      const empty = { Selector: "", BindType: "", BindName: "" };
      (body["BindingRules"] ??= []).push({ ...empty, ...wire, ...(live === undefined ? {} : { ID: live.id }) });
    }
  }
  return body;
}

/** Returns an answer in words. */
export function replayedOf(page: ReplayPage): Replayed {
  const { Total: total, Subjects: subjects, Names: names, Claims: claims } = page.Unreplayable;
  return {
    pairs: page.Pairs,
    refused: page.Refused,
    allowed: page.Allowed,
    alreadyRefused: page.AlreadyRefused,
    unreplayable: { total, subjects, names, claims },
    ledgerGap: page.Ledger.IncompleteOn,
    refusalsSince: page.Refusals.Since,
    readRefusalsSince: page.Refusals.ReadsSince,
    first: page.Entries.map(useOf),
    gaps: [],
  };
}

function together(one: Replayed, other: Replayed): Replayed {
  const sum = (of: (each: Replayed) => number) => of(one) + of(other);
  return {
    pairs: sum(({ pairs }) => pairs),
    refused: sum(({ refused }) => refused),
    allowed: sum(({ allowed }) => allowed),
    alreadyRefused: sum(({ alreadyRefused }) => alreadyRefused),
    unreplayable: {
      total: sum(({ unreplayable }) => unreplayable.total),
      subjects: sum(({ unreplayable }) => unreplayable.subjects),
      names: sum(({ unreplayable }) => unreplayable.names),
      claims: sum(({ unreplayable }) => unreplayable.claims),
    },
    ledgerGap: later(one.ledgerGap, other.ledgerGap),
    // Refusals are told only as far back as they reach everywhere.
    refusalsSince: later(one.refusalsSince, other.refusalsSince),
    readRefusalsSince: later(one.readRefusalsSince, other.readRefusalsSince),
    first: [...one.first, ...other.first].slice(0, MOST),
    gaps: [...one.gaps, ...other.gaps],
  };
}

function later(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

function useOf(entry: Item): ReplayedUse {
  const change = entry["Change"] === "allowed" ? "allowed" : "refused";
  const right = rightText(entry["Question"] as Item);
  const questions = Number(entry["Questions"]);
  return {
    who: whoOf(entry),
    right: questions > 1 ? `${right} (${questions} names)` : right,
    what: textOfUse(entry, change),
    change,
  };
}

/** Says how often something was used, such as `in use on 6 of the last 30 days, last on Tuesday 2026-11-24; 1,204 uses since 2026-11-03: would be denied`. */
function textOfUse(entry: Item, change: ReplayedUse["change"]): string {
  const [uses, days] = [Number(entry["Uses"]), Number(entry["DaysUsed"])];
  const [first, last] = [String(entry["FirstDay"]), String(entry["LastDay"])];
  const many = uses.toLocaleString("en-US");
  if (change === "allowed") {
    const requests = uses === 1 ? "1 request" : `${many} requests`;
    return `denied on ${days} of the last 30 days, last on ${dayText(last)}; ${requests} since ${first}: would be allowed`;
  }
  const counted = uses === 1 ? "1 use" : `${many} uses`;
  return `in use on ${days} of the last 30 days, last on ${dayText(last)}; ${counted} since ${first}: would be denied`;
}

const WEEKDAYS = new Intl.DateTimeFormat("en-US", { weekday: "long", timeZone: "UTC" });

function dayText(day: string): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? day : `${WEEKDAYS.format(at)} ${day}`;
}

function whoOf({ Kind, ID, Name, AuthMethod, Identity, Roles }: Item): string {
  if (Kind === "identity") return `identity ${String(AuthMethod)}/${String(Identity)}`;
  if (Kind === "roles")
    return `identities of ${String(AuthMethod)} with roles ${(Roles as readonly string[]).join(", ")}`;
  const said = typeof Name === "string" && Name !== "" ? ` (${Name.slice(0, 80)})` : "";
  return `token ${String(ID)}${said}`;
}
