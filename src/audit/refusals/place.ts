/** Where records of refusals lie: with what was asked about, if it is there, else with who asked. */
import { fold } from "../../acl/rules/fold.ts";
import { DEFAULT_SCOPE, type Scope } from "../../acl/scope.ts";
import type { Reader } from "../../storage/database.ts";
import { defineQuery, oneOf } from "../../storage/query.ts";
import { sql } from "kysely";
import type { Gathered } from "./refusal.ts";

/** Either an organization, or a partition and, where it is one's, the namespace. */
export interface Place {
  organizationId?: string;
  partition?: string;
  namespace?: string;
}

/** In the order of what was gathered. */
export async function placesOf(db: Reader, gathered: readonly Gathered[]): Promise<Place[]> {
  const scopes = gathered.flatMap(({ refused, home = DEFAULT_SCOPE }) =>
    "scope" in refused ? [refused.scope, home] : [home],
  );
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

  function placeOf({ refused, home }: Gathered, organization: string | undefined): Place {
    const organizationId = organization === undefined ? undefined : ids.get(organization);
    if (organizationId !== undefined) return { organizationId };
    const asked = organization === undefined && "scope" in refused ? refused.scope : undefined;
    const scope = [asked, home].find((each) => each !== undefined && known.has(each.partition));
    // Of what is nobody's, who may see all of the server shall know.
    if (scope === undefined) return { partition: DEFAULT_SCOPE.partition };
    const { partition, namespace } = scope;
    return inhabited.has(idOf(scope)) ? { partition, namespace } : { partition };
  }
  return gathered.map((each) => placeOf(each, organizationOf(each)));
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
