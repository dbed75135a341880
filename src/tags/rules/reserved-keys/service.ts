/**
 * Keys that an organization has reserved: with `disableOverrides` no workspace gives them another value than its project.
 * Rights are those to the organization. Implements the reserved-tag-keys paths of `/api/v2`.
 */
import { permitted } from "../../../rights/authorize.ts";
import type { Access } from "../../../rights/rules/rule.ts";
import { recordChange } from "../../changes/record.ts";
import type { Context } from "../../../context.ts";
import { AppError, invalid } from "../../../errors.ts";
import { newId } from "../../../ids.ts";
import { checkOrganization, getOrganization } from "../../../organizations/access.ts";
import type { Transaction } from "../../../storage/database.ts";
import { CHARACTERS, MAX_KEY } from "../../holders/bindings/keys.ts";
import {
  countReservedKeys,
  deleteReservedKey,
  findReservedKey,
  findReservedKeyId,
  insertReservedKey,
  listReservedKeys,
  updateReservedKey,
  type OwnedReservedKey,
  type ReservedKey,
} from "./store.ts";

export interface ReservedKeyInput {
  key?: string | undefined;
  disableOverrides?: boolean | undefined;
}

/** Reserved keys of one organization. */
export const MAX_KEYS = 1000;
const POINTER = "/data/attributes/key";

/** A page of them. @throws AppError `not_found` */
export async function listOfOrganization(
  ctx: Context,
  organizationName: string,
  page: { offset: number; size: number },
): Promise<{ keys: ReservedKey[]; total: number; organizationName: string }> {
  const { id, name } = await getOrganization(ctx, organizationName, "read");
  const [keys, total] = await Promise.all([
    listReservedKeys(ctx.db, id, page.size, page.offset),
    countReservedKeys(ctx.db, id),
  ]);
  return { keys, total, organizationName: name };
}

/** @throws AppError `not_found`, `invalid` */
export async function reserveKey(
  ctx: Context,
  organizationName: string,
  { key, disableOverrides = false }: ReservedKeyInput,
): Promise<OwnedReservedKey> {
  if (key === undefined) throw invalid("Key is missing", POINTER);
  checkKeyText(key);
  const organization = await getOrganization(ctx, organizationName, "write");
  const organizationId = organization.id;
  const now = new Date(ctx.now()).toISOString();
  const made: ReservedKey = {
    id: newId("rtk"),
    organizationId,
    key,
    disableOverrides: disableOverrides ? 1 : 0,
    createdAt: now,
    updatedAt: now,
  };
  await ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const [, taken, count] = await Promise.all([
      checkOrganization(ctx, tx, organizationId, "write"),
      findReservedKeyId(tx, organizationId, key),
      countReservedKeys(tx, organizationId),
    ]);
    if (taken !== undefined) throw keyTaken();
    if (count >= MAX_KEYS) throw invalid(`An organization can reserve at most ${MAX_KEYS} keys`);
    insertReservedKey(tx, made);
    await record(ctx, tx, made, "created", { "disable-overrides": disableOverrides });
  });
  return { ...made, organizationName: organization.name };
}

/** @throws AppError `not_found`, `invalid` */
export async function changeReservedKey(ctx: Context, id: string, input: ReservedKeyInput): Promise<OwnedReservedKey> {
  if (input.key !== undefined) checkKeyText(input.key);
  const { organizationId } = accessible(ctx, await findReservedKey(ctx.db, id), "write");
  return ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const before = accessible(ctx, await findReservedKey(tx, id), "write");
    const key = input.key ?? before.key;
    const disables = input.disableOverrides ?? before.disableOverrides === 1;
    if (key === before.key && disables === (before.disableOverrides === 1)) return before;
    if (key !== before.key && (await findReservedKeyId(tx, organizationId, key)) !== undefined) throw keyTaken();
    const updatedAt = new Date(ctx.now()).toISOString();
    const after = { ...before, key, disableOverrides: disables ? 1 : 0, updatedAt };
    updateReservedKey(tx, after);
    await record(ctx, tx, after, "updated", {
      from: { key: before.key, "disable-overrides": before.disableOverrides === 1 },
      to: { key, "disable-overrides": disables },
    });
    return after;
  });
}

/** @throws AppError `not_found` */
export async function releaseKey(ctx: Context, id: string): Promise<void> {
  const { organizationId } = accessible(ctx, await findReservedKey(ctx.db, id), "write");
  await ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const key = accessible(ctx, await findReservedKey(tx, id), "write");
    deleteReservedKey(tx, id);
    await record(ctx, tx, key, "deleted", { "disable-overrides": key.disableOverrides === 1 });
  });
}

function accessible(ctx: Context, key: OwnedReservedKey | undefined, access: Access): OwnedReservedKey {
  return permitted(ctx, "reserved tag key", key, "organization", (found) => found.organizationName, access);
}

/** In the words that clients know. @throws AppError `invalid` */
function checkKeyText(key: string): void {
  if (key === "" || key.length > MAX_KEY || !CHARACTERS.test(key)) throw invalid("Key is invalid", POINTER);
}

function keyTaken(): AppError {
  return invalid("Key has already been taken", POINTER);
}

function record(
  ctx: Context,
  tx: Transaction,
  { id: objectId, organizationId, key: name }: ReservedKey,
  action: "created" | "updated" | "deleted",
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return recordChange(tx, ctx, { organizationId, kind: "reserved-tag-key", objectId, name, action, details });
}
