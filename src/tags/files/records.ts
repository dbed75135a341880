/**
 * Records of a tag file. A record contains all that the file states of one object, so each can be read, compared and
 * imported alone. Members that a record does not state are undefined, or empty where the file is complete.
 */
import type { AddedBinding } from "../holders/bindings/keys.ts";
import type { Enforcement, TagRule } from "../rules/rule.ts";

/** A name of the pool. */
export interface TagRecord {
  kind: "tag";
  name: string;
  /** Whether it stays in the pool without uses. */
  pinned: boolean;
}

/** Own tags and keys of a workspace. */
export interface WorkspaceRecord {
  kind: "workspace";
  name: string;
  tags: string[];
  bindings: AddedBinding[];
}

/** Keys of a project. */
export interface ProjectRecord {
  kind: "project";
  name: string;
  bindings: AddedBinding[];
}

/** A key that the organization has reserved. */
export interface ReservedKeyRecord {
  kind: "reserved-tag-key";
  name: string;
  /** Undefined where a file does not say it: a merge leaves it as it is. */
  disableOverrides: boolean | undefined;
}

/** The organization's rules for tags. */
export interface PolicyRecord {
  kind: "tag-policy";
  name: typeof POLICY_NAME;
  /** Undefined where a file does not say it: a merge leaves it as it is. */
  enforce: Enforcement | undefined;
  /** Each with the name of its project in place of the id, which is another one elsewhere. */
  rules: readonly TagRule[];
}

/** Name of the one policy of an organization. */
export const POLICY_NAME = "policy";

export type FileRecord = TagRecord | WorkspaceRecord | ProjectRecord | ReservedKeyRecord | PolicyRecord;

export type RecordKind = FileRecord["kind"];

/**
 * In the order in which a file has them: keys that are reserved count for what follows, and rules come behind what they
 * might refuse.
 */
export const RECORD_KINDS = [
  "reserved-tag-key",
  "tag",
  "project",
  "workspace",
  "tag-policy",
] as const satisfies RecordKind[];

/** The forms of a file: JSON lines, and CSV. */
export type FileFormat = "csv" | "jsonl";

/** The columns of the CSV form. A line says one thing, such as a tag of a workspace, or a key with its value. */
export const CSV_COLUMNS = ["kind", "name", "tag", "key", "value"] as const;
