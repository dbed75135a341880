/**
 * Receives a file: it is checked and stored as it arrives, so that neither its length nor the number of those that are
 * sent costs memory. A file that is not stored completely leaves nothing behind.
 */
import type { FileFormat } from "../../files/records.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Readable } from "node:stream";
import type { Context } from "../../../context.ts";
import { AppError, invalid, notFound } from "../../../errors.ts";
import { newId } from "../../../ids.ts";
import type { Transaction } from "../../../storage/database.ts";
import { keyOfRecord } from "../../files/check-record.ts";
import { findOrganizationById } from "../../../organizations/store.ts";
import { organizationToAsk, writesAll } from "../sight.ts";
import type { BadLine, CsvEntry } from "../../files/read-csv.ts";
import { FileReader } from "../../files/read-file.ts";
import { startTurn } from "../../../turns.ts";
import { beginReceiving, takePlace } from "./places.ts";
import {
  deleteSome,
  findImport,
  findNamed,
  findOwners,
  insertImport,
  insertRecords,
  updateImport,
  type Import,
  type NewRecord,
} from "./store.ts";

export const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Objects that a file may name. */
export const MAX_RECORDS = 500_000;
/** Lines that a refusal names. */
export const MAX_BAD_LINES = 100;
/** After so many it is not read on. */
const ENOUGH_BAD_LINES = 10_000;
/** Bytes that are read without a pause: lines may be empty. */
const PIECE_BYTES = 8 * 1024;
/** Records that are stored at a time, and bytes of the file after which they are: others of the organization wait for that. */
const BATCH = { records: 100, bytes: 256 * 1024 };
/** Pause in which others that wait for the organization come first. */
const PAUSE_MS = 2;
const REMOVED_AT_A_TIME = 500;

/** Why the lines of a file are on no record: the job that takes them over is, and what it changes. */
export const RECEIVED = "a file that was received is nothing yet";

/** Runs in a transaction of the organization. */
type InOrganization = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/**
 * Receives a whole file.
 *
 * @throws AppError `invalid` that names the lines that cannot be taken, `too_large`, `not_found`; `rate_limited` when too many
 * files are being received
 */
export async function receiveFile(
  ctx: Context,
  organization: string,
  format: FileFormat,
  body: Readable,
): Promise<Import> {
  const end = beginReceiving();
  try {
    return await receiveInPlace(ctx, organization, format, body);
  } finally {
    end();
  }
}

async function receiveInPlace(ctx: Context, organization: string, format: FileFormat, body: Readable): Promise<Import> {
  const inOrganization: InOrganization = (work) =>
    ctx.db.inTransaction({ kind: "organization", id: organization }, (tx) => {
      tx.unrecorded(RECEIVED);
      return work(tx);
    });
  const { accessorId, scope: place } = ctx.actor;
  const began = {
    id: newId("ti"),
    organizationId: organization,
    jobId: "",
    accessorId,
    scope: `${place.partition}/${place.namespace}`,
    records: 0,
    updatedAt: timeOf(ctx),
  };
  const file = await inOrganization(async (tx) => {
    const [found, owners] = await Promise.all([findOrganizationById(tx, organization), findOwners(tx, organization)]);
    const isWriter = writesAll(ctx, organizationToAsk(ctx, found).name);
    const made: Import = { ...began, byWriter: Number(isWriter) };
    takePlace(owners, made);
    insertImport(tx, made);
    return made;
  });
  try {
    const receiving = new Receiving(ctx, inOrganization, file);
    await receiving.receive(body, new FileReader(format));
    return receiving.file;
  } catch (error) {
    await removeFile(ctx, file).catch((failure: unknown) => {
      // The background removal removes it then.
      ctx.log.info(
        { err: failure, requestId: ctx.requestId },
        "cannot delete the data of a failed import yet; retrying in the background",
      );
    });
    const isCut = isCutOff(body);
    // Nothing else reads the rest of a body that was partly read, and a connection that is not read never ends.
    body.resume();
    throw isCut ? new AppError("invalid", "The file is truncated") : error;
  }
}

function isCutOff(body: Readable): boolean {
  return body.destroyed && !body.readableEnded;
}

/** Removes a file that is not needed any more. */
export async function removeFile({ db }: Context, { id, organizationId }: Import): Promise<void> {
  let removed: number;
  do {
    removed = await db.inTransaction({ kind: "organization", id: organizationId }, (tx) => {
      tx.unrecorded(RECEIVED);
      return deleteSome(tx, id, REMOVED_AT_A_TIME);
    });
  } while (removed === REMOVED_AT_A_TIME);
}

export function tooLarge(): AppError {
  return new AppError("too_large", "The file is larger than 64 MiB");
}

function timeOf(ctx: Context): string {
  return new Date(ctx.now()).toISOString();
}

/** One file on its way. */
class Receiving {
  file: Import;
  private readonly ctx: Context;
  private readonly inOrganization: InOrganization;
  private batch: NewRecord[] = [];
  private batchBytes = 0;
  private bad: BadLine[] = [];
  private badCount = 0;
  private readonly turn = startTurn();

  constructor(ctx: Context, inOrganization: InOrganization, file: Import) {
    this.ctx = ctx;
    this.inOrganization = inOrganization;
    this.file = file;
  }

  async receive(body: Readable, reader: FileReader): Promise<void> {
    let bytes = 0;
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_FILE_BYTES) throw tooLarge();
      this.batchBytes += chunk.length;
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        await this.takeAll(reader.push(chunk.subarray(at, at + PIECE_BYTES)));
      }
      if (this.batchBytes >= BATCH.bytes) await this.store();
    }
    await this.takeAll(reader.end());
    await this.store();
    if (this.badCount > 0) throw this.refusal();
  }

  private async takeAll(all: Iterable<CsvEntry>): Promise<void> {
    if (this.turn.isOver()) await this.turn.next();
    for (const found of all) {
      if (this.turn.isOver()) await this.turn.next();
      if ("fault" in found) this.refuse(found);
      else {
        const { records } = this.file;
        if (records >= MAX_RECORDS) throw invalid(`A file can contain at most ${MAX_RECORDS} objects`);
        const ordinal = records + 1;
        this.file = { ...this.file, records: ordinal };
        this.batch.push({ ordinal, name: keyOfRecord(found.record), line: found.line, record: found.record });
        if (this.batch.length >= BATCH.records) await this.store();
      }
    }
  }

  private refuse(line: BadLine): void {
    this.badCount += 1;
    if (this.bad.length < MAX_BAD_LINES) this.bad.push(line);
    if (this.badCount >= ENOUGH_BAD_LINES) throw this.refusal();
  }

  private async store(): Promise<void> {
    const { batch, file } = this;
    this.batch = [];
    this.batchBytes = 0;
    const lines = new Map<string, number>();
    const fresh = batch.filter((record) => this.isFirst(record, lines));
    const again = await this.inOrganization(async (tx) => {
      const [stored, named] = await Promise.all([findImport(tx, file.id), findNamed(tx, file.id, [...lines.keys()])]);
      if (stored === undefined) throw notFound("organization");
      updateImport(tx, { ...file, updatedAt: timeOf(this.ctx) });
      insertRecords(
        tx,
        file.id,
        fresh.filter(({ name }) => !named.has(name)),
      );
      return named;
    });
    for (const { name, line } of fresh) this.refuseAgain(line, again.get(name));
    await sleep(PAUSE_MS);
  }

  /** Two records of one object in one batch: the second one is refused. */
  private isFirst({ name, line }: NewRecord, lines: Map<string, number>): boolean {
    const first = lines.get(name);
    this.refuseAgain(line, first);
    if (first === undefined) lines.set(name, line);
    return first === undefined;
  }

  private refuseAgain(line: number, first: number | undefined): void {
    if (first !== undefined)
      this.refuse({ line, fault: `Duplicate object (first defined in line ${first}). Use one record per object` });
  }

  private refusal(): AppError {
    const [first = "", ...others] = this.bad
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, fault }) => `Line ${line}: ${fault}`);
    const left = this.badCount - this.bad.length;
    return new AppError("invalid", first, { others: left > 0 ? [...others, `And ${left} more lines`] : others });
  }
}
