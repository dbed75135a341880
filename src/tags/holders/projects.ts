/** Projects as holders of tags: keys with values, which their workspaces inherit. */
import type { Reader, Transaction } from "../../storage/database.ts";
import { MAX_BINDINGS } from "./bindings/keys.ts";
import { judgeProjects } from "../rules/judge.ts";
import { BINDING } from "../pool/marks.ts";
import { findTagsByName, ONE_PROJECT, type NamedTag } from "../pool/store.ts";
import type { HeldChange, Holder, HolderKind } from "./holder.ts";
import { gain } from "./links.ts";
import {
  countBoundProjects,
  deleteProjectLinks,
  deleteProjectLinksOfTag,
  findHeldByProject,
  findProjectLinks,
  insertProjectLinks,
  updateProjectValue,
} from "./project-store.ts";
import type { LinkRequest } from "./request.ts";

const NO_KEYS: ReadonlySet<string> = new Set();

export const PROJECTS: HolderKind<Holder> = {
  name: "project",
  use: ONE_PROJECT,
  hasFlatTags: false,
  findLinks: findProjectLinks,
  findConcerned,
  listAll: findHeldByProject,
  countWhereCrowded: () => Promise.resolve(0),
  inheritedKeys: () => Promise.resolve(NO_KEYS),
  findFull,
  judge(db, policy, writes) {
    const judged = writes.map(({ holder, diff, given }) => ({
      project: holder,
      given: given.flatMap(({ name: key, value }) => (value === undefined ? [] : [{ key, value }])),
      dropped: diff.filter(({ after }) => after.marks === 0).map(({ id, name: key }) => ({ id, key })),
    }));
    return judgeProjects(db, policy, judged);
  },
  insertAll(tx, links) {
    insertProjectLinks(
      tx,
      links.map(({ holder, tag: tagId, position, link: { value, bindingId, boundAt } }) => {
        return { projectId: holder.id, tagId, value, bindingId, boundAt, position };
      }),
    );
  },
  update(tx, project, tag, { value }) {
    updateProjectValue(tx, project, tag, value);
  },
  removeFromHolder: deleteProjectLinks,
  removeFromAll: deleteProjectLinksOfTag,
};

/** All keys that the project has, since their number decides, and those that the request names. */
async function findConcerned(
  tx: Transaction,
  { id, organizationId }: Holder,
  { bindings }: LinkRequest,
): Promise<NamedTag[]> {
  const keys = (bindings?.wanted ?? []).map(({ key }) => key);
  const [held, named] = await Promise.all([findHeldByProject(tx, id), findTagsByName(tx, organizationId, keys)]);
  return [...held, ...named];
}

async function findFull(db: Reader, changes: readonly HeldChange[]): Promise<Set<string>> {
  const gaining = changes.filter(({ diff }) => gain(diff, BINDING) > 0);
  const counts = await countBoundProjects(
    db,
    gaining.map(({ holder }) => holder.id),
  );
  const isFull = ({ holder, diff }: HeldChange) => (counts.get(holder.id) ?? 0) + gain(diff, BINDING) > MAX_BINDINGS;
  return new Set(gaining.filter(isFull).map(({ holder }) => holder.id));
}
