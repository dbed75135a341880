/**
 * What a file of tags says, record by record. A record says of one object all that the file says of it, so that each can be
 * read, compared and taken over alone. What it does not say is undefined, and empty where a file is the whole.
 */
import type { AddedBinding } from "../tag-bindings/keys.ts";
import type { Enforcement, TagRule } from "../tag-policies/rule.ts";

/** A name of the pool. */
export interface TagRecord {
  kind: "tag";
  name: string;
  /** Whether it stays in the pool without uses. */
  pinned: boolean;
}

/** What a workspace carries itself. */
export interface WorkspaceRecord {
  kind: "workspace";
  name: string;
  tags: string[];
  bindings: AddedBinding[];
}

/** What a project is bound to. */
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

/** Of the one policy that an organization has. */
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
