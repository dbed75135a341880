/** As what a tag was put on a workspace: one link may be both, and each of the two is taken off alone. */

/** A flat tag. */
export const TAG = 1;
/** A key, with or without a value. */
export const BINDING = 2;
export const BOTH = TAG | BINDING;

export type Mark = typeof TAG | typeof BINDING;

/** What a link that is only a flat tag has of a binding. */
export const NO_BINDING = { value: "", bindingId: "", boundAt: "" };
