/** Writes what was gathered as records, in chains of their own: nobody's index moves, and nobody is woken. */
import type { Scope } from "../../rights/scope.ts";
import type { AuditEntry, Database, WriteOrigin } from "../../storage/database.ts";
import { findPlaces, type RecordPlace, type PlacedGroup } from "./place.ts";
import { withoutUuids } from "../../rights/uuid.ts";
import type { Gathered } from "./refusal.ts";

/**
 * @param onWritten told of what is written, as it is: what is left over when this fails can be tried again
 * @throws what storage does
 */
export async function writeRefusals(
  db: Database,
  gathered: readonly Gathered[],
  onWritten: (written: ReadonlySet<Gathered>) => void,
): Promise<void> {
  const placed = await findPlaces(db, gathered);
  for (const [of, some] of Map.groupBy(placed, chainOf)) {
    await db.inTransaction({ kind: "refusals", of }, (tx) => {
      for (const each of some) tx.record(entryOf(each));
      return Promise.resolve();
    });
    onWritten(new Set(some.map(({ group }) => group)));
  }
}

/** Reads lie apart: they are kept for a shorter time, and a chain is cut only at its beginning. */
function chainOf({ group: { sort }, place: { owner } }: PlacedGroup): string {
  return sort === "read" ? `reads/${owner}` : owner;
}

/** Audit entry for a group of denied requests. */
export interface RefusalEntry extends AuditEntry {
  origin: WriteOrigin;
  /** `until` is the time of the last denied request. */
  detail: Readonly<Record<string, unknown>> & { until: string };
}

export function entryOf({ group, place: { owner: _, ...place } }: PlacedGroup): RefusalEntry {
  const { sort: action, origin, home, count, since, until, requestIds, addresses, decided } = group;
  const { kind, name, ...told } = subjectOf(group, place);
  return {
    ...place,
    kind,
    objectId: "",
    name,
    action,
    outcome: "refused",
    origin: { ...origin, requestId: lastOf(requestIds) ?? origin.requestId },
    detail: {
      ...told,
      // With the rule, where the token lies: its policies do so in that namespace, or in `default` of the same partition.
      ...(decided && { decision: { ...decided, ...(decided.rule && home && { home: placeOf(home) }) } }),
      count,
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
      requestIds,
      ...(addresses.length > 1 && { addresses }),
    },
  };
}

/**
 * The request that arrived last: a search for any of them begins at its own number and finds the record under this one. They may have been
 * refused in another order.
 */
function lastOf(requestIds: readonly string[]): string | undefined {
  const isLater = (one: string, other: string) =>
    one.length > other.length || (one.length === other.length && one > other);
  return requestIds.reduce<string | undefined>(
    (last, id) => (last === undefined || isLater(id, last) ? id : last),
    undefined,
  );
}

function placeOf({ partition, namespace }: Scope): Scope {
  return { partition, namespace };
}

interface Subject extends Readonly<Record<string, unknown>> {
  kind: string;
  name: string;
}

/**
 * Returns the name of the subject in records, and further facts about it.
 *
 * @param place where it is an organization, a workspace is called by its own name
 */
function subjectOf(
  { refused }: Gathered,
  place: Pick<RecordPlace, "organizationId" | "partition" | "namespace">,
): Subject {
  switch (refused.kind) {
    case "rights": {
      const { resource, access } = refused;
      const isOfOrganization = place.organizationId !== undefined;
      const segment = isOfOrganization ? refused.segment : withoutUuids(refused.segment);
      const name = isOfOrganization && resource === "workspace" ? segment.slice(segment.indexOf("/") + 1) : segment;
      return { kind: resource, name, question: { resource, segment, access, ...shownScope(refused.scope, place) } };
    }
    case "login": {
      const { scope, authMethod, subject, reason, bindingRule } = refused;
      return {
        kind: "login",
        name: authMethod,
        login: {
          authMethod,
          ...shownScope(scope, place),
          subject,
          reason,
          ...(bindingRule !== undefined && { bindingRule }),
        },
      };
    }
    case "request":
      return {
        kind: "request",
        name: refused.name,
        request: { ...shownScope(refused.scope, place), reason: refused.reason },
      };
    case "unknown-token":
      return { kind: "unknown-token", name: "", tokenWasGiven: refused.wasGiven };
    case "disabled-token":
      return { kind: "disabled-token", name: "" };
    case "more":
      return { kind: "more", name: "", ...(refused.network !== undefined && { network: refused.network }) };
  }
}

/** Returns the scope that was asked about. Names of existing objects stay as they are, whatever they look like. */
function shownScope({ partition, namespace }: Scope, place: Pick<RecordPlace, "partition" | "namespace">): Scope {
  if (place.partition !== partition) return { partition: withoutUuids(partition), namespace: withoutUuids(namespace) };
  return { partition, namespace: place.namespace === namespace ? namespace : withoutUuids(namespace) };
}
