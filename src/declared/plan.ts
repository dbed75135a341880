/** Plan of the changes that make a server equal to a directory. A plan writes nothing. */
import { containersOf } from "../acl/declarations/owned-keys.ts";
import { fieldsOf, fixedFields, type PlannedChange } from "./change.ts";
import { placeOfKey, readLive } from "./live.ts";
import type { Live, WantedObjects } from "./object.ts";
import type { DeclaredDirectory } from "./model.ts";
import type { Declared } from "./object.ts";
import { inOrder, madeWith, needsOf } from "./order.ts";
import { ownsSame, readOwners, readOwnership, type Ownership } from "./owned.ts";
import { DeclarationError, type Problem } from "./problem.ts";
import { withSecrets, type SecretSources } from "./secrets.ts";
import { selects, type DeclaredSelector } from "./selector.ts";
import type { Server } from "./server.ts";
import { isEmpty, type FileContent } from "./shape.ts";

export interface PlanOptions {
  /** Whether what the directory owns and no longer names goes. */
  readonly prune: boolean;
  readonly selector: DeclaredSelector | undefined;
  readonly secrets: SecretSources;
  /** Whether what cannot be made so is left out and named, instead of ending the plan. */
  readonly isLenient?: boolean;
  /** The partition in which owners are kept. */
  readonly partition: string;
  /** Whether a directory without an owner may change what another one owns. */
  readonly takeOver?: boolean;
}

export interface DeclaredPlan {
  readonly owner: string | undefined;
  /** In the order in which they are made. */
  readonly changes: readonly PlannedChange[];
  /** How many objects are as they are declared. */
  readonly unchanged: number;
  /** Keys of what the owner has and the directory no longer names, and that stays. */
  readonly left: readonly string[];
  /** How much of the owner's goes and how much there is on the server, workspaces and projects that lose its tags among it; undefined without prune. */
  readonly prunes: { readonly goes: number; readonly of: number } | undefined;
  readonly ownership: Ownership | undefined;
  /** Objects of the owner during the apply, and afterwards. Undefined without an owner. */
  readonly owns: { readonly during: readonly string[]; readonly after: readonly string[] } | undefined;
  /** The objects of others that it changes, and whose they are. */
  readonly taken: readonly { readonly object: Declared; readonly owner: string }[];
  /** Problems of the objects that were left out. */
  readonly refused: readonly Problem[];
  /** All objects that were read from the server, by key. */
  readonly live: ReadonlyMap<string, Live>;
}

/** Whether nothing is to be written at all. */
export function isDone({ changes, ownership, owns }: DeclaredPlan): boolean {
  const isOwned = owns === undefined || ownership === undefined || ownsSame(ownership.objects, owns.after);
  return changes.length === 0 && isOwned;
}

/**
 * Compares a directory with a server.
 *
 * @throws DeclarationError when it cannot be made so; NoOwners; what the client throws
 */
export async function makePlan(
  server: Server,
  declaration: Omit<DeclaredDirectory, "root">,
  options: PlanOptions,
): Promise<DeclaredPlan> {
  const { owner } = declaration;
  const { selector, prune, partition } = options;
  const objects = declaration.objects.filter((object) => selector === undefined || selects(selector, object));
  // An object of one partition, or of none, may belong to a declaration of another one.
  const places = [partition, "default", ...objects.map(({ where }) => where.partition || partition)];
  const ownership = owner === undefined ? undefined : await readOwnership(server, owner, partition, places);
  const owners = ownership?.others ?? (await readOwners(server, places));
  checkOwners(objects, ownership);
  const declared = new Set(declaration.objects.map(({ key }) => key));
  const unnamed = (ownership?.objects ?? []).filter((key) => !declared.has(key));
  const live = await readWanted(server, [...objects.map(({ key }) => key), ...unnamed]);
  const refused: Problem[] = [];
  const compared = await compareAll(objects, live, options.secrets, refused);
  const taken = takenOf(compared, owners);
  if (options.takeOver !== true) refused.push(...taken.map(toBeTaken));
  if (refused.length > 0 && options.isLenient !== true) throw new DeclarationError(refused);
  const removals = prune ? unnamed.flatMap((key) => removalOf(live.get(key)) ?? []) : [];
  const held = heldBack(options.takeOver === true ? [] : removals, owners);
  refused.push(...held.values());
  const goes = removals.filter((change) => !held.has(change));
  refused.push(...(await openNeeds(server, compared, { declared, live, goes })));
  if (refused.length > 0 && options.isLenient !== true) throw new DeclarationError(refused);
  const named = objects.map(({ key }) => key);
  const during = [...new Set([...(ownership?.objects ?? []), ...named])];
  const after = prune
    ? during.filter((key) => declared.has(key))
    : during.filter((key) => declared.has(key) || live.has(key));
  return {
    owner,
    changes: inOrder([...compared, ...goes]),
    unchanged: objects.length - compared.length - refused.length,
    refused,
    left: prune ? [] : unnamed.filter((key) => live.has(key)),
    prunes: prune
      ? { goes: goes.length, of: (ownership?.objects ?? []).filter((key) => live.has(key)).length }
      : undefined,
    ownership,
    owns: owner === undefined ? undefined : { during, after },
    taken,
    live,
  };
}

function checkOwners(objects: readonly Declared[], ownership: Ownership | undefined): void {
  const problems = objects.flatMap(({ key, kind, path, place }): Problem[] => {
    const other = ownership?.others.get(key);
    return other === undefined
      ? []
      : [{ place, message: `${kind.name} ${path} is managed by ${other}: remove it from ${other} first` }];
  });
  if (problems.length > 0) throw new DeclarationError(problems);
}

/** The changes of others' objects: only a directory without an owner comes so far. */
function takenOf(changes: readonly PlannedChange[], owners: ReadonlyMap<string, string>): DeclaredPlan["taken"] {
  return changes.flatMap(({ object }) => {
    const owner = owners.get(object.key);
    return owner === undefined ? [] : [{ object, owner }];
  });
}

function toBeTaken({ object: { kind, path, place, key }, owner }: DeclaredPlan["taken"][number]): Problem {
  const message = `${kind.name} ${path} is managed by ${owner}: change the files of ${owner}, or pass --take-over`;
  return { place, message, key };
}

/** Objects that do not go, each with the reason: with them would go what another directory owns. */
function heldBack(
  removals: readonly PlannedChange[],
  owners: ReadonlyMap<string, string>,
): Map<PlannedChange, Problem> {
  const inside = new Map<string, string>();
  if (removals.length > 0)
    for (const key of owners.keys()) for (const around of containersOf(key)) inside.set(around, key);
  const held = new Map<PlannedChange, Problem>();
  for (const change of removals) {
    const { kind, path, key, place } = change.object;
    const other = change.action === "delete" ? inside.get(key) : undefined;
    if (other === undefined) continue;
    const owner = owners.get(other) ?? "";
    const message = `${kind.name} ${path} would be deleted, but it contains ${other}, which is managed by ${owner}: remove it from the files of ${owner}, or pass --take-over`;
    held.set(change, { place, message, key });
  }
  return held;
}

/** Reads what lies under these keys. */
async function readWanted(server: Server, keys: readonly string[]): Promise<Map<string, Live>> {
  const all = new Set(keys);
  const homes = new Map<string, WantedObjects>();
  for (const key of all) {
    const place = placeOfKey(key);
    if (place === undefined) continue;
    const { kind, where } = place;
    homes.set(JSON.stringify([kind.name, where]), { kind, where, has: (each) => all.has(each) });
  }
  return new Map((await readLive(server, [...homes.values()])).map((live) => [live.key, live]));
}

async function compareAll(
  objects: readonly Declared[],
  live: ReadonlyMap<string, Live>,
  secrets: SecretSources,
  problems: Problem[],
): Promise<PlannedChange[]> {
  const changes: PlannedChange[] = [];
  for (const object of objects) {
    try {
      const change = compareOne(object, await withSecrets(object.content, secrets), live.get(object.key));
      if (change !== undefined) changes.push(change);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      problems.push({ place: object.place, message: error.message, key: object.key });
    }
  }
  return changes;
}

/** @throws Error in words when the one cannot become the other */
function compareOne(object: Declared, content: FileContent, live: Live | undefined): PlannedChange | undefined {
  const { kind, path } = object;
  if (live?.isGoing === true)
    throw new Error(`${kind.name} ${path} is being deleted: create it again after the deletion`);
  const fields = fieldsOf(object, content, live);
  if (live === undefined) return { action: "create", object, live, content, fields, stage: 0 };
  if (fields.length === 0) return undefined;
  const fixed = fixedFields(object, fields);
  if (fixed.length > 0)
    throw new Error(`${fixed.join(" and ")} of ${kind.name} ${path} cannot be changed: delete it and run apply again`);
  return { action: "update", object, live, content, fields, stage: 0 };
}

/**
 * Returns the change for an object that the directory no longer names. Workspaces and projects stay, without the tags
 * that the directory gave them.
 */
function removalOf(live: Live | undefined): PlannedChange | undefined {
  if (live === undefined || live.isGoing) return undefined;
  const { kind } = live;
  if (kind.name !== "workspace" && kind.name !== "project") {
    return { action: "delete", object: live, live, content: {}, fields: [], stage: 0 };
  }
  const content: FileContent = kind.name === "workspace" ? { tags: [], "tag-bindings": {} } : { "tag-bindings": {} };
  const fields = Object.keys(content).flatMap((name) => {
    const before = live.content[name];
    return isEmpty(before) ? [] : [{ name, before, after: content[name] }];
  });
  if (fields.length === 0) return undefined;
  return { action: "update", object: { ...live, content }, live, content, fields, stage: 0 };
}

/** Returns a problem for each link to an object that is neither declared nor stays on the server. */
async function openNeeds(
  server: Server,
  changes: readonly PlannedChange[],
  {
    declared,
    live,
    goes,
  }: { declared: ReadonlySet<string>; live: ReadonlyMap<string, Live>; goes: readonly PlannedChange[] },
): Promise<Problem[]> {
  const going = new Set(goes.flatMap(({ action, object }) => (action === "delete" ? [object.key] : [])));
  const born = new Set(changes.flatMap(({ action, object }) => (action === "create" ? madeWith(object) : [])));
  const open = new Map<string, PlannedChange>();
  for (const change of changes) {
    for (const key of needsOf(change.object)) {
      // Using a tag makes it.
      if (declared.has(key) || born.has(key) || key.startsWith("tag ")) continue;
      if (going.has(key) || !live.has(key)) open.set(key, change);
    }
  }
  if (open.size === 0) return [];
  const found = await readWanted(server, [...open.keys()]);
  return [...open].flatMap(([key, { object }]): Problem[] => {
    if (found.has(key) && !going.has(key)) return [];
    const why = going.has(key) ? "which the plan deletes" : "which is neither in the files nor on the server";
    return [
      { place: object.place, message: `${object.kind.name} ${object.path} requires ${key}, ${why}`, key: object.key },
    ];
  });
}
