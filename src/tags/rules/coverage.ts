/** Counts how far the workspaces of an organization have the keys that its rules require. */
import { packTexts, type TextList } from "../../limits/kept-lists.ts";
import type { ApartSource, ApartWork } from "../../storage/database.ts";
import { coverageAsJson, type KeyCoverage } from "./as-json.ts";
import type { TagState } from "./check.ts";
import type { TagRule } from "./rule.ts";
import { walkStates, type StateWalk } from "./walk.ts";

/** Values and projects of a key that are shown. */
const MAX_SHOWN = 10;
/** Pairs of a key with a value, and of a key with a project, that are counted: more would fill the memory. */
export const MAX_PAIRS = 50_000;

/**
 * Coverage of each required key: the list has them as JSON, those that most workspaces lack first. The list is not whole
 * when there were more values or projects than are counted; the values beyond count as others.
 */
export const KEY_COVERAGE: ApartWork<Counting, TextList[]> = {
  name: "coverage of required keys",
  async run(source, counting) {
    const { found, isWhole } = await countKeys(source, counting);
    return [
      packTexts(
        found.map((coverage) => JSON.stringify(coverageAsJson(coverage))),
        isWhole,
      ),
    ];
  },
};

/** Workspaces whose keys are counted, and the rules that require those. Plain data, for another thread. */
export interface Counting extends StateWalk {
  rules: readonly TagRule[];
  /** Pairs of keys with values, and with projects, that are counted. */
  most?: number;
}

/** Coverage of each required key, those that most workspaces lack first. */
export async function countKeys(
  source: ApartSource,
  { rules, most = MAX_PAIRS, ...walk }: Counting,
): Promise<{ found: KeyCoverage[]; isWhole: boolean }> {
  const left = { values: most, projects: most, isWhole: true };
  const counts = requiredIn(rules).map((required) => new CountedKey(required, left));
  await walkStates(source, walk, (state) => {
    const tags = new Set(state.tags);
    const values = new Map(state.bindings.map(({ key, value }) => [key, value]));
    for (const count of counts) count.add(state, tags, values);
  });
  const found = counts
    .map((count) => count.coverage())
    .toSorted((a, b) => b.missing - a.missing || byText(a.key, b.key));
  return { found, isWhole: left.isWhole };
}

/** A key, and who requires it where. */
export interface RequiredKey {
  key: string;
  rules: string[];
  /** Projects whose workspaces must have it; undefined for all. */
  projects: ReadonlySet<string> | undefined;
}

/** The keys that rules require, in the order of the rules. */
export function requiredIn(rules: readonly TagRule[]): RequiredKey[] {
  const pairs = rules.flatMap((rule) => (rule.requiredKeys ?? []).map((key) => ({ key, rule })));
  return [...Map.groupBy(pairs, ({ key }) => key)].map(([key, found]) => {
    const projects = found.flatMap(({ rule: { project } }) => (project === undefined ? [] : [project]));
    return {
      key,
      rules: [...new Set(found.map(({ rule }) => rule.name))],
      projects: projects.length < found.length ? undefined : new Set(projects),
    };
  });
}

/** Pairs that may still be added, of all keys together. */
interface Room {
  values: number;
  projects: number;
  isWhole: boolean;
}

class CountedKey {
  readonly #required: RequiredKey;
  readonly #room: Room;
  readonly #values = new Map<string, number>();
  readonly #projects = new Map<string, { workspaces: number; missing: number }>();
  #workspaces = 0;
  #missing = 0;
  #withoutValue = 0;

  constructor(required: RequiredKey, room: Room) {
    this.#required = required;
    this.#room = room;
  }

  add({ projectId }: TagState, tags: ReadonlySet<string>, values: ReadonlyMap<string, string>): void {
    const { key, projects } = this.#required;
    if (projects?.has(projectId) === false) return;
    const value = values.get(key);
    const isMissing = value === undefined && !tags.has(key);
    this.#workspaces += 1;
    if (isMissing) this.#missing += 1;
    else if (value === undefined) this.#withoutValue += 1;
    else this.#addValue(value);
    this.#addProject(projectId, isMissing);
  }

  #addValue(value: string): void {
    const known = this.#values.get(value);
    if (known === undefined && this.#room.values <= 0) {
      this.#room.isWhole = false;
      return;
    }
    if (known === undefined) this.#room.values -= 1;
    this.#values.set(value, (known ?? 0) + 1);
  }

  #addProject(id: string, isMissing: boolean): void {
    const known = this.#projects.get(id);
    if (known !== undefined) {
      known.workspaces += 1;
      known.missing += Number(isMissing);
      return;
    }
    if (this.#room.projects <= 0) {
      this.#room.isWhole = false;
      return;
    }
    this.#room.projects -= 1;
    this.#projects.set(id, { workspaces: 1, missing: Number(isMissing) });
  }

  coverage(): KeyCoverage {
    const values = [...this.#values]
      .map(([value, workspaces]) => ({ value, workspaces }))
      .toSorted((a, b) => b.workspaces - a.workspaces || byText(a.value, b.value))
      .slice(0, MAX_SHOWN);
    const shown = values.reduce((sum, { workspaces }) => sum + workspaces, 0);
    return {
      key: this.#required.key,
      rules: this.#required.rules,
      workspaces: this.#workspaces,
      missing: this.#missing,
      withoutValue: this.#withoutValue,
      valueCount: this.#values.size,
      values,
      others: this.#workspaces - this.#missing - this.#withoutValue - shown,
      projects: [...this.#projects]
        .map(([id, counts]) => ({ id, ...counts }))
        .toSorted((a, b) => b.missing - a.missing || b.workspaces - a.workspaces || byText(a.id, b.id))
        .slice(0, MAX_SHOWN),
    };
  }
}

/** Order of texts by their characters. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
