/**
 * Finds the place of records of denied requests. They belong to the object that was asked about, if it exists, and else
 * to a place that only operators of the server read. They never belong to the caller: a new record among the caller's
 * own, or a longer chain of theirs, would reveal to the caller whether the object exists.
 */
import { sql } from "kysely";
import { fold } from "../../fold.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import type { Reader } from "../../storage/database.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import type { Gathered } from "./refusal.ts";

/** Either an organization, or a partition and, where it is one's, the namespace. */
export interface RecordPlace {
  /** Owner of the chain that the record is part of. */
  owner: string;
  organizationId?: string;
  partition?: string;
  namespace?: string;
}

/** A group with its place. */
export interface PlacedGroup {
  group: Gathered;
  place: RecordPlace;
}

export async function findPlaces(db: Reader, gathered: readonly Gathered[]): Promise<PlacedGroup[]> {
  const scopes = gathered.flatMap((group) => scopeOf(group) ?? []);
  const [organizations, partitions, namespaces] = await Promise.all([
    read(db, findOrganizations, gathered.map(organizationOf)),
    read(
      db,
      findPartitions,
      scopes.map(({ partition }) => partition),
    ),
    read(db, findNamespaces, scopes.map(idOf)),
  ]);
  const ids = new Map(organizations.map(({ key, id }) => [key, id]));
  const [known, inhabited] = [keysOf(partitions).add(DEFAULT_SCOPE.partition), keysOf(namespaces)];

  function placeOf(group: Gathered): RecordPlace {
    const organization = organizationOf(group);
    const organizationId = organization === undefined ? undefined : ids.get(organization);
    if (organizationId !== undefined) return { owner: `organization/${organizationId}`, organizationId };
    const scope = organization === undefined ? scopeOf(group) : undefined;
    if (scope === undefined || !known.has(scope.partition)) return NOWHERE;
    const { partition, namespace } = scope;
    return { owner: `partition/${partition}`, partition, ...(inhabited.has(idOf(scope)) && { namespace }) };
  }
  return gathered.map((group) => ({ group, place: placeOf(group) }));
}

/** Place of records for callers that may read the operator data of the server. */
export const NOWHERE: RecordPlace = { owner: "root", partition: DEFAULT_SCOPE.partition };

/** Returns the scope that was asked about. A group over a limit is about nothing but the caller. */
function scopeOf({ refused, home }: Gathered): Scope | undefined {
  if (refused.kind === "more") return home;
  return "scope" in refused ? refused.scope : undefined;
}

/** The folded name of the organization that was asked about; undefined for none. */
function organizationOf({ refused }: Gathered): string | undefined {
  if (refused.kind !== "rights") return undefined;
  const { resource, segment } = refused;
  if (resource !== "organization" && resource !== "workspace") return undefined;
  return fold(segment.split("/", 1)[0] ?? "");
}

function idOf({ partition, namespace }: Scope): string {
  return `${partition}/${namespace}`;
}

interface Found {
  key: string;
  id: string;
}

async function read(db: Reader, query: typeof findPartitions, keys: readonly (string | undefined)[]): Promise<Found[]> {
  const distinct = [...new Set(keys.filter((key) => key !== undefined))];
  return distinct.length === 0 ? [] : db.run(query, { keys: distinct });
}

function keysOf(found: readonly Found[]): Set<string> {
  return new Set(found.map(({ key }) => key));
}

const findOrganizations = defineQuery((db, p: { keys: readonly string[] }, engine) =>
  db
    .selectFrom("organizations")
    .select(["name_key as key", "id"])
    .where(oneOf(engine, sql.ref("name_key"), p.keys)),
);
const findPartitions = defineQuery((db, p: { keys: readonly string[] }, engine) =>
  db
    .selectFrom("partitions")
    .select(["name as key", "name as id"])
    .where(oneOf(engine, sql.ref("name"), p.keys)),
);
const findNamespaces = defineQuery((db, p: { keys: readonly string[] }, engine) =>
  db
    .selectFrom("namespaces")
    .select(["id as key", "id"])
    .where(oneOf(engine, sql.ref("id"), p.keys)),
);
