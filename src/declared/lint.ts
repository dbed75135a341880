/**
 * Checks by the server of objects before they are written: reasons for which it would refuse them, and parts without
 * the expected effect.
 */
import { fold } from "../fold.ts";
import { TesseraError, type OperationId } from "@tessera-server/client";
import type { PlannedChange } from "./change.ts";
import type { ImportOrigin } from "./import/source.ts";
import { keyOf, type KindName } from "./kinds.ts";
import type { Problem } from "./problem.ts";
import { inParallel, isNoRoute, readOne, scopeQuery, type Server } from "./server.ts";
import { isRecord, plainText, toWire } from "./shape.ts";

export interface Looked {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Keys of binding rules that were checked with their auth method as the plan makes it, as a write checks them. */
  readonly besideMethods: ReadonlySet<string>;
  /** Objects that were not checked, and the reason. Undefined when all were checked. */
  readonly gap: string | undefined;
}

interface Finding {
  readonly Message: string;
  readonly Member: string;
  readonly Line?: number;
  readonly Column?: number;
  readonly DidYouMean?: string;
}

const CHECKS: Partial<Record<KindName, OperationId>> = {
  policy: "checkPolicy",
  "binding-rule": "checkBindingRule",
  "auth-method": "checkAuthMethod",
};

/**
 * Has the server look at what would be written. A server that cannot says nothing, and that is said.
 *
 * @param from the kind of server that policies are taken from: what they decide otherwise there is warned of
 */
export async function lint(server: Server, changes: readonly PlannedChange[], from?: ImportOrigin): Promise<Looked> {
  const all = changes.filter(({ action, object }) => action !== "delete" && CHECKS[object.kind.name] !== undefined);
  const errors: Problem[] = [];
  const warnings: Problem[] = changes.flatMap(secretless);
  // The same plan may create objects that a new object needs: their absence is not a fault.
  const made = new Set(changes.flatMap(({ action, object }) => (action === "create" ? [fold(object.name)] : [])));
  const methods = new Map(all.map((change) => [change.object.key, change]));
  const besideMethods = new Set<string>();
  let isUnable = false;
  await inParallel(server, all, async (change) => {
    if (isUnable) return;
    const { kind, where, key } = change.object;
    const method = kind.name === "binding-rule" ? methods.get(methodOf(change)) : undefined;
    const body = { ...bodyOf(change), ...(method && { Method: bodyOf(method) }) };
    try {
      const operation = CHECKS[kind.name] as OperationId;
      const found = await readOne(server, operation, {
        query: { ...scopeQuery(server, where), ...(kind.name === "policy" && from !== undefined && { from }) },
        body,
      });
      const faults = findingsIn(found, "Errors");
      // Faults of the method are reported for the method.
      const isBeside = method !== undefined && !faults.some(({ Member }) => Member === "Method");
      if (isBeside) besideMethods.add(key);
      errors.push(
        ...faults
          .filter((each) => !isOfPlan(each, made) && each.Member !== "Method")
          .map((each) => problemOf(change, each)),
      );
      warnings.push(
        ...findingsIn(found, "Warnings")
          .filter((each) => !isOfPlan(each, made))
          .map((each) => problemOf(change, each)),
      );
    } catch (error) {
      if (!isNoRoute(error) && !isOfOlder(error)) throw error;
      isUnable = true;
    }
  });
  if (isUnable)
    return {
      errors: [],
      warnings: changes.flatMap(secretless),
      besideMethods: new Set(),
      gap: "the server is older than this tessera and cannot check changes",
    };
  return { errors, warnings, besideMethods, gap: undefined };
}

/** An object as its check takes it. */
function bodyOf({ object: { kind, name }, content, live }: PlannedChange): Record<string, unknown> {
  return {
    // An object that is there already is looked at as that one.
    ...(live === undefined || kind.name === "auth-method" ? {} : { ID: live.id }),
    ...toWire(kind.members, content),
    ...(kind.named === "name" ? { Name: name } : {}),
  };
}

function methodOf({ object: { where }, content }: PlannedChange): string {
  return keyOf("auth-method", where, plainText(content["auth-method"]));
}

/** Whether a server takes less than the whole object: one of an older version looks at the rules of a policy alone. */
function isOfOlder(error: unknown): boolean {
  return (
    error instanceof TesseraError &&
    error.status === 400 &&
    /unknown field "(ID|Datacenters|Description|Method)"/.test(error.detail)
  );
}

/** A token whose secret nobody will ever have. */
function secretless({ action, object: { kind, content, path, place, key } }: PlannedChange): Problem[] {
  if (kind.name !== "token" || action !== "create" || content["secret"] !== undefined) return [];
  const message = `token ${path} has no secret: the server generates one that is never shown; set secret: env:NAME`;
  return [{ place, message, key }];
}

function findingsIn(answer: Readonly<Record<string, unknown>>, member: "Errors" | "Warnings"): readonly Finding[] {
  const list: unknown = answer[member];
  return (Array.isArray(list) ? list : []).filter((each): each is Finding => isRecord(each) && "Message" in each);
}

/** Whether it says that something is missing which the plan makes. */
function isOfPlan({ Message }: Finding, made: ReadonlySet<string>): boolean {
  if (!/no (such|role|policy|auth method)|not exist|missing|cannot find|not found/i.test(Message)) return false;
  return [...Message.matchAll(/["'`]([^"'`]+)["'`]|auth method (\S+)/g)].some(([, quoted = "", bare = ""]) =>
    made.has(fold(quoted || bare)),
  );
}

function problemOf(change: PlannedChange, finding: Finding): Problem {
  return { ...placed(change, finding), key: change.object.key };
}

function placed({ object }: PlannedChange, { Message, Member, Line, Column, DidYouMean }: Finding): Problem {
  const { rulesPlace, place, kind, path } = object;
  const hint = DidYouMean === undefined || Message.includes(DidYouMean) ? "" : `; did you mean ${DidYouMean}?`;
  // Faults in a rules file have their place in that file. Faults in other rules have it in the message.
  const isFile =
    Member === "Rules" && rulesPlace !== undefined && /\.hcl$/i.test(rulesPlace.file) && Line !== undefined;
  if (isFile) return { place: { file: rulesPlace.file, line: Line, column: Column ?? 1 }, message: Message + hint };
  const at = Line === undefined ? "" : `, line ${Line}${Column === undefined ? "" : `, column ${Column}`}`;
  return { place: rulesPlace ?? place, message: `${Member} of ${kind.name} ${path}${at}: ${Message}${hint}` };
}
