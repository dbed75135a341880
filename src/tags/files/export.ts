/**
 * Export of what an organization has of tags, with the rights of who asks: the pool and the projects for who may read the
 * organization, and of workspaces those that the caller may read. It is read in slices, and each time it is asked anew what
 * the caller may see; so it is no picture of one instant, but each object is shown as of one.
 */
import type { Actor } from "../../rights/actor.ts";
import { visibleWorkspaces, permitted } from "../../rights/authorize.ts";
import type { Context } from "../../context.ts";
import { getOrganization } from "../../organizations/access.ts";
import { findOrganizationById, type Organization } from "../../organizations/store.ts";
import { EXPORT_TEXTS } from "./export-text.ts";
import { RECORD_KINDS, type FileFormat } from "./records.ts";
import { headText } from "./write-record.ts";

/** Objects of a slice: their number follows from how long they are as text. */
const FIRST = 50;
const MOST = 2000;
/** Bytes that a slice should have. */
const SLICE_BYTES = 128 * 1024;

/**
 * @param actorOf who asks, as of now
 * @returns the text, piece by piece; it throws when the organization or the right to read it has gone meanwhile
 * @throws AppError `not_found`
 */
export async function exportTags(
  ctx: Context,
  organizationName: string,
  format: FileFormat,
  actorOf: () => Promise<Actor> | Actor,
): Promise<AsyncGenerator<Buffer, void>> {
  const organization = await getOrganization(ctx, organizationName, "read");
  return textOf(ctx, organization.id, format, actorOf);
}

async function* textOf(
  { db }: Context,
  organization: string,
  format: FileFormat,
  actorOf: () => Promise<Actor> | Actor,
): AsyncGenerator<Buffer, void> {
  const head = headText(format);
  if (head !== "") yield Buffer.from(head);
  for (const kind of RECORD_KINDS) {
    let limit = FIRST;
    for (let after = ""; ;) {
      // Asked for each slice: rights change while the file is sent.
      const actor = await actorOf();
      const { name } = readable(actor, await findOrganizationById(db, organization));
      const visibility = visibleWorkspaces(actor, name);
      const slice = await db.apart(EXPORT_TEXTS, { kind, format, visibility, organization, after, limit });
      const { bytes, count, last } = slice;
      if (bytes.length > 0) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      if (last === undefined || count < limit) break;
      after = last;
      limit = Math.max(1, Math.min(MOST, Math.floor((count * SLICE_BYTES) / bytes.length)));
    }
  }
}

function readable(actor: Actor, organization: Organization | undefined): Organization {
  return permitted({ actor }, "organization", organization, "organization", ({ name }) => name, "read");
}
