/**
 * What a set of policy rules allows. Pure: compiled from rules, asked by
 * `authorize.ts`, and turned into query conditions by the stores.
 *
 * Rules that it implements: an exact rule beats any prefix rule, the longest
 * prefix beats shorter ones, the same segment twice takes the stricter
 * (deny over write over read), and a workspace without a rule of its own
 * follows its organization's decision.
 */
export type RuleKind = "organization" | "organization_prefix" | "workspace" | "workspace_prefix";
export type Access = "read" | "write";
export type Permission = Access | "deny";

export interface Rule {
  kind: RuleKind;
  /** Organization name, or `organization/workspace-name`; folded to lower case here. */
  segment: string;
  policy: Permission;
}

/** Names that may be seen: everything in a range or listed, except what is excluded. All folded. */
export interface Visibility {
  /** Half-open ranges of names; `to` undefined means without end. Sorted, not overlapping. */
  ranges: { from: string; to: string | undefined }[];
  names: string[];
  except: string[];
}

const EVERYTHING: Visibility = { ranges: [{ from: "", to: undefined }], names: [], except: [] };

export interface Rights {
  /** Whether `access` to the organization or the workspace is allowed. Segments in any case. */
  allows(resource: "organization" | "workspace", segment: string, access: Access): boolean;
  /** Organizations that may be read. */
  visibleOrganizations(): Visibility;
  /** Names of workspaces of this organization that may be read (without the organization's part). */
  visibleWorkspaces(organization: string): Visibility;
}

/** Rights to everything: what the first management token has. */
export const ALL_RIGHTS: Rights = {
  allows: () => true,
  visibleOrganizations: () => EVERYTHING,
  visibleWorkspaces: () => EVERYTHING,
};

/** Case that names and segments are compared in: ASCII letters only, so that no other letter folds into a name. */
export function fold(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Compiles rules into rights. Rules may come in any order; without a matching rule nothing is allowed. */
export function compileRights(rules: readonly Rule[]): Rights {
  const organizations = compileRules(rules, "organization");
  const workspaces = compileRules(rules, "workspace");

  function allows(resource: "organization" | "workspace", segment: string, access: Access): boolean {
    const name = fold(segment);
    if (resource === "organization") return covers(decide(organizations, name) ?? "deny", access);
    const own = decide(workspaces, name);
    if (own !== undefined) return covers(own, access);
    return allows("organization", name.slice(0, name.indexOf("/")), access);
  }

  return {
    allows,
    visibleOrganizations: () => visibility(organizations, "", false),
    visibleWorkspaces(organization) {
      const name = fold(organization);
      return visibility(workspaces, `${name}/`, allows("organization", name, "read"));
    },
  };
}

/** Rules of one resource, by folded segment; prefixes sorted, each before those that it contains. */
interface RuleSet {
  exact: Map<string, Permission>;
  prefixes: [prefix: string, permission: Permission][];
}

const STRICTNESS: Record<Permission, number> = { read: 0, write: 1, deny: 2 };

function compileRules(rules: readonly Rule[], resource: "organization" | "workspace"): RuleSet {
  const exact = new Map<string, Permission>();
  const prefixes = new Map<string, Permission>();
  for (const { kind, segment, policy } of rules) {
    if (kind !== resource && kind !== `${resource}_prefix`) continue;
    const target = kind === resource ? exact : prefixes;
    const key = fold(segment);
    const before = target.get(key);
    // The same segment twice: deny over write over read.
    if (before === undefined || STRICTNESS[policy] > STRICTNESS[before]) target.set(key, policy);
  }
  return { exact, prefixes: [...prefixes].sort(([a], [b]) => (a < b ? -1 : 1)) };
}

function decide(rules: RuleSet, name: string): Permission | undefined {
  const exact = rules.exact.get(name);
  if (exact !== undefined) return exact;
  let best: Permission | undefined;
  // Sorted, so of all prefixes of one name the longest comes last.
  for (const [prefix, permission] of rules.prefixes) if (name.startsWith(prefix)) best = permission;
  return best;
}

function covers(permission: Permission, access: Access): boolean {
  return permission === "write" || permission === access;
}

/**
 * The names below `root` that may be read, as ranges and exceptions.
 *
 * @param fallback whether a name that no rule matches may be read
 */
function visibility(rules: RuleSet, root: string, fallback: boolean): Visibility {
  let base = fallback;
  const inner: [prefix: string, allowed: boolean][] = [];
  for (const [prefix, permission] of rules.prefixes) {
    const allowed = covers(permission, "read");
    if (root.startsWith(prefix)) base = allowed;
    else if (prefix.startsWith(root)) inner.push([prefix.slice(root.length), allowed]);
  }
  const result: Visibility = { ranges: allowedRanges(inner, base), names: [], except: [] };
  for (const [segment, permission] of rules.exact) {
    if (!segment.startsWith(root)) continue;
    (covers(permission, "read") ? result.names : result.except).push(segment.slice(root.length));
  }
  return result;
}

/** Prefixes contain each other or are apart, so one pass with a stack gives the ranges that are allowed. */
function allowedRanges(prefixes: readonly [prefix: string, allowed: boolean][], base: boolean): Visibility["ranges"] {
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

  for (const [prefix, allowed] of prefixes) {
    closeUntil(prefix);
    advance(prefix, open.at(-1)?.allowed ?? base);
    open.push({ allowed, end: afterPrefix(prefix) });
  }
  closeUntil(undefined);
  advance(undefined, base);
  return ranges;
}

/** The first text after all that start with `prefix`. */
function afterPrefix(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
