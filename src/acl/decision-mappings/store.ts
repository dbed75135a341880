import type { Reader } from "../../storage/database.ts";
import { homeOf } from "../../rights/scope.ts";
import type { RecordOf } from "../kit/records.ts";
import { scopedStore } from "../kit/scoped-objects.ts";

/** Value that a property is compared with. */
export type Scalar = string | number | boolean;
export type Scalars = Readonly<Record<string, Scalar>>;

/** An own type of subjects; members as on the wire. */
export interface SubjectType {
  readonly Type: string;
  /** Built-in type of the subject that the template names. */
  readonly As: string;
  readonly Template: string;
}

/** Question about permissions that an action on a resource stands for. */
export interface MappedAction {
  readonly Action: string;
  /** Properties of the resource that must have these values. */
  readonly Properties?: Scalars;
  /** Properties of the action that must have these values. */
  readonly ActionProperties?: Scalars;
  /** Resource of policy rules. */
  readonly Kind: string;
  /** Template of its name in policy rules. */
  readonly Segment: string;
  readonly Access: string;
}

/** An own type of resources. The first of its actions that matches decides. */
export interface ResourceType {
  readonly Type: string;
  readonly Actions: readonly MappedAction[];
}

export type DecisionMapping = RecordOf<
  "decision_mappings",
  { subjectTypes: readonly SubjectType[]; resourceTypes: readonly ResourceType[] }
>;

export const { reads: mappingStore, writes: writeMappings } = scopedStore<DecisionMapping>("decision_mappings", {
  // The ID is secret.
  isKeyHidden: true,
  searchSorted: [],
});

/** Maximum number of mappings in a partition. */
export const MAX_MAPPINGS = 64;

/** Lists all mappings of a partition, in order of their names. */
export function listMappingsOf(db: Reader, partition: string): Promise<DecisionMapping[]> {
  return mappingStore.list(db, homeOf(partition), { after: "", search: "", size: MAX_MAPPINGS });
}
