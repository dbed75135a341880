/** Rights as names: what a list may show, for the query that finds its page and its total. */
import { findSite, type Layer, tableOf } from "./layer.ts";
import { covers, type Access, type Permission } from "./rule.ts";

/** Names that may be seen: everything in a range or listed, except what is excluded. All folded. */
export interface Visibility {
  /** Half-open ranges of names; `to` undefined means without end. Sorted, not overlapping. */
  ranges: { from: string; to: string | undefined }[];
  names: string[];
  except: string[];
}

/** Whether a folded name may be seen. */
export function isVisible(visibility: Visibility, name: string): boolean {
  const { names, except } = setsOf(visibility);
  if (except.has(name)) return false;
  return names.has(name) || visibility.ranges.some(({ from, to }) => from <= name && (to === undefined || name < to));
}

interface NameSets {
  names: ReadonlySet<string>;
  except: ReadonlySet<string>;
}

/** Kept for as long as what they are made of, which all waiters with the same rights share: it may be thousands of names. */
const sets = new WeakMap<Visibility, NameSets>();

function setsOf(visibility: Visibility): NameSets {
  let found = sets.get(visibility);
  if (found === undefined) {
    sets.set(visibility, (found = { names: new Set(visibility.names), except: new Set(visibility.except) }));
  }
  return found;
}

/** A layer and what it says about names that none of its rules is about; undefined leaves them to the next. */
export interface VisibleLayer {
  readonly layer: Layer;
  readonly otherwise: Permission | undefined;
}

/**
 * The names below `root` to which there is `access`; without `root`. What a layer decides
 * is left alone by the later ones, as in a decision.
 *
 * @param root folded; empty, or an organization with its slash
 */
export function visibleNames(
  layers: readonly VisibleLayer[],
  resource: "organization" | "workspace",
  root: string,
  access: Access = "read",
): Visibility {
  const result: Visibility = { ranges: [], names: [], except: [] };
  const inner: (readonly [prefix: string, allowed: boolean])[] = [];
  const before: Layer[] = [];
  let base: Permission | undefined;
  for (const { layer, otherwise } of layers) {
    const table = tableOf(layer, resource);
    const decided = (name: string) => before.some((earlier) => findSite(tableOf(earlier, resource), name));
    const decidedPrefix = (prefix: string) =>
      before.some((earlier) => tableOf(earlier, resource).prefixes.find(prefix));
    for (const [prefix, { policy }] of table.prefixes.below(root)) {
      if (isName(prefix) && !decidedPrefix(prefix)) {
        inner.push([prefix.slice(root.length), covers(policy.permission, access)]);
      }
    }
    for (const [name, { policy }] of table.exact) {
      if (!name.startsWith(root) || !isName(name) || decided(name)) continue;
      (covers(policy.permission, access) ? result.names : result.except).push(name.slice(root.length));
    }
    base = table.prefixes.find(root)?.policy.permission ?? otherwise;
    if (base !== undefined) break;
    before.push(layer);
  }
  inner.sort(([a], [b]) => (a < b ? -1 : 1));
  result.ranges = allowedRanges(inner, base !== undefined && covers(base, access));
  return result;
}

/**
 * Whether any name can begin so. Names are ASCII; a rule with another letter is
 * about none of them, and without it the order of JavaScript, which compares
 * UTF-16, is the order of the engines, which compare UTF-8.
 */
export function isName(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/**
 * The ranges of names that are allowed, where each name follows the longest of
 * these prefixes. They contain each other or are apart, so one pass with a stack does it.
 *
 * @param prefixes sorted, none of them empty
 * @param base what holds for names with none of the prefixes
 */
export function allowedRanges(
  prefixes: readonly (readonly [prefix: string, allowed: boolean])[],
  base: boolean,
): Visibility["ranges"] {
  const marks = prefixes.map(([prefix, allowed]) => ({ from: prefix, to: afterPrefix(prefix), allowed }));
  return nestedRanges(marks, base);
}

/** Names from one text up to another, and what holds for those in no shorter range. */
export interface MarkedNames {
  from: string;
  to: string;
  allowed: boolean;
}

/**
 * The same for ranges that contain each other or are apart, too.
 *
 * @param marks sorted: the longer first where two begin alike
 */
export function nestedRanges(marks: readonly MarkedNames[], base: boolean): Visibility["ranges"] {
  const ranges: Visibility["ranges"] = [];
  const open: { allowed: boolean; end: string | undefined }[] = [{ allowed: base, end: undefined }];
  let position = "";

  function advance(to: string | undefined, allowed: boolean): void {
    const last = ranges.at(-1);
    if (allowed && (to === undefined || position < to)) {
      if (last !== undefined && last.to === position) last.to = to;
      else ranges.push({ from: position, to });
    }
    if (to !== undefined) position = to;
  }

  function closeUntil(start: string | undefined): void {
    for (
      let top = open.at(-1);
      top?.end !== undefined && (start === undefined || top.end <= start);
      top = open.at(-1)
    ) {
      advance(top.end, top.allowed);
      open.pop();
    }
  }

  for (const { from, to, allowed } of marks) {
    closeUntil(from);
    advance(from, open.at(-1)?.allowed ?? base);
    open.push({ allowed, end: to });
  }
  closeUntil(undefined);
  advance(undefined, base);
  return ranges;
}

/** The first text after all that start with `prefix`. */
export function afterPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
