/** Rights to workspaces as names of organizations: in which there may be a workspace that somebody may read. */
import { type Layer, tableOf } from "./layer.ts";
import { afterPrefix, isName, nestedRanges, type MarkedNames, type Visibility } from "./visibility.ts";

/** Workspaces that may be read. All names are folded. */
export interface WorkspaceSight {
  /** Organizations of which all workspaces may be read, by rules that are about none of them in particular. */
  readonly whole: Visibility;
  /** Names of workspaces that may be read, in organizations that have rules about their workspaces. Not in `whole`. */
  readonly parts: readonly { organization: string; from: string; to: string | undefined }[];
}

/** Behind the name that it follows, and before all that begin with it: no name holds one. */
const BEHIND = " ";

/**
 * In as many steps as there are rules about organizations and workspaces.
 *
 * @param mayRead whether a workspace may be read, by its folded segment
 * @param unruled a name that no rule is about but those for every name
 * @param only the one organization that is asked about
 */
export function workspaceSight(
  layers: readonly Layer[],
  mayRead: (segment: string) => boolean,
  unruled: string,
  only: string | undefined,
): WorkspaceSight {
  const outer = new Marks();
  const inner = new Map<string, Marks>();
  const around = (name: string) => mayRead(`${name}/${unruled}`);
  for (const layer of layers) {
    const [workspaces, organizations] = [tableOf(layer, "workspace"), tableOf(layer, "organization")];
    for (const [prefix] of workspaces.prefixes.below("")) mark(prefix, true);
    for (const name of workspaces.exact.keys()) if (name.includes("/")) mark(name, false);
    for (const [prefix] of organizations.prefixes.below("")) outer.add(prefix, true, around(prefix + unruled));
    for (const name of organizations.exact.keys()) outer.add(name, false, around(name));
  }

  function mark(text: string, isPrefix: boolean): void {
    const slash = text.indexOf("/");
    if (slash < 0) return outer.add(text, isPrefix, around(text + unruled));
    const organization = text.slice(0, slash);
    if (only !== undefined && organization !== only) return undefined;
    const marks = inner.get(organization) ?? new Marks();
    inner.set(organization, marks);
    return marks.add(text.slice(slash + 1), isPrefix, mayRead(isPrefix ? text + unruled : text));
  }

  const parts = [...inner].flatMap(([organization, marks]) =>
    marks.ranges(around(organization)).map((range) => ({ organization, ...range })),
  );
  return { whole: { ranges: outer.ranges(around(unruled)), names: [], except: [...inner.keys()] }, parts };
}

/** Marks that rules set; names follow the closest. */
class Marks {
  readonly #marks = new Map<string, MarkedNames>();

  add(name: string, isPrefix: boolean, allowed: boolean): void {
    // A rule about every name is what holds for those without a mark.
    if (!isName(name) || (isPrefix && name === "")) return;
    const to = isPrefix ? afterPrefix(name) : name + BEHIND;
    this.#marks.set(`${to}\n${name}`, { from: name, to, allowed });
  }

  ranges(base: boolean): Visibility["ranges"] {
    const sorted = [...this.#marks.values()].sort((a, b) => compare(a.from, b.from) || compare(b.to, a.to));
    return nestedRanges(sorted, base);
  }
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
