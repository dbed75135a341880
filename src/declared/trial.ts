/** Has a server try what a plan writes: its own rules refuse it before anything is made, of whatever kind it is. */
import { TesseraError, type Answer } from "@tessera-server/client";
import type { Change } from "./change.ts";
import { keyOf, type KindName } from "./kinds.ts";
import { needsOf } from "./order.ts";
import type { Problem } from "./problem.ts";
import type { SecretSources } from "./secrets.ts";
import { inParallel, isUnknown, type Api, type Server } from "./server.ts";
import type { Content } from "./shape.ts";
import { makeChange, Moved } from "./write.ts";

export interface Tried {
  readonly errors: readonly Problem[];
  /** What was not tried, and why; undefined when all was. */
  readonly gap: string | undefined;
}

/** So many are tried for one plan. */
const MOST = 1_000;

/** Members that link to what the same plan may make, by the kind that they link to. */
const LINKS: Partial<Record<KindName, Readonly<Record<string, KindName>>>> = {
  role: { policies: "policy" },
  token: { policies: "policy", roles: "role" },
  namespace: { "policy-defaults": "policy", "role-defaults": "role" },
};

/**
 * Tries the changes that make or change something, each by itself: what rests on another change of the plan is left out, since the server
 * would judge it by what is there now. Nothing is written.
 *
 * @param known keys of objects that were refused already @throws what the client throws
 */
export async function tryChanges(
  server: Server,
  changes: readonly Change[],
  { secrets, known }: { secrets: SecretSources; known: ReadonlySet<string> },
): Promise<Tried> {
  const { trial } = server;
  const all = changes.filter(({ action, object }) => action !== "delete" && !known.has(object.key));
  if (trial === undefined || all.length === 0) return { errors: [], gap: undefined };
  if (await isUnknown(trial, "readOwnToken", { signal: server.signal }))
    return { errors: [], gap: "the server tries nothing before it is written: it is older than this tessera" };
  const alone = all.flatMap((change) => byItself(change, changes) ?? []);
  const trying: Server = { ...server, api: answered(trial) };
  const errors = new Map<Change, Problem>();
  /** Where the token of the plan may not write: what is refused there says nothing of the files. */
  const closed = new Set<string>();
  let unseen = all.length - alone.length;
  await inParallel(server, alone.slice(0, MOST), async (change) => {
    const { kind, where, key, place, path } = change.object;
    const home = JSON.stringify([kind.name, where]);
    if (closed.has(home)) return void unseen++;
    const refused = (message: string) =>
      void errors.set(change, { place, key, message: `${kind.name} ${path} would be refused: ${message}` });
    try {
      await makeChange(trying, change, secrets);
    } catch (error) {
      const said = error instanceof Moved && error.cause !== undefined ? error.cause : error;
      if (!(said instanceof TesseraError)) return refusedInWords(said, refused);
      if ([400, 409, 413, 422].includes(said.status)) return refused(said.detail === "" ? said.title : said.detail);
      unseen++;
      if ([401, 403, 404].includes(said.status)) closed.add(home);
    }
  });
  unseen += Math.max(0, alone.length - MOST);
  // In the order of the plan, whichever was answered first.
  const told = alone.flatMap((change) => errors.get(change) ?? []);
  return { errors: told, gap: unseen === 0 ? undefined : gapOf(unseen, all.length, closed.size > 0) };
}

function gapOf(unseen: number, of: number, isClosed: boolean): string {
  const why = isClosed ? "the token of this command may not make them" : "they rest on others, or are too many";
  return `${unseen} of ${of} changes could not be tried before they are made (${why})`;
}

/** Files and variables that cannot be had are told in words; whatever else went wrong went wrong with the server. */
function refusedInWords(error: unknown, refused: (message: string) => void): void {
  if (!(error instanceof Error) || error.name !== "Error") throw error;
  refused(error.message);
}

/** A write that was tried has no answer; who makes one reads an object. */
function answered(trial: Api): Api {
  return {
    pages: trial.pages.bind(trial),
    async request<T>(...asked: Parameters<Api["request"]>): Promise<Answer<T>> {
      const answer = await trial.request<T>(...asked);
      return answer.body === undefined ? { ...answer, body: {} as T } : answer;
    },
  };
}

/** A change as it can be tried alone: without links to what the plan makes. @returns undefined where it rests on another change */
function byItself(change: Change, changes: readonly Change[]): Change | undefined {
  const { object } = change;
  const { kind, where } = object;
  const made = new Set<string>();
  const touched = new Set<string>();
  for (const each of changes) {
    if (each.object.key === object.key) continue;
    touched.add(each.object.key);
    if (each.action === "create") made.add(each.object.key);
  }
  const content: Record<string, Content[string]> = { ...change.content };
  for (const [member, linked] of Object.entries(LINKS[kind.name] ?? {})) {
    const at = kind.name === "namespace" ? { ...where, namespace: "default" } : where;
    const links = content[member];
    if (Array.isArray(links))
      content[member] = (links as string[]).filter((each) => !made.has(keyOf(linked, at, each)));
  }
  const needs = needsOf({ ...object, content });
  // An organization's rules judge what lies in it, a project gives its bindings, and a method says which claims there are.
  const judges = kind.home === "organization" ? [keyOf("tag-rules", where, "")] : [];
  const changing = [...judges, ...needs.filter((key) => /^(?:project|auth-method) /.test(key))];
  const isOpen =
    needs.some((key) => made.has(key) && !key.startsWith("tag ")) || changing.some((key) => touched.has(key));
  return isOpen ? undefined : { ...change, content, object: { ...object, content } };
}
