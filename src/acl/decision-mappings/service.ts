/**
 * Mappings of a partition's decision point: which built-in subjects own types of subjects are, and which questions about
 * permissions actions on own types of resources are. Implements `/v1/acl/decision-mapping` and `/v1/acl/decision-mappings`.
 */
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { fold } from "../../fold.ts";
import type { ListOf } from "../../lists/page.ts";
import { DECISION_MAPPINGS } from "../../rights/kinds.ts";
import { checkPermission } from "../../rights/permission.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import { newUuid } from "../../rights/uuid.ts";
import type { Transaction } from "../../storage/database.ts";
import { inOrder } from "../kit/in-order.ts";
import { deleteObject, listObjects, readObject, type WriteTarget } from "../kit/objects.ts";
import { changeIn, checkCas } from "../kit/write.ts";
import { checkContent, checkTypes } from "./check.ts";
import { listMappingsOf, mappingStore, MAX_MAPPINGS, writeMappings, type DecisionMapping } from "./store.ts";

export type { DecisionMapping } from "./store.ts";

const NOUN = "decision mapping";

/** Content of a mapping in a request. */
export type MappingInput = Pick<DecisionMapping, "description" | "subjectTypes" | "resourceTypes">;

/** Finds a mapping by its name, in any case. @throws AppError `not_found`, `forbidden` */
export function readMapping(ctx: Context, scope: Scope, name: string): Promise<DecisionMapping> {
  return readObject(ctx, scope, NOUN, () => mappingStore.byName(ctx.db, scope, name));
}

/** Lists mappings in order of their names. @throws AppError `forbidden` */
export function listMappings(ctx: Context, scope: Scope): ListOf<DecisionMapping> {
  return listObjects<DecisionMapping>(ctx, scope, () => ({ ...mappingStore, sorted: mappingStore.sorted() }));
}

/**
 * Creates a mapping, or replaces the one of that name by what `edit` makes of it.
 *
 * @throws AppError `invalid`, `not_found` from `edit`, `conflict`, `forbidden`
 */
export async function writeMapping(
  ctx: Context,
  { scope, key: name, cas }: WriteTarget,
  edit: (current: MappingInput | undefined) => MappingInput,
): Promise<DecisionMapping> {
  checkPermission(ctx, scope, "acl", "write");
  checkPlace(scope);
  const id = newUuid();
  return changeIn(ctx, scope, async (tx, change) => {
    const [index, all] = await inOrder([tx.index(), listMappingsOf(tx, scope.partition)]);
    const current = all.find((each) => fold(each.name) === fold(name));
    // A patch of a mapping that does not exist is 404, whatever its condition.
    const { description, subjectTypes, resourceTypes } = edit(current);
    checkCas(cas, current);
    const head = current ?? { id, scope, name, createIndex: index };
    const mapping = { ...head, description, subjectTypes, resourceTypes, modifyIndex: index };
    checkContent(mapping);
    if (current === undefined && all.length >= MAX_MAPPINGS) {
      throw invalid(`Partition "${scope.partition}" has ${all.length} decision mappings; maximum ${MAX_MAPPINGS}`);
    }
    checkTypes(
      mapping,
      all.filter((each) => each !== current),
    );
    if (current === undefined) writeMappings.insert(tx, mapping);
    else writeMappings.update(tx, mapping, current);
    change(DECISION_MAPPINGS, fold(name));
    return mapping;
  });
}

/** @throws AppError `not_found`, `conflict`, `forbidden` */
export async function deleteMapping(ctx: Context, { scope, key: name, cas }: WriteTarget): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  const find = (tx: Transaction) => mappingStore.byName(tx, scope, name);
  await deleteObject(ctx, scope, { noun: NOUN, cas }, find, (tx, change, current) => {
    writeMappings.remove(tx, [current]);
    change(DECISION_MAPPINGS, fold(name));
  });
}

/** @throws AppError `invalid` outside of the namespace that every partition has */
function checkPlace({ namespace }: Scope): void {
  if (namespace === DEFAULT_SCOPE.namespace) return;
  throw invalid(`Decision mappings exist only in the namespace default of a partition, not in "${namespace}"`);
}
