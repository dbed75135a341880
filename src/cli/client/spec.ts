/**
 * What a command is, as data: its words, the operations of the API that it reaches, its arguments and flags. Help, parsing,
 * completion, docs/cli.md and the test that every operation is reached read these; `run` does the rest.
 */
import type { Call } from "./call.ts";

/** What can be completed by asking the server. */
export type Completion =
  | "organization"
  | "project"
  | "workspace"
  | "tag"
  | "policy"
  | "role"
  | "token"
  | "auth-method"
  | "binding-rule"
  | "namespace"
  | "partition"
  | "job"
  | "webhook"
  | "context"
  | "file";

/** A word behind the command. */
export interface Argument {
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  /** Takes all that follow. */
  readonly many?: boolean;
  readonly complete?: Completion;
}

/** A flag, and where its value goes. */
export interface Flag {
  /** Without its dashes, such as `description`. */
  readonly name: string;
  /** Such as `TEXT`; a flag without one is a switch. */
  readonly value?: string;
  readonly many?: boolean;
  readonly help: string;
  /** The query parameter that it becomes. */
  readonly query?: string;
  /** The member of the body (or of its attributes) that it becomes. */
  readonly member?: string;
  /** What its text becomes there. @throws CliError when it cannot */
  readonly read?: (text: string, call: Call) => unknown;
  readonly choices?: readonly string[];
  readonly complete?: Completion;
  /** One letter. */
  readonly short?: string;
}

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** A path of members, `attributes.name`, or what makes the text. */
  readonly value: string | ((item: Item) => unknown);
  /** Shown only by `--output wide`. */
  readonly wide?: boolean;
}

/** An object of the API as it answers it. */
export type Item = Readonly<Record<string, unknown>>;

/** One command. */
export interface Verb {
  readonly name: string;
  readonly summary: string;
  /** More to say in its help. */
  readonly description?: string;
  /** The `operationId`s that it asks for, by the words that it is given. */
  readonly operations: readonly string[];
  readonly args?: readonly Argument[];
  readonly flags?: readonly Flag[];
  readonly examples?: readonly string[];
  readonly hidden?: boolean;
  readonly run: (call: Call) => Promise<void>;
}

/** Commands with one word before them, such as `tag`. */
export interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly verbs: readonly Verb[];
}
