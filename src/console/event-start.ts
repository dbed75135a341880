/** Events from which the streams of a page go on that begins to read now, so that it does not read again what did not change. */
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { indexOfTopics, maySeeAny, readTopics } from "../events/topics.ts";
import { unnoted } from "../rights/authorize.ts";
import { ANY_NAMESPACE, isScopeName } from "../rights/scope.ts";
import { changeCursorOf } from "../tags/changes/stream.ts";

/** Places whose events a page follows; empty for none. */
export interface FollowedPlaces {
  partition: string;
  organization: string;
}

/** IDs of the last events; absent for places of which the caller may see none. */
export interface EventStart {
  Partition?: string;
  Organization?: string;
}

/** Reads them. No event that the caller may see is behind them that happened before this read. */
export async function readEventStart(ctx: Context, { partition, organization }: FollowedPlaces): Promise<EventStart> {
  // It is the page that looks, and no use of a permission.
  const looking = { ...ctx, actor: unnoted(ctx.actor) };
  const [Partition, Organization] = await Promise.all([
    lastOfPartition(looking, partition),
    lastOfOrganization(looking, organization),
  ]);
  return { ...(Partition !== undefined && { Partition }), ...(Organization !== undefined && { Organization }) };
}

async function lastOfPartition(ctx: Context, partition: string): Promise<string | undefined> {
  const topics = readTopics(undefined);
  const scope = { partition, namespace: ANY_NAMESPACE };
  if (!isScopeName(partition) || !maySeeAny(ctx, topics, scope)) return undefined;
  return String(await indexOfTopics(ctx, topics, scope));
}

async function lastOfOrganization(ctx: Context, name: string): Promise<string | undefined> {
  if (name === "") return undefined;
  try {
    return await changeCursorOf(ctx, name);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}
