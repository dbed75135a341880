/**
 * Commands as data: words, operations of the API, arguments and flags of each. Help, parsing, completion, docs/reference/cli.md
 * and the test that every operation is reached read these; `run` does the rest.
 */
import type { Answer, Client, RequestOptions } from "@tessera-server/client";
import type { Item, Output } from "./output/types.ts";
import type { GlobalFlags, ClientSettings } from "./settings.ts";
import type { Surroundings } from "./surroundings.ts";

/** Kinds of words that can be completed by a request to the server. */
export type Completion =
  | "organization"
  | "project"
  | "workspace"
  | "tag"
  | "policy"
  | "role"
  | "token"
  | "auth-method"
  | "decision-mapping"
  | "binding-rule"
  | "declaration"
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
  /** Converts the text to the value of the parameter or member. @throws CliError when it cannot */
  readonly read?: (text: string, call: Call) => unknown;
  readonly choices?: readonly string[];
  readonly complete?: Completion;
  /** One letter. */
  readonly short?: string;
}

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
  /** Members of its body that the server takes none without. */
  readonly needs?: readonly string[];
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

/** The flags that every command takes. */
export interface EveryFlags extends GlobalFlags {
  readonly output?: string;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly takeOver?: boolean;
  readonly reason?: string;
  readonly timeout?: string;
}

/** Reason for the changes of a command, which their audit records contain. */
export interface ChangeReason {
  /** The reason, from `--reason` or a prompt. */
  text: string | undefined;
  /** Whether the impact of the change requires a prompt for one. */
  isRequested: boolean;
}

/** Input of a command's `run`. */
export interface Call {
  readonly io: Surroundings;
  readonly out: Output;
  readonly verb: Verb;
  /** Its words as a user writes them, `tag attach`. */
  readonly words: string;
  readonly settings: ClientSettings;
  /** Returns the settings if they have been read, for the message about a failure. */
  settingsIfRead(): ClientSettings | undefined;
  readonly flags: EveryFlags & Readonly<Record<string, unknown>>;
  readonly client: Client;
  readonly reason: ChangeReason;
  /** Asks the same server with a path in front of all others, such as `/dry-run`, which has it try writes and keep nothing of them. */
  clientAt(prefix: string): Client;
  /** A word; an optional one that was left out is undefined. */
  arg(name: string): string;
  optionalArg(name: string): string | undefined;
  /** The words of an argument that takes many. */
  args(name: string): readonly string[];
  flag(name: string): string | undefined;
  flagList(name: string): readonly string[];
  isSet(name: string): boolean;
  /** The organization to work in. @throws CliError when none is named */
  organization(): string;
  /** Asks for something; never used to change anything. */
  read(operation: string, input?: RequestOptions): Promise<Answer>;
  /** All objects of a list, page by page. `--limit` ends it. */
  pages(operation: string, input?: RequestOptions): AsyncIterable<Item>;
  /** Changes something; with `--dry-run` it is only shown, and the answer is undefined. */
  write(operation: string, input?: RequestOptions): Promise<Answer | undefined>;
  /** Shows what goes and asks, unless `--yes` or `--dry-run`. @throws CliError when it is not wanted */
  confirm(question: string, what: readonly string[]): Promise<void>;
  /** Waits, unless the command is interrupted. */
  sleep(milliseconds: number): Promise<void>;
}
