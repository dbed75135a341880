/**
 * Objects that directories own. The server stores them, in a declaration with the owner's name, and nothing is guessed.
 */
import { fold } from "../fold.ts";
import { TesseraError } from "@tessera-server/client";
import { itemsOf, isNoRoute, readOne, scopeQuery, type Server } from "./server.ts";

export interface Ownership {
  /** Undefined where the server knows nothing of this owner yet. */
  readonly id: string | undefined;
  readonly index: number;
  readonly objects: readonly string[];
  /** Other owners, by the keys of their objects. */
  readonly others: ReadonlyMap<string, string>;
}

/** The server is of a version that keeps no owners. */
export class NoOwners extends Error {
  constructor() {
    super("the server is older than this tessera and does not support owners: remove the owner and --prune");
    this.name = "NoOwners";
  }
}

/** Declarations lie where all of a partition can be written from. */
function placeOf(server: Server, partition: string) {
  return scopeQuery(server, { partition, namespace: "default", organization: "" });
}

/**
 * Reads what an owner has, and what others do.
 *
 * @param partition where the declaration of this one lies
 * @param elsewhere partitions whose declarations may own the same objects
 * @throws NoOwners
 */
export async function readOwnership(
  server: Server,
  owner: string,
  partition: string,
  elsewhere: readonly string[] = [],
): Promise<Ownership> {
  const others = new Map(
    await readOwners(
      server,
      elsewhere.filter((each) => each !== partition),
    ),
  );
  let own: Ownership = { id: undefined, index: 0, objects: [], others };
  try {
    for await (const { ID, Name, Objects, ModifyIndex } of declarationsOf(server, partition)) {
      if (fold(Name) === fold(owner)) own = { id: ID, index: ModifyIndex, objects: Objects, others };
      else for (const key of Objects) others.set(key, Name);
    }
  } catch (error) {
    if (isNoRoute(error)) throw new NoOwners();
    throw error;
  }
  return own;
}

/** The owners of objects, by key; nothing where the server keeps no owners, or the token may not read them. */
export async function readOwners(server: Server, partitions: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>();
  for (const partition of new Set(partitions)) await addOwners(server, partition, owners);
  return owners;
}

async function addOwners(server: Server, partition: string, owners: Map<string, string>): Promise<void> {
  try {
    // Asked first, since a list that is refused would be on record as an attempt.
    const { body } = await server.api.request("authorize", {
      query: placeOf(server, partition),
      body: [{ Resource: "acl", Access: "read" }],
      signal: server.signal,
    });
    if (body[0]?.Allow !== true) return;
    for await (const { Name, Objects } of declarationsOf(server, partition))
      for (const key of Objects) owners.set(key, Name);
  } catch (error) {
    const isUnseen = error instanceof TesseraError && (error.status === 403 || error.status === 404);
    if (!isNoRoute(error) && !isUnseen) throw error;
  }
}

interface Wire {
  ID: string;
  Name: string;
  Objects: string[];
  ModifyIndex: number;
}

function declarationsOf(server: Server, partition: string): AsyncIterable<Wire> {
  return itemsOf(server, "listDeclarations", { query: placeOf(server, partition) }) as AsyncIterable<Wire>;
}

/** Whether two lists own the same. */
export function ownsSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  const known = new Set(one);
  return other.every((key) => known.has(key));
}

/**
 * Writes what an owner has, unless somebody else did since it was read.
 *
 * @throws TesseraError of status 409 then
 */
export async function writeOwnership(
  server: Server,
  owner: string,
  partition: string,
  { ownership, objects }: { ownership: Ownership; objects: readonly string[] },
): Promise<Ownership> {
  if (ownsSame(ownership.objects, objects)) return ownership;
  const query = { ...placeOf(server, partition), cas: String(ownership.index) };
  const body = { Name: owner, Objects: objects.toSorted() };
  const { id } = ownership;
  try {
    const wire = await (id === undefined
      ? readOne(server, "createDeclaration", { query, body })
      : readOne(server, "updateDeclaration", { path: { id }, query, body }));
    return { ...ownership, id: String(wire["ID"]), index: Number(wire["ModifyIndex"]), objects };
  } catch (error) {
    // Two that begin at once both find none.
    const isTaken = error instanceof TesseraError && error.status === 400 && /already exists/.test(error.detail);
    if (isTaken) throw new OwnershipMoved(owner, error);
    if (error instanceof TesseraError && (error.status === 409 || error.status === 404))
      throw new OwnershipMoved(owner, error);
    throw error;
  }
}

/** Another apply of the same owner wrote meanwhile. */
export class OwnershipMoved extends Error {
  constructor(owner: string, cause: unknown) {
    super(`the objects of ${owner} have changed since the plan: another apply is running`, { cause });
    this.name = "OwnershipMoved";
  }
}
