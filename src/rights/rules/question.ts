/** A question about rights, and the facts of its case: two of the three things that every decision is made from (`decide.ts`). */
import type { Scope } from "../scope.ts";
import type { Access, Resource } from "./rule.ts";

/** One thing that somebody may want to do; plain data. */
export interface RightsQuestion {
  resource: Resource;
  /**
   * Name of the thing in rules, in the stored spelling: the name of an organization, `organization/workspace-name`, a key; empty
   * for resources without names.
   */
  segment: string;
  access: Access;
  /** Scope in which the thing lies, folded; the default scope for what lies in none. */
  scope: Scope;
}

/**
 * Circumstances of a question, beside what is asked: rights may come to depend on them. A fact that is missing is not known,
 * which must never give more than any value of it would. No rule reads facts yet. Sets of names for lists (`visible…`) are made
 * without facts.
 */
export interface Facts {
  /** Tags of the thing, own and inherited, by folded key; the value is empty for a tag without one. */
  readonly tags?: ReadonlyMap<string, string>;
  /** ID of the project in which the thing lies. */
  readonly project?: string;
  /** When it is asked, in milliseconds since the epoch. */
  readonly time?: number;
  /** Address of the client that wants to do it. */
  readonly address?: string;
}

/** No fact is known. Shared, so that a question without facts costs nothing. */
export const NO_FACTS: Facts = Object.freeze({});
