/** Tags and keys of workspaces, in the form that tag policies check. */
import { findReservedKeys } from "./reserved-keys/store.ts";
import type { Reader } from "../../storage/database.ts";
import { applyingOf } from "../holders/bindings/effective.ts";
import { listBindingsOfProjects } from "../holders/bindings/store.ts";
import { BINDING, TAG } from "../pool/marks.ts";
import { findTagsByName, idsOf, type TagLink } from "../pool/store.ts";
import { findLinks } from "../holders/workspace-tags/store.ts";
import type { TagState } from "./check.ts";
import { listCarried, type CarriedTag } from "./states-store.ts";
import { pause } from "../../turns.ts";

/** A tag as a workspace is to hold it; `marks` of 0 stand for not at all. */
export interface LinkAfter {
  name: string;
  after: Pick<TagLink, "marks" | "value">;
}

/** Tags and keys of some workspaces, own and inherited from their projects, at one instant. */
export interface TagStates {
  /**
   * Returns the state of one workspace in one of the projects.
   *
   * @param diff what it is to hold otherwise than it does
   */
  of(workspace: { id: string; projectId: string }, diff?: readonly LinkAfter[]): TagState;
}

/** Workspaces and projects whose states are read. */
interface Concerned {
  organization: string;
  workspaces: readonly string[];
  /** The projects that they are in, or come into. */
  projects: readonly string[];
  /** The only tags to look at; undefined for all. */
  names?: readonly string[] | undefined;
}

export async function readTagStates(db: Reader, concerned: Concerned): Promise<TagStates> {
  const { organization, workspaces, projects, names } = concerned;
  const [links, inherited] = await Promise.all([
    names === undefined ? readLinks(db, workspaces) : readNamed(db, organization, workspaces, names),
    listBindingsOfProjects(db, [...new Set(projects)]),
  ]);
  const fixed = await findFixedKeys(db, organization, inherited);
  const ofWorkspace = Map.groupBy(links, ({ workspace }) => workspace);
  const ofProject = Map.groupBy(inherited, ({ holder }) => holder);
  return {
    of({ id, projectId }, diff = []) {
      const carried = new Map((ofWorkspace.get(id) ?? []).map((link) => [link.name, link]));
      for (const { name, after } of diff) carried.set(name, { workspace: id, name, ...after });
      return stateOf(projectId, [...carried.values()], ofProject.get(projectId), fixed);
    },
  };
}

/** Links that one statement reads. */
const SLICE = 5000;

/** In halves where they have very many; no workspace has more than one statement reads. */
async function readLinks(db: Reader, workspaces: readonly string[]): Promise<CarriedTag[]> {
  const links = await listCarried(db, workspaces, SLICE + 1);
  if (links.length <= SLICE || workspaces.length === 1) return links;
  await pause();
  const middle = Math.ceil(workspaces.length / 2);
  const first = await readLinks(db, workspaces.slice(0, middle));
  return [...first, ...(await readLinks(db, workspaces.slice(middle)))];
}

async function readNamed(
  db: Reader,
  organization: string,
  workspaces: readonly string[],
  names: readonly string[],
): Promise<CarriedTag[]> {
  const tags = await findTagsByName(db, organization, [...new Set(names)]);
  const held = await findLinks(db, idsOf(tags), workspaces);
  return [...held].flatMap(([workspace, links]) =>
    tags.flatMap(({ id, name }) => {
      const link = links.get(id);
      return link === undefined ? [] : [{ workspace, name, marks: link.marks, value: link.value }];
    }),
  );
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

function stateOf(
  projectId: string,
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
