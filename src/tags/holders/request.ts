/** A request about the tags of one holder. */
import type { AddedBinding } from "./bindings/keys.ts";
import type { TagReference } from "./references.ts";

/** Change that a request makes to the tags and keys of a holder. */
export interface LinkRequest {
  /** Flat tags; references to add are as `checkReferences` gives them. */
  tags?: { references: readonly TagReference[]; mode: "add" | "remove" | "replace" } | undefined;
  /** Keys, as `checkBindings` lets them through. */
  bindings?: BindingRequest | undefined;
}

export interface BindingRequest {
  /** Without a value the one that is there stays; what is inherited then gets none of its own. */
  wanted: readonly AddedBinding[];
  /** Whether keys that the request does not name are removed. */
  replaces: boolean;
  /**
   * A key for which no value is given is put on as a flat tag too, where it is a name of one: `terraform` asks for both in
   * turn until it finds both.
   */
  tagsToo?: boolean;
}

/** Number of tags and keys that a request names. */
export function sizeOf({ tags, bindings }: LinkRequest): number {
  return (tags?.references.length ?? 0) + (bindings?.wanted.length ?? 0);
}
