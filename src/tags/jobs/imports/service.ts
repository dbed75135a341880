/**
 * Imports of files: what a file says of an organization's tags is shown first, or taken over by a job. Whoever may write something
 * of the organization may ask; what is changed takes the rights that it takes elsewhere. Implements
 * `POST /organizations/:name/tag-imports`.
 */
import type { FileFormat } from "../../files/records.ts";
import type { Readable } from "node:stream";
import type { Context } from "../../../context.ts";
import { notFound } from "../../../errors.ts";
import type { OwnedLane } from "../../../limits/owned-lane.ts";
import { newId } from "../../../ids.ts";
import type { Transaction } from "../../../storage/database.ts";
import { createJob, organizationForAsking, type OwnedJob } from "../service.ts";
import { IMPORT_ACTION, type ImportInput } from "./kind.ts";
import type { ImportMode } from "./plan.ts";
import { previewImport, type ImportPreview } from "./preview.ts";
import { receiveFile, removeFile, RECEIVED } from "./receive.ts";
import { findImport, updateImport, type Import } from "./store.ts";

export interface ImportRequest {
  format: FileFormat;
  mode: ImportMode;
  /** The file, as it arrives. */
  body: Readable;
}

/**
 * Receives a file and compares it with what is stored.
 *
 * @param lane of such previews alone
 * @throws AppError `unavailable` when too many are made, `not_found`, `invalid` that names the lines that cannot be taken, `too_large`
 */
export async function previewFile(
  ctx: Context,
  lane: OwnedLane,
  organizationName: string,
  { format, mode, body }: ImportRequest,
): Promise<{ id: string; preview: ImportPreview }> {
  const organization = await organizationForAsking(ctx, organizationName);
  const file = await receiveFile(ctx, organization.id, format, body);
  try {
    const stay = () =>
      ctx.db.inTransaction({ kind: "organization", id: organization.id }, (tx) => {
        tx.unrecorded(RECEIVED);
        return keep(ctx, tx, file, "");
      });
    const preview = await lane.run(organization.id, () => previewImport(ctx, file, mode, stay));
    return { id: file.id, preview };
  } finally {
    await removeFile(ctx, file).catch((error: unknown) => {
      // The background removal removes it then.
      ctx.log.info(
        { err: error, requestId: ctx.requestId },
        "cannot delete the data of an import preview yet; retrying in the background",
      );
    });
  }
}

/**
 * Receives a file and asks for the job that takes it over.
 *
 * @throws AppError as `previewFile` does; `invalid` when the organization has too many jobs
 */
export async function importFile(
  ctx: Context,
  organizationName: string,
  { format, mode, body }: ImportRequest,
): Promise<OwnedJob> {
  const organization = await organizationForAsking(ctx, organizationName);
  const file = await receiveFile(ctx, organization.id, format, body);
  const input: ImportInput = { file: file.id, mode };
  const id = newId("tj");
  try {
    return await createJob(ctx, organization, { id, action: IMPORT_ACTION, input }, (tx) => keep(ctx, tx, file, id));
  } catch (error) {
    await removeFile(ctx, file).catch(() => undefined);
    throw error;
  }
}

/** @throws AppError `not_found` when it was taken for one that nobody needs */
async function keep(ctx: Context, tx: Transaction, file: Import, jobId: string): Promise<void> {
  if ((await findImport(tx, file.id)) === undefined) throw notFound("file");
  updateImport(tx, { ...file, jobId, updatedAt: new Date(ctx.now()).toISOString() });
}
