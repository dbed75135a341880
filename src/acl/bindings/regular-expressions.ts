/** The regular expressions of selectors: RE2's syntax by re2js, which takes linear time, within bounds of time and memory. */
import { LRUCache } from "lru-cache";
import { RE2JS } from "re2js";
import type { RegularExpression, RegularExpressions } from "../../selectors/regular-expression.ts";
import { measurePattern } from "./pattern-size.ts";

/** Most instructions of a pattern, as `measurePattern` counts them: bounds what one takes to compile (decision 17). */
export const MAX_INSTRUCTIONS = 4000;

/**
 * Most instructions of a pattern times UTF-16 code units of a value (decision 17). Only the simulation of the automaton is
 * used, never its states made explicit: those are slower where no state occurs twice, and may take megabytes.
 */
export const MAX_WORK = 500_000;

/** In bytes, of all expressions that are kept compiled: about 7,000 small ones. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** In bytes, no less than re2js was seen to take: for any expression, and for an instruction of it. */
const EXPRESSION_BYTES = 4096;
const INSTRUCTION_BYTES = 640;

/** A value is too long for the pattern: whether it matches is not known. */
export class RegularExpressionLimitError extends Error {}

/** An expression that says beforehand what it takes. Others take nothing that counts. */
export interface CountedExpression extends RegularExpression {
  /** Instructions that an answer about a text takes; 0 when the engine is not asked, because it would give up. Throws what `matches` would. */
  instructionsFor?(text: string): number;
}

export interface RegularExpressionEngine {
  /** Compiles at once, so that what is wrong with a pattern is seen when it is written. */
  readonly strict: RegularExpressions;
  /** For patterns that were checked when they were written. Never throws; for an invalid pattern `matches` throws. */
  readonly lazy: RegularExpressions;
  /** State of the cache of compiled expressions. */
  readonly cache: { readonly expressions: number; readonly bytes: number };
}

export interface RegularExpressionOptions {
  /** Bytes of compiled expressions that are kept, as they are estimated; the latest used one is kept at any size. */
  cacheBytes?: number;
}

/**
 * Makes an engine with a cache of its own. Its expressions are found anywhere in a text, and hold no more than their
 * pattern: they are compiled when they are first asked, and again when the cache has forgotten them meanwhile.
 *
 * Errors have RE2's words, such as `error parsing regexp: invalid repeat count`; a pattern above {@link MAX_INSTRUCTIONS}
 * is refused before it is compiled, with `error parsing regexp: expression too large`. `matches` throws
 * RegularExpressionLimitError above {@link MAX_WORK}.
 */
export function createRegularExpressions({
  cacheBytes = CACHE_BYTES,
}: RegularExpressionOptions = {}): RegularExpressionEngine {
  const cache = createCache(cacheBytes);
  const lazy: RegularExpressions = { compile: (pattern) => createExpression(pattern, cache) };
  const strict: RegularExpressions = {
    compile(pattern) {
      cache.compiled(pattern, measureBounded(pattern));
      return lazy.compile(pattern);
    },
  };
  return { strict, lazy, cache };
}

function createExpression(pattern: string, cache: Cache): CountedExpression {
  let measured: number | undefined;
  const size = (): number => (measured ??= measureBounded(pattern));
  return {
    instructionsFor: (text) => (size() * text.length <= MAX_WORK ? size() : 0),
    matches(text) {
      if (size() * text.length > MAX_WORK) {
        const work = `${size()} instructions for ${text.length} characters`;
        throw new RegularExpressionLimitError(`the value is too long for the regular expression: ${work}`);
      }
      return cache.compiled(pattern, size()).matcher(text).find();
    },
  };
}

/**
 * Measures a pattern that is to be compiled, in instructions.
 *
 * @throws {Error} in the words of RE2, when it is not worth that
 */
export function measureBounded(pattern: string): number {
  const instructions = measurePattern(pattern);
  if (instructions > MAX_INSTRUCTIONS) throw new Error("error parsing regexp: expression too large");
  return instructions;
}

interface Cache {
  readonly expressions: number;
  readonly bytes: number;
  compiled: (pattern: string, instructions: number) => RE2JS;
}

/** Creates a cache that first removes the least recently used entries. */
function createCache(limit: number): Cache {
  const entries = new LRUCache<string, RE2JS>({ maxSize: limit });
  return {
    get expressions() {
      return entries.size;
    },
    get bytes() {
      return entries.calculatedSize;
    },
    compiled(pattern, instructions) {
      const known = entries.get(pattern);
      if (known !== undefined) return known;
      const compiled = RE2JS.compile(pattern);
      const bytes = EXPRESSION_BYTES + instructions * INSTRUCTION_BYTES + 2 * pattern.length;
      // One that is as large as all that may be kept is kept alone.
      entries.set(pattern, compiled, { size: Math.min(bytes, limit) });
      return compiled;
    },
  };
}

/** Most instructions of the patterns of one selector together. */
export const MAX_SELECTOR_INSTRUCTIONS = 8000;

/**
 * An engine for patterns that must not be too large together. One that occurs again counts once, and none is compiled that
 * goes beyond.
 *
 * @param most instructions
 * @param whose patterns they are, for the error
 */
export function limitTogether(engine: RegularExpressions, most: number, whose: string): RegularExpressions {
  const counted = new Set<string>();
  let left = most;
  return {
    compile(pattern) {
      if (!counted.has(pattern)) {
        counted.add(pattern);
        left -= measureBounded(pattern);
      }
      if (left < 0) throw new Error(`the regular expressions of ${whose} exceed the total size limit`);
      return engine.compile(pattern);
    },
  };
}
