/** Errors, and likely errors, in content that a caller writes. */
import type { AskQuestion } from "../kit/ask.ts";
import { RuleSelectorError } from "../bindings/binding.ts";
import { HomeError } from "../../rights/rules/home.ts";
import { type InvalidValue, positionOf, RulesError, shorten } from "../../rights/rules/scanner.ts";
import { closest } from "./closest.ts";
import { AppError, type ErrorCode } from "../../errors.ts";

/** Topics of warnings; docs/rules.md explains each. */
export type WarningCode =
  | "unknown-kind"
  | "unknown-field"
  | "misplaced-kind"
  | "without-slash"
  | "star-in-label"
  | "void-rule"
  | "not-lower-case"
  | "unrendered-template"
  | "read-as-before"
  | "other-meaning"
  | "foreign-datacenter"
  | "unmapped-claim"
  | "text-like-a-field"
  | "missing-role"
  | "missing-policy"
  | "management-for-all"
  | "too-much-given"
  | "more";

/** One finding, in words for the author of the content. */
export interface LintFinding {
  readonly code: WarningCode | "invalid";
  readonly message: string;
  /** The member of the body that it is about, such as `Selector`. */
  readonly member: string;
  /** Position in the text of that member, in characters from 1; undefined when it is about the whole. */
  readonly at?: { readonly line: number; readonly column: number } | undefined;
  /** Suggestion of the intended text. */
  readonly didYouMean?: string | undefined;
}

/** All findings. */
export interface Findings {
  readonly errors: readonly LintFinding[];
  readonly warnings: readonly LintFinding[];
}

/** Remarks of one kind that one answer has: behind them the author has enough to do. */
export const MOST_FINDINGS = 100;

/** How a check asks: what a write would be refused for is found, and the next thing is asked. */
export interface Gathering {
  readonly ask: AskQuestion<undefined>;
  readonly errors: readonly LintFinding[];
}

/** @param texts of members, whose places are told by line and column */
export function gatherErrors(texts: Readonly<Record<string, string>> = {}): Gathering {
  const errors: LintFinding[] = [];
  const ask: AskQuestion<undefined> = async (member, question) => {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof AppError) || !OF_CONTENT.has(error.code)) throw error;
      errors.push(...findingsOf(error, member, texts[member] ?? "").slice(0, MOST_FINDINGS - errors.length));
      return undefined;
    }
  };
  return { ask, errors };
}

/** Refusals of what is written, by what it says or by what there is; others are of who asks, or of the server. */
const OF_CONTENT: ReadonlySet<ErrorCode> = new Set(["invalid", "already_exists", "not_found", "conflict"]);

function findingsOf(error: AppError, member: string, text: string): LintFinding[] {
  if (error instanceof HomeError) {
    const each = error.each(MOST_FINDINGS);
    return each.map(({ message, at }) => ({ code: "invalid", message, member, at: positionOf(text, at) }));
  }
  const at = error instanceof RuleSelectorError ? error.at : undefined;
  const place = at === undefined ? placeOf(error) : { at: positionOf(text, at) };
  if (error instanceof RulesError && error.found !== undefined) {
    const { found, expected } = error;
    const didYouMean = closest(found.value, expected);
    return [{ code: "invalid", message: wordsOf(found) + expectedBy(expected), member, ...place, didYouMean }];
  }
  return [{ code: "invalid", message: error.message, member, ...place }];
}

/** Says which value is wrong. The error itself has the words that clients of Consul know. */
function wordsOf({ field, value }: InvalidValue): string {
  return value === "" ? `${field} is missing` : `invalid ${field} ${JSON.stringify(shorten(value))}`;
}

/** Values that may stand there. */
function expectedBy(expected: readonly string[]): string {
  const [last = "", ...others] = expected.map((word) => JSON.stringify(word)).toReversed();
  return last === "" ? "" : `; expected ${others.toReversed().join(", ")} or ${last}`;
}

function placeOf(error: AppError & Partial<Pick<RulesError, "line" | "column">>): Pick<LintFinding, "at"> {
  const { line, column } = error;
  return line === undefined || column === undefined ? {} : { at: { line, column } };
}

/** Renders a finding in answers. */
export function renderFinding({ code, message, member, at, didYouMean }: LintFinding) {
  return {
    Code: code,
    Message: message,
    Member: member,
    Line: at?.line,
    Column: at?.column,
    DidYouMean: didYouMean,
  };
}

/** Bytes of a header: intermediaries take eight thousand of all of them together. */
const MOST_HEADER_BYTES = 4096;

/**
 * Warnings as the header `X-Service-Warnings` has them: a JSON array, ASCII alone, cut to whole entries with a last one that says
 * how many are left out. Undefined for none.
 */
export function warningsHeader(warnings: readonly LintFinding[]): string | undefined {
  if (warnings.length === 0) return undefined;
  const parts: string[] = [];
  let bytes = 100;
  for (const warning of warnings) {
    const part = ascii(JSON.stringify(renderFinding(warning)));
    bytes += part.length + 1;
    if (bytes > MOST_HEADER_BYTES) break;
    parts.push(part);
  }
  const left = warnings.length - parts.length;
  if (left > 0)
    parts.push(JSON.stringify({ Code: "more", Message: `${left} more; use the check operation to list all` }));
  return `[${parts.join(",")}]`;
}

function ascii(json: string): string {
  return json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
