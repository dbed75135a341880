/** Files of those who may not write the organization, from their first byte to their job or the end of their preview. */
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import type { Organization } from "../organizations/store.ts";
import { createPool, poolRefusalText, type Pool } from "../shared-pool.ts";
import { writesAll } from "../tag-jobs/sight.ts";
import { MAX_IMPORTS } from "./receive.ts";

/** One of each organization that has any, by ID. */
const pools = new Map<string, Pool>();

/**
 * Does something with a file. Of the places that the organization has for files of those who may not write it, one caller leaves
 * some to others.
 *
 * @throws AppError `invalid` when the caller has as many as it may; what the work throws
 */
export async function onOwnShare<T>(ctx: Context, { id, name }: Organization, work: () => Promise<T>): Promise<T> {
  if (writesAll(ctx, name)) return work();
  const { accessorId, scope } = ctx.actor;
  const holder = { name: accessorId, group: `${scope.partition}/${scope.namespace}` };
  const pool = pools.get(id) ?? createPool("filesOfOthers", MAX_IMPORTS.ofOthers);
  const refusal = pool.take(holder);
  if (refusal !== undefined) throw invalid(poolRefusalText("Too many files are being imported", refusal));
  pools.set(id, pool);
  try {
    return await work();
  } finally {
    pool.give(holder);
    if (pool.used() === 0) pools.delete(id);
  }
}
