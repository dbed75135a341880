/**
 * Uses of a subject by rule, question and name. Between two flushes it is kept, with nothing counted: another use on the same day is then
 * one increment, and on the way to the database it is named by the row that it is added to.
 */
import type { Actor } from "../../rights/actor.ts";
import { isIn } from "../../rights/scope.ts";
import type { PermissionUse } from "../../rights/uses.ts";
import type { PoolHolder } from "../../shared-pool.ts";
import { NAMES_OF_GROUP, type UseSubject, type UsedRule } from "./row.ts";
import { rulesOf } from "./rules-of.ts";

/** Questions of one subject that are compared one by one: most tokens ask few. */
const FEW_GROUPS = 8;
/** Memory that one subject is kept for, in bytes, and the rules of a use that is kept: a list can be shown by all rules of a policy. */
const KEPT_OF_SUBJECT = 16 * 1024;
const KEPT_RULES = 8;
/** Approximate memory, in bytes: of a subject, of a group of names, and of a name with its row, without its text. */
export const SUBJECT_BYTES = 500;
const GROUP_BYTES = 400;
const NAME_BYTES = 160;

/** A row that holds its day already, and takes a number. */
export interface KnownRow {
  readonly id: string;
  /** Rows that were made after each other lie on the same pages: an embedded database writes them in this order. */
  readonly place: number;
}

/** Uses of one name that are not written yet. */
export interface NameUses {
  count: number;
  /** Rows of its rules that hold `day`; undefined where they are not known. */
  rows: (KnownRow | undefined)[] | undefined;
  day: number;
}

/** Some uses of one row, on their way to the database. */
export interface CountedUse {
  subject: CountedSubject;
  rule: UsedRule;
  decidedIn: PermissionUse["scope"];
  resource: PermissionUse["resource"];
  access: PermissionUse["access"];
  column: PermissionUse["column"];
  askedBy: string;
  name: string | undefined;
  count: number;
  /** Days since 1970-01-01. */
  day: number;
  /** Where its row is noted, and which of so many rules it is; undefined where it was folded, and has its row chosen anew each time. */
  from: { readonly uses: NameUses; readonly index: number; readonly of: number } | undefined;
}

/** Uses that were counted. */
export interface TakenUses {
  readonly uses: CountedUse[];
  readonly known: { readonly row: KnownRow; readonly count: number }[];
}

/** Subject of a use, with all that it may be folded to. */
export interface CountedSubject {
  scope: PermissionUse["scope"];
  as: UseSubject;
  /** Subject where there are too many identities of the method. */
  folded?: UseSubject | undefined;
  /** Its token's index, for subjects that are tokens; its auth method's ID, for others. */
  createIndex?: number | undefined;
  methodId?: string | undefined;
}

/** Uses of one rule for one question. Most have one name: it lies in the group, without a map. */
export interface Group extends NameUses {
  readonly use: PermissionUse;
  readonly name: string | undefined;
  /** All other names. */
  others: Map<string | undefined, NameUses> | undefined;
}

/** Uses of one subject. */
export interface SubjectUses {
  readonly subject: CountedSubject;
  /** Whose share of the memory it takes, and how much of it. Its name is the subject's key. */
  readonly holder: PoolHolder;
  bytes: number;
  /** Whether something was counted since the last flush. */
  isCounted: boolean;
  groups: Group[];
  /** Places of the groups by rule, then by question; undefined where there are few. */
  places: Map<PermissionUse["by"], Map<string, Group>> | undefined;
}

/** Whether a caller is the subject that has its key: a token can be made again with the AccessorID of another one. */
export function isSubject({ subject }: SubjectUses, { createIndex, scope, login }: Actor): boolean {
  return login !== undefined || (subject.createIndex === createIndex && isIn(scope, subject.scope));
}

export function findGroup({ groups, places }: SubjectUses, use: PermissionUse): Group | undefined {
  if (places !== undefined) return places.get(use.by)?.get(questionOf(use));
  // No closure, and no text that is put together for a look-up: each request of a token comes here.
  for (const group of groups) if (isSameQuestion(group.use, use)) return group;
  return undefined;
}

/** Whether two uses differ in nothing but their name. */
export function isSameQuestion(one: PermissionUse, other: PermissionUse): boolean {
  if (one.by !== other.by || one.access !== other.access || one.resource !== other.resource) return false;
  return one.column === other.column && one.askedBy === other.askedBy && isIn(one.scope, other.scope);
}

/** Returns the key of a group of names, beside the rule. No part can hold a line break. */
export function questionOf(use: PermissionUse): string {
  const { resource, access, scope, column, askedBy } = use;
  use.question ??= `${resource}\n${access}\n${scope.partition}\n${scope.namespace}\n${column}\n${askedBy}`;
  return use.question;
}

/** Makes a group of one name, counted once. It is kept, and so holds no text that is a part of a request's. */
export function makeGroup({ subject }: SubjectUses, use: PermissionUse, name: string | undefined): Group {
  const { by, resource, access, column, scope } = use;
  const { partition, namespace } = scope;
  const own = isIn(scope, subject.scope)
    ? subject.scope
    : { partition: ownText(partition), namespace: ownText(namespace) };
  const asked = { by, resource, access, column, scope: own, askedBy: ownText(use.askedBy), name: undefined };
  return { use: asked, name: name && ownText(name), count: 1, rows: undefined, day: 0, others: undefined };
}

/** Returns an equal text that is no part of a longer one. */
export function ownText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

export function addGroup(subject: SubjectUses, group: Group): void {
  subject.groups.push(group);
  if (subject.places === undefined && subject.groups.length <= FEW_GROUPS) return;
  const added = subject.places === undefined ? subject.groups : [group];
  const places = (subject.places ??= new Map());
  for (const each of added) {
    const { by } = each.use;
    const question = questionOf(each.use);
    const ofRule = places.get(by);
    if (ofRule === undefined) places.set(by, new Map([[question, each]]));
    else ofRule.set(question, each);
  }
}

export function hasFewNames({ name, others }: Group): boolean {
  const hasFolded = name === undefined || others?.has(undefined) === true;
  return 1 + (others?.size ?? 0) - (hasFolded ? 1 : 0) < NAMES_OF_GROUP;
}

export function bytesOfName(name: string | undefined): number {
  return NAME_BYTES + 2 * (name?.length ?? 0);
}

export function bytesOfGroup(name: string | undefined): number {
  return GROUP_BYTES + bytesOfName(name);
}

/** What is the same for all names of a group. */
type OfGroup = Pick<CountedUse, "subject" | "day" | "askedBy"> & { use: PermissionUse };

/** How a subject is taken. @property keepsOthers whether a little is kept of which nothing was counted */
interface Taking {
  readonly day: number;
  readonly pointOf: (use: PermissionUse) => string;
  readonly keepsOthers: boolean;
}

/** Takes what was counted, and leaves what is worth keeping: what was counted now, and a little beside it. */
export function takeSubject(into: TakenUses, subject: SubjectUses, { day, pointOf, keepsOthers }: Taking): void {
  const keepsAll = keepsOthers && subject.groups.length <= FEW_GROUPS;
  const kept = subject.groups.filter((group) => {
    const isCounted = takeGroup(into, group, { subject: subject.subject, day, askedBy: pointOf(group.use) }, subject);
    const { by } = group.use;
    return (isCounted || keepsAll) && !(Array.isArray(by) && by.length > KEPT_RULES);
  });
  subject.isCounted = false;
  if (kept.length === subject.groups.length) return;
  subject.groups = [];
  subject.places = undefined;
  subject.bytes = SUBJECT_BYTES;
  for (const group of kept) {
    addGroup(subject, group);
    subject.bytes += bytesOfGroup(group.name);
    for (const name of group.others?.keys() ?? []) subject.bytes += bytesOfName(name);
  }
}

/** Whether a subject is kept with nothing counted. */
export function isWorthKeeping({ groups, bytes }: SubjectUses): boolean {
  return groups.length > 0 && bytes <= KEPT_OF_SUBJECT;
}

function takeGroup(into: TakenUses, group: Group, of: Omit<OfGroup, "use">, subject: SubjectUses): boolean {
  const { use, name, others } = group;
  const ofGroup = { ...of, use };
  let isCounted = takeName(into, ofGroup, name, group);
  if (others === undefined) return isCounted;
  for (const [other, uses] of others) {
    if (takeName(into, ofGroup, other, uses)) isCounted = true;
    else if (others.delete(other)) subject.bytes -= bytesOfName(other);
  }
  return isCounted;
}

function takeName(into: TakenUses, of: OfGroup, name: string | undefined, uses: NameUses): boolean {
  const { count, rows } = uses;
  if (count === 0) return false;
  uses.count = 0;
  if (rows !== undefined && uses.day === of.day && !rows.includes(undefined)) {
    for (const row of rows) if (row !== undefined) into.known.push({ row, count });
    return true;
  }
  const { use, subject, day, askedBy } = of;
  const { resource, access, column, scope: decidedIn } = use;
  const rules = rulesOf(use.by, resource);
  for (const [index, rule] of rules.entries()) {
    const from = { uses, index, of: rules.length };
    into.uses.push({ subject, rule, decidedIn, resource, access, column, askedBy, name, count, day, from });
  }
  return true;
}
