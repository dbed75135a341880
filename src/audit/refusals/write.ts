/** Writes what was gathered as records, in chains of their own: nobody's index moves, and nobody is woken. */
import type { AuditEntry, Database } from "../../storage/database.ts";
import { findPlaces, type Placed } from "./place.ts";
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
function chainOf({ group: { sort }, place: { owner } }: Placed): string {
  return sort === "read" ? `reads/${owner}` : owner;
}

function entryOf({ group, place: { owner: _, ...place } }: Placed): AuditEntry {
  const { sort: action, origin, count, since, until, requestIds, addresses, decided } = group;
  const { kind, name, ...told } = subjectOf(group, place.organizationId !== undefined);
  return {
    ...place,
    kind,
    objectId: "",
    name,
    action,
    outcome: "refused",
    origin: { ...origin, requestId: requestIds.at(-1) ?? origin.requestId },
    detail: {
      ...told,
      ...(decided && { decision: decided }),
      count,
      since: new Date(since).toISOString(),
      until: new Date(until).toISOString(),
      requestIds,
      ...(addresses.length > 1 && { addresses }),
    },
  };
}

interface Subject extends Readonly<Record<string, unknown>> {
  kind: string;
  name: string;
}

/**
 * What records call it, and what else they tell of it.
 *
 * @param isOfOrganization whether it lies with an organization, of which a workspace is called by its own name
 */
function subjectOf({ refused }: Gathered, isOfOrganization: boolean): Subject {
  switch (refused.kind) {
    case "rights": {
      const { resource, segment, access, scope } = refused;
      const name = isOfOrganization && resource === "workspace" ? segment.slice(segment.indexOf("/") + 1) : segment;
      return { kind: resource, name, question: { resource, segment, access, ...scope } };
    }
    case "login": {
      const { scope, authMethod, subject, reason, bindingRule } = refused;
      return {
        kind: "login",
        name: authMethod,
        login: { authMethod, ...scope, subject, reason, ...(bindingRule !== undefined && { bindingRule }) },
      };
    }
    case "unknown-token":
      return { kind: "unknown-token", name: "", tokenWasGiven: refused.wasGiven };
    case "more":
      return { kind: "more", name: "" };
  }
}
