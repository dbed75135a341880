/** Has a server try what a plan writes: its own rules refuse it before anything is made, of whatever kind it is. */
import { TesseraError, type Answer } from "@tessera-server/client";
import type { PlannedChange } from "./change.ts";
import { keyOf, type KindName, type Where } from "./kinds.ts";
import { isMadeByHome, madeWith, needsOf } from "./order.ts";
import type { Problem } from "./problem.ts";
import type { SecretSources } from "./secrets.ts";
import { inParallel, isUnknown, type Api, type Server } from "./server.ts";
import type { FileContent } from "./shape.ts";
import { makeChange, ChangedSincePlan } from "./write.ts";

/** A change that the server was not asked about, or of which it did not say whether it would make it. */
export interface Untried {
  readonly change: PlannedChange;
  /** As the end of a sentence. */
  readonly why: string;
}

export interface Tried {
  readonly errors: readonly Problem[];
  /** In the order of the plan. */
  readonly untried: readonly Untried[];
}

interface TrialOptions {
  readonly secrets: SecretSources;
  /** Keys of objects that were refused already. */
  readonly known: ReadonlySet<string>;
  /** Keys of binding rules that were checked with their auth method as the plan makes it. */
  readonly besideMethods: ReadonlySet<string>;
  /** Called after each change that was tried, with the total number. */
  readonly onTried?: (tried: number, of: number) => void;
}

/** Members that link to what the same plan may make, by the kind that they link to. */
const LINKS: Partial<Record<KindName, Readonly<Record<string, KindName>>>> = {
  role: { policies: "policy" },
  token: { policies: "policy", roles: "role" },
  namespace: { "policy-defaults": "policy", "role-defaults": "role" },
};

/**
 * Tries the changes, each by itself: links to what the plan makes are left out, since the plan itself has found them, and new namespaces
 * and partitions count as there. What rests on another change in any other way is left out and named, since the server would judge it
 * by what is there now. Nothing is written.
 *
 * @throws what the client throws
 */
export async function tryChanges(
  server: Server,
  changes: readonly PlannedChange[],
  { secrets, known, besideMethods, onTried }: TrialOptions,
): Promise<Tried> {
  const { trials } = server;
  const all = changes.filter(({ object }) => !known.has(object.key));
  if (trials === undefined || all.length === 0) return { errors: [], untried: [] };
  if (await isUnknown(trials.here, "readOwnToken", { signal: server.signal })) {
    const why = "the server is older than this tessera and cannot test changes";
    return { errors: [], untried: all.map((change) => ({ change, why })) };
  }
  const trying: Server = { ...server, api: answered(trials.here) };
  const inNew: Server = { ...server, api: answered(trials.inNew) };
  const touched = touchedBy(changes);
  const errors = new Map<PlannedChange, Problem>();
  const untried = new Map<PlannedChange, string>();
  /** Kinds and places where the token of the plan may not write: a refusal there says nothing about the files. */
  const closed = new Set<string>();
  let tried = 0;
  await inParallel(server, all, async (change) => {
    const { kind, where, key, place, path } = change.object;
    const home = JSON.stringify([kind.name, where]);
    const alone = byItself(change, touched);
    if ("restsOn" in alone) {
      if (!besideMethods.has(key)) untried.set(change, restingOn(alone.restsOn, touched));
      return;
    }
    if (closed.has(home)) return void untried.set(change, MAY_NOT);
    const refused = (message: string) =>
      void errors.set(change, { place, key, message: `${kind.name} ${path} would be rejected: ${message}` });
    try {
      await makeChange(alone.isInNew ? inNew : trying, alone.change, secrets);
    } catch (error) {
      const said = error instanceof ChangedSincePlan && error.cause !== undefined ? error.cause : error;
      if (!(said instanceof TesseraError)) return refusedInWords(said, refused);
      const words = said.detail === "" ? said.title : said.detail;
      const isRefused = [400, 409, 413, 422].includes(said.status);
      const dependent = isRefused && change.action === "delete" ? dependentOf(change, changes) : undefined;
      if (isRefused && dependent === undefined) return refused(words);
      const isClosed = [401, 403, 404].includes(said.status);
      if (isClosed) closed.add(home);
      const others = dependent === undefined ? `the server could not test it: ${words}` : restingOn(dependent, touched);
      untried.set(change, isClosed ? MAY_NOT : others);
    } finally {
      onTried?.(++tried, all.length);
    }
  });
  // A caller that may not write a method may not write its rules: both need the same permission.
  for (const rule of rulesOfClosedMethods(all, closed)) {
    if (besideMethods.has(rule.object.key)) untried.set(rule, MAY_NOT);
  }
  // In the order of the plan, whichever was answered first.
  return {
    errors: all.flatMap((change) => errors.get(change) ?? []),
    untried: all.flatMap((change) => (untried.has(change) ? [{ change, why: untried.get(change) ?? "" }] : [])),
  };
}

/** Returns the binding rules in places where auth methods may not be written. @param closed kinds and places, as JSON */
function rulesOfClosedMethods(changes: readonly PlannedChange[], closed: ReadonlySet<string>): PlannedChange[] {
  const isClosed = (where: Where): boolean => closed.has(JSON.stringify(["auth-method", where]));
  return changes.filter(({ object: { kind, where } }) => kind.name === "binding-rule" && isClosed(where));
}

const MAY_NOT = "your token may not write it, or may not read its scope";

function restingOn(key: string, touched: ReadonlyMap<string, boolean>): string {
  return `depends on ${key}, which the plan ${touched.get(key) === true ? "creates" : "changes"}`;
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

/** Keys of what a plan is about, each with whether it makes it, and of what the server makes with that. */
function touchedBy(changes: readonly PlannedChange[]): ReadonlyMap<string, boolean> {
  const made = changes.flatMap(({ object, action }) => (action === "create" ? madeWith(object) : []));
  return new Map([
    ...made.map((key) => [key, true] as const),
    ...changes.map(({ object, action }) => [object.key, action === "create"] as const),
  ]);
}

/**
 * Returns the key of another object in the plan that links to an object to delete, or is in it, before or after the
 * plan. Undefined when there is none.
 */
function dependentOf({ object }: PlannedChange, changes: readonly PlannedChange[]): string | undefined {
  return changes.find(
    (each) =>
      each.object.key !== object.key &&
      (needsOf(each.object).includes(object.key) ||
        (each.live !== undefined && needsOf(each.live).includes(object.key))),
  )?.object.key;
}

/** A change as it can be tried alone, or the key of the other change that it rests on. */
type Alone = { change: PlannedChange; isInNew: boolean } | { restsOn: string };

function byItself(change: PlannedChange, touched: ReadonlyMap<string, boolean>): Alone {
  const { object } = change;
  const { kind, where, name } = object;
  if (change.action === "delete") return { change, isInNew: false };
  const isMade = (key: string) => key !== object.key && touched.get(key) === true;
  const content: Record<string, FileContent[string]> = { ...change.content };
  for (const [member, linked] of Object.entries(LINKS[kind.name] ?? {})) {
    const at = kind.name === "namespace" ? { ...where, namespace: "default" } : where;
    const links = content[member];
    if (Array.isArray(links)) content[member] = (links as string[]).filter((each) => !isMade(keyOf(linked, at, each)));
  }
  const needs = needsOf({ ...object, content });
  const homes = needs.filter((key) => /^(?:partition|namespace) /.test(key) && isMade(key));
  // It is made with its namespace, and only then changed.
  const [home] = homes;
  if (home !== undefined && kind.name === "policy" && isMadeByHome("policy", name)) return { restsOn: home };
  // An organization's rules judge what lies in it, a project gives its bindings, and a method says which claims there are.
  const judges = kind.home === "organization" ? [keyOf("tag-rules", where, "")] : [];
  const changing = [...judges, ...needs.filter((key) => /^(?:project|auth-method) /.test(key))];
  const restsOn =
    needs.find((key) => isMade(key) && !homes.includes(key) && isAskedFor(key, kind.name)) ??
    changing.find((key) => key !== object.key && touched.has(key));
  if (restsOn !== undefined) return { restsOn };
  return { change: { ...change, content, object: { ...object, content } }, isInNew: home !== undefined };
}

/** Whether a write is refused where this is not there: using a tag makes it, and a binding rule gives what there is at each login. */
function isAskedFor(key: string, by: KindName): boolean {
  return !key.startsWith("tag ") && !(by === "binding-rule" && /^(?:role|policy) /.test(key));
}
