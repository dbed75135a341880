/**
 * The routes that kinds of access-control objects have in common: one is made, replaced, changed, read and deleted by
 * its key, and all are listed. What is special to a kind stands in its `routes.ts`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { AppError, invalid } from "../../errors.ts";
import { bodyOf, patchOf, type MergePatch } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { readCas } from "../../http/v1/parameters.ts";
import { undocumented } from "../../http/v1/operation.ts";
import type { QueryParameters } from "../../http/query.ts";
import { serveList } from "../../http/v1/reads/listing.ts";
import { serveObject, type ObjectRead } from "../../http/v1/reads/serve.ts";
import type { Read } from "../../http/v1/reads/read.ts";
import { sendText } from "../../http/v1/render.ts";
import { type LintFinding, warningsHeader } from "../checks/finding.ts";
import { missing, type WriteTarget } from "./objects.ts";
import { camel, objectOperations, pathsOf, type Operations } from "./operations.ts";
import type { ListOf } from "../../lists/page.ts";
import { fold } from "../../fold.ts";

type Told = Pick<ObjectRead, "tables" | "partitionTables" | "sharing" | "awaitsMissing">;
/** The whole of an object, and the members that change of it. */
type Body<B extends TSchema> = Static<B>;
type Patch<B extends TSchema> = MergePatch<Static<B>>;

/**
 * A kind of objects.
 *
 * @typeParam I what a body says of one @typeParam T one as its service gives it @typeParam L one as lists have it
 */
export interface ObjectKind<B extends TSchema, I extends object, T, L> extends Omit<Operations, "body"> {
  body: B;
  /** Sources of reads, and the callers that may share an answer. */
  reads: Told & { sight?(request: FastifyRequest, key: string): ReturnType<NonNullable<Read["sight"]>> };
  lists?: Partial<Pick<Read, "sharing">> & Pick<Read, "sight">;
  /** Whether reads are answered at once, also those that ask to wait. */
  neverWaits?: true;
  /** Returns the content in a body. Its members have the names of the body's members, except for their case. */
  inputFrom(body: Body<B>): I;
  /** Applies a patch to an object, when a patch does more than replace members. */
  patched?(current: I, patch: Patch<B>): I;
  /** Creates the object in the body. Without it, the object that the body names is written. */
  create?(request: FastifyRequest, body: Body<B>): Promise<T>;
  /**
   * Writes the object of a key.
   *
   * @param edit returns the new content from the current one; undefined: none yet; without side effects: it may run again
   * @param given content of the request
   */
  write(request: FastifyRequest, key: string, edit: (current: I | undefined) => I, given: Patch<B>): Promise<T>;
  /** The refusal to change an object that is not there, where `write` leaves that to `edit`. */
  missing?(request: FastifyRequest, key: string): AppError;
  find(request: FastifyRequest, key: string): Promise<T>;
  /** Look-up by a name besides the key: the last part of the path, and the function that finds the object. */
  byName?: { path: ":name" | "*"; find(request: FastifyRequest, name: string): Promise<T> };
  remove(request: FastifyRequest, key: string): Promise<void>;
  /** @throws AppError `forbidden` when the caller may read none of it */
  list(request: FastifyRequest): ListOf<L>;
  /** Renders an entry of a list. Default: `render`. */
  renderListed?(entry: L): unknown;
  /** Returns the key of an object in events. */
  keyOf(object: T): string;
  render(object: T): unknown;
  /** Returns likely errors in an object that was just written; the answer of the write contains them. */
  warningsOf?(request: FastifyRequest, object: T): Promise<readonly LintFinding[]>;
  /** Renders an object for a read of one object. Default: `render`. */
  renderRead?(request: FastifyRequest, object: T): Promise<unknown>;
}

/** Returns the routes of a kind. @param more adds further routes of the kind; receives the configuration of the routes */
export function objectRoutes<B extends TSchema, I extends object, T, L>(
  kind: ObjectKind<B, I, T, L>,
  more?: (app: Parameters<V1Routes>[0], operations: ReturnType<typeof objectOperations>) => void,
): V1Routes {
  return (app, _options, done) => {
    const operations = register(app, kind);
    more?.(app, operations);
    done();
  };
}

function register<B extends TSchema, I extends object, T, L>(app: FastifyInstance, kind: ObjectKind<B, I, T, L>) {
  const operations = objectOperations(kind);
  registerWrites(app, kind, operations);
  registerReads(app, kind, operations);
  return operations;
}

/** Returns what takes the key of an object out of the path of a request. */
function keyReader({ key }: { key: { parameter: string } }): (request: FastifyRequest) => string {
  return ({ params }) => (params as Texts)[key.parameter] ?? "";
}

function registerWrites<B extends TSchema, I extends object, T, L>(
  app: FastifyInstance,
  kind: ObjectKind<B, I, T, L>,
  operations: ReturnType<typeof objectOperations>,
): void {
  const { one } = pathsOf(kind);
  const { parameter, member } = kind.key;
  const byKey = `${one}/:${parameter}`;
  const keyIn = keyReader(kind);
  const replace = (request: FastifyRequest, key: string, body: Body<B>) =>
    kind.write(request, key, () => kind.inputFrom(body), body);

  const written = async (request: FastifyRequest, reply: FastifyReply, object: T) => {
    if (kind.warningsOf !== undefined) await tellWarnings(request, reply, kind.warningsOf(request, object));
    return kind.render(object);
  };
  const create = async (request: FastifyRequest, reply: FastifyReply) => {
    const body = bodyOf(request, kind.body);
    const { create: make } = kind;
    const made = make === undefined ? replace(request, (body as Texts)[member] ?? "", body) : make(request, body);
    return written(request, reply, await made);
  };
  app.put(one, operations.create, create);
  // Clients that join paths end the path of a new object with a slash.
  app.put(`${one}/`, undocumented(operations.create), create);
  app.put(byKey, operations.replace, async (request, reply) => {
    const body = bodyOf(request, kind.body);
    checkKey(kind, keyIn(request), body);
    return written(request, reply, await replace(request, keyIn(request), body));
  });
  const { patched = patchedBy(kind.inputFrom) } = kind;
  app.patch(byKey, operations.patch, async (request, reply) => {
    const patch = patchOf(request, kind.body);
    const key = keyIn(request);
    checkKey(kind, key, patch as Texts);
    const edit = (current: I | undefined) => {
      if (current === undefined) throw kind.missing?.(request, key) ?? missing(kind.noun, request.scope);
      return patched(current, patch);
    };
    return written(request, reply, await kind.write(request, key, edit, patch));
  });
  app.delete(byKey, operations.delete, async (request, reply) => {
    await kind.remove(request, keyIn(request));
    if (kind.deleted === undefined) return true;
    sendText(reply, 200, "");
    return reply;
  });
}

function registerReads<B extends TSchema, I extends object, T, L>(
  app: FastifyInstance,
  kind: ObjectKind<B, I, T, L>,
  operations: ReturnType<typeof objectOperations>,
): void {
  const { one, all } = pathsOf(kind);
  const keyIn = keyReader(kind);
  const { sight, ...reads } = kind.reads;
  const found = async (request: FastifyRequest, object: T) => ({
    key: kind.keyOf(object),
    value: kind.renderRead === undefined ? kind.render(object) : await kind.renderRead(request, object),
  });
  const answer = kind.neverWaits ? atOnce : (handler: Handler) => handler;
  const read = serveObject({
    ...reads,
    ...(sight === undefined ? {} : { sight: (request) => sight(request, keyIn(request)) }),
    keyOf: (request) => fold(keyIn(request)),
    find: async (request) => found(request, await kind.find(request, keyIn(request))),
  });
  app.get(`${one}/:${kind.key.parameter}`, operations.read, answer(read));
  const { byName } = kind;
  if (byName !== undefined) {
    const nameIn = ({ params }: FastifyRequest) => Object.values(params as Record<string, string>)[0] ?? "";
    const named = serveObject({
      ...reads,
      find: async (request) => found(request, await byName.find(request, nameIn(request))),
    });
    app.get(`${one}/name/${byName.path}`, operations.readByName, answer(named));
  }
  const { tables, partitionTables, sharing } = reads;
  const { renderListed = kind.render as unknown as (entry: L) => unknown } = kind;
  const list = serveList({
    tables,
    partitionTables,
    sharing,
    ...kind.lists,
    of: (request) => ({ ...kind.list(request), render: renderListed }),
  });
  app.get(all, operations.list, answer(list));
}

/** Adds warnings to the answer of a write. The write stays, also when the search for warnings fails. */
export async function tellWarnings(
  request: FastifyRequest,
  reply: FastifyReply,
  looking: Promise<readonly LintFinding[]>,
): Promise<void> {
  const warnings = await looking.catch((err: unknown) => {
    request.log.warn({ err, requestId: request.id }, "cannot compute warnings for the saved object");
    return [];
  });
  const header = warningsHeader(warnings);
  if (header !== undefined) reply.header("x-service-warnings", header).header("x-consul-warnings", header);
}

type Handler = ReturnType<typeof serveObject>;

/** Clients know some reads as ones that do not block. */
function atOnce(read: Handler): Handler {
  return (request: FastifyRequest, reply: FastifyReply) => {
    request.readOptions = { ...request.readOptions, index: 0 };
    return read(request, reply);
  };
}

type Texts = Readonly<Record<string, string | null | undefined>>;

/** A key is looked up in any case, so it may be spelled in any. @throws AppError `invalid` */
function checkKey({ noun, key: { member, said } }: Pick<Operations, "noun" | "key">, key: string, body: Texts): void {
  const inBody = body[member];
  if (!inBody || fold(inBody) === fold(key)) return;
  throw invalid(`${camel(noun)} ${said} in URL and payload do not match`);
}

/** Makes what applies a merge patch: what it names is replaced, null empties it, all else stays. */
export function patchedBy<B extends object, I extends object>(inputFrom: (body: B) => I) {
  return (current: I, patch: MergePatch<B>): I => {
    const named = new Set(Object.keys(patch).map(fold));
    const given = inputFrom(Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null)) as B);
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, named.has(fold(name)) ? value : current[name as keyof I]]),
    ) as I;
  };
}

/** @throws AppError `bad_parameter` */
export function casOf(request: FastifyRequest): WriteTarget["cas"] {
  return readCas(request.query as QueryParameters);
}

/** Returns the target of a write. @throws AppError `bad_parameter` */
export function targetOf(request: FastifyRequest, key = ""): WriteTarget {
  return { scope: request.scope, key, cas: casOf(request) };
}
