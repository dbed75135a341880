/** Looks through the workspaces of an organization for those that fall short of its rules for tags. */
import { setImmediate } from "node:timers/promises";
import type { Visibility } from "../acl/rules/visibility.ts";
import { packTexts, type TextList } from "../limits/kept-lists.ts";
import { findReservedKeys } from "../reserved-tag-keys/store.ts";
import type { ApartWork, Reader } from "../storage/database.ts";
import { applyingOf } from "../tag-bindings/effective.ts";
import { listBindingsOfProjects } from "../tag-bindings/store.ts";
import { BINDING, TAG } from "../tags/marks.ts";
import { startTurn } from "../turns.ts";
import { checkTagRules, compileTagRules, type CompiledTagRules, type TagState, type Violation } from "./check.ts";
import { renderShortcoming } from "./render.ts";
import {
  listCarried,
  listInspected,
  listWorkspacesAfter,
  type CarriedTag,
  type InspectedWorkspace,
} from "./report-store.ts";
import type { TagRule } from "./rule.ts";

/** Workspaces that are read at a time, and links up to which one statement reads those of them. */
const SLICE = { workspaces: 250, links: 5000 };

interface Inspection {
  organization: string;
  rules: readonly TagRule[];
}

/** Finds the workspaces that fall short: the list has their ids, in order of names. Plain data, for another thread. */
export const FALLING_SHORT: ApartWork<Inspection & { visibility: Visibility | undefined }, TextList[]> = {
  name: "workspaces that fall short",
  async run(source, { organization, rules, visibility }) {
    const inspect = startInspection(source, { organization, rules });
    const found: string[] = [];
    let after = "";
    for (;;) {
      const workspaces = await listWorkspacesAfter(source, organization, visibility, after, SLICE.workspaces);
      for (const { workspace } of await inspect(workspaces)) found.push(workspace.id);
      const last = workspaces.at(-1);
      if (workspaces.length < SLICE.workspaces || last === undefined) return [packTexts(found)];
      after = last.nameKey;
      await setImmediate();
    }
  },
};

/** Says of some of them what they break: the list has them as they are shown, those left out that break nothing any more. */
export const SHORTCOMINGS: ApartWork<Inspection & { workspaces: readonly string[] }, string[]> = {
  name: "what workspaces fall short of",
  async run(source, { organization, rules, workspaces }) {
    const inspect = startInspection(source, { organization, rules });
    const found = await inspect(await listInspected(source, organization, workspaces));
    return found.map(({ workspace, violations }) => JSON.stringify(renderShortcoming(workspace, violations)));
  },
};

interface Shortcoming {
  workspace: InspectedWorkspace;
  violations: Violation[];
}

/** Makes what gives those of a few workspaces that break rules, in the same order. */
function startInspection(db: Reader, { organization, rules }: Inspection) {
  const compiled = compileTagRules(rules);
  return (workspaces: readonly InspectedWorkspace[]) => inspectSome(db, compiled, organization, workspaces);
}

async function inspectSome(
  db: Reader,
  compiled: CompiledTagRules,
  organization: string,
  workspaces: readonly InspectedWorkspace[],
): Promise<Shortcoming[]> {
  const [links, inherited] = await Promise.all([
    readLinks(
      db,
      workspaces.map(({ id }) => id),
    ),
    listBindingsOfProjects(db, [...new Set(workspaces.map(({ projectId }) => projectId))]),
  ]);
  const fixed = await findFixedKeys(db, organization, inherited);
  const ofWorkspace = Map.groupBy(links, ({ workspace }) => workspace);
  const ofProject = Map.groupBy(inherited, ({ holder }) => holder);
  const turn = startTurn();
  const found: Shortcoming[] = [];
  for (const workspace of workspaces) {
    const carried = ofWorkspace.get(workspace.id) ?? [];
    const violations = checkTagRules(compiled, stateOf(workspace, carried, ofProject.get(workspace.projectId), fixed));
    if (violations.length > 0) found.push({ workspace, violations });
    if (turn.isOver()) await turn.next();
  }
  return found;
}

/** Keys of projects to which no workspace may give another value. */
async function findFixedKeys(
  db: Reader,
  organization: string,
  inherited: readonly { key: string }[],
): Promise<Set<string>> {
  const keys = [...new Set(inherited.map(({ key }) => key))];
  const reserved = await findReservedKeys(db, organization, keys);
  return new Set(reserved.flatMap(({ key, disableOverrides: isFixed }) => (isFixed === 1 ? [key] : [])));
}

/** In halves where they have very many; no workspace has more than one statement reads. */
async function readLinks(db: Reader, workspaces: readonly string[]): Promise<CarriedTag[]> {
  const links = await listCarried(db, workspaces, SLICE.links + 1);
  if (links.length <= SLICE.links || workspaces.length === 1) return links;
  await setImmediate();
  const middle = Math.ceil(workspaces.length / 2);
  const first = await readLinks(db, workspaces.slice(0, middle));
  return [...first, ...(await readLinks(db, workspaces.slice(middle)))];
}

function stateOf(
  { projectId }: InspectedWorkspace,
  carried: readonly CarriedTag[],
  inherited: readonly { key: string; value: string }[] = [],
  fixed: ReadonlySet<string>,
): TagState {
  const bound = carried.filter(({ marks }) => (marks & BINDING) !== 0);
  const own = bound.map(({ name, value }) => ({ key: name, value }));
  const applying = applyingOf<{ key: string; value: string }>(own, inherited, fixed);
  return {
    projectId,
    // In an order of their own, so that a workspace is told the same twice.
    tags: carried.flatMap(({ name, marks }) => ((marks & TAG) === 0 ? [] : [name])).sort(),
    bindings: [...applying.own, ...applying.inherited].sort((a, b) => (a.key < b.key ? -1 : 1)),
  };
}
