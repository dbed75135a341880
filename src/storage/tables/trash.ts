/** The table of deleted objects of access control; part of `tokens.ts`. */
import { fixed, hidden, integer, key, plain, text } from "./column.ts";
import { INDEXES, PROOF, SCOPE } from "./scoped.ts";

/** Kinds of objects that the trash keeps, as audit records call them. */
export type TrashKind = "policy" | "role" | "token" | "binding-rule" | "auth-method" | "namespace";

export const TRASH_TABLES = {
  /** Objects that a request deleted, until `ends_at`; see `acl/trash`. A namespace is in the namespace `default` of its partition. */
  trash: {
    id: key(text),
    ...SCOPE,
    kind: fixed(plain<TrashKind>()),
    /** ID that the object had; the name of a namespace. */
    object_id: hidden(fixed(text)),
    name: fixed(text),
    /** Row of the object as JSON, without secrets and without what the server computes. */
    content: hidden(fixed(text)),
    /** Configuration of an auth method, sealed again for this row; empty for other kinds. */
    config_sealed: hidden(text),
    deleted_at: fixed(text),
    /** AccessorID of the token that deleted it. */
    deleted_by: fixed(text),
    /** Milliseconds since the epoch. */
    ends_at: fixed(integer),
    ...INDEXES,
    ...PROOF,
  },
};
