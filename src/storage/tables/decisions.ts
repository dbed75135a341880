/** The table of what the decision point is told of types; part of `tables.ts`. */
import { fixed, key, list, made, text } from "./column.ts";
import { INDEXES, PROOF, SCOPE } from "./scoped.ts";

export const DECISION_TABLES = {
  /** Own types of a partition's decision point; see `acl/decision-mappings`. Lists are as on the wire. */
  decision_mappings: {
    /** Never shown: a mapping that is deleted and made again has another. */
    id: key(text),
    ...SCOPE,
    name: fixed(text),
    name_key: fixed(made),
    description: text,
    subject_types: list,
    resource_types: list,
    ...INDEXES,
    ...PROOF,
  },
};
