/**
 * The routes that kinds of access-control objects have in common: one is made, replaced, changed, read and deleted by
 * its key, and all are listed. What is special to a kind stands in its `routes.ts`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { AppError } from "../errors.ts";
import { bodyOf, patchOf, type MergePatch } from "../http/v1/body.ts";
import { readCas } from "../http/v1/parameters.ts";
import { undocumented } from "../http/v1/operation.ts";
import type { Query } from "../http/query.ts";
import { serveList } from "../http/v1/reads/listing.ts";
import { serveObject, type ObjectRead } from "../http/v1/reads/serve.ts";
import type { Read } from "../http/v1/reads/read.ts";
import { sendText } from "../http/v1/render.ts";
import { objectOperations, type Operations } from "./operations.ts";
import type { ListOf } from "./page.ts";
import { fold } from "./rules/fold.ts";

type Told = Pick<ObjectRead, "tables" | "partitionTables" | "sharing" | "awaitsMissing">;
/** The whole of an object, and the members that change of it. */
type Body<B extends TSchema> = Static<B>;
type Patch<B extends TSchema> = MergePatch<Static<B>>;

/** A kind of objects. @typeParam T one of them as its service gives it @typeParam L one as lists have it */
export interface ObjectKind<B extends TSchema, T, L> extends Omit<Operations, "body"> {
  /** Of one object, without its key, and of the list. */
  paths: { one: string; all: string };
  body: B;
  /** What bodies call the key, and the texts of errors. */
  keyMember: { name: string & keyof Static<B>; said: string };
  /** What reads are made from, and who may be given the same answer. */
  reads: Told & { sight?(request: FastifyRequest, key: string): ReturnType<NonNullable<Read["sight"]>> };
  lists?: Partial<Pick<Read, "sharing">> & Pick<Read, "sight">;
  /** Whether reads are answered at once, also those that ask to wait. */
  neverWaits?: true;
  /** Makes what the body says. */
  create(request: FastifyRequest, body: Body<B>): Promise<T>;
  /** Replaces the object of a key by what the body says. */
  replace(request: FastifyRequest, key: string, body: Body<B>): Promise<T>;
  patch(request: FastifyRequest, key: string, patch: Patch<B>): Promise<T>;
  find(request: FastifyRequest, key: string): Promise<T>;
  /** Where it has a name beside its key: the last part of the path, and how it is found. */
  byName?: { path: ":name" | "*"; find(request: FastifyRequest, name: string): Promise<T> };
  remove(request: FastifyRequest, key: string): Promise<void>;
  /** @throws AppError `forbidden` when the caller may read none of it */
  list(request: FastifyRequest): ListOf<L>;
  renderListed(entry: L): unknown;
  /** What it is in events. */
  keyOf(object: T): string;
  render(object: T): unknown;
  /** As a read of one answers it; as all others do unless it says otherwise. */
  renderRead?(request: FastifyRequest, object: T): Promise<unknown>;
}

/** Registers the routes of a kind. @returns how they are configured, for what else the kind offers */
export function objectRoutes<B extends TSchema, T, L>(app: FastifyInstance, kind: ObjectKind<B, T, L>) {
  const operations = objectOperations(kind);
  const { one, all } = kind.paths;
  const byKey = `${one}/:${kind.key}`;
  const keyIn = ({ params }: FastifyRequest) => (params as Record<string, string>)[kind.key] ?? "";

  const create = async (request: FastifyRequest) => kind.render(await kind.create(request, bodyOf(request, kind.body)));
  app.put(one, operations.create, create);
  // Clients that join paths end the path of a new object with a slash.
  app.put(`${one}/`, undocumented(operations.create), create);
  app.put(byKey, operations.replace, async (request) => {
    const body = bodyOf(request, kind.body);
    checkKey(kind, keyIn(request), body);
    return kind.render(await kind.replace(request, keyIn(request), body));
  });
  app.patch(byKey, operations.patch, async (request) => {
    const patch = patchOf(request, kind.body);
    checkKey(kind, keyIn(request), patch);
    return kind.render(await kind.patch(request, keyIn(request), patch));
  });
  app.delete(byKey, operations.delete, async (request, reply) => {
    await kind.remove(request, keyIn(request));
    if (kind.deleted === undefined) return true;
    sendText(reply, 200, "");
    return reply;
  });

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
  app.get(byKey, operations.read, answer(read));
  const { byName } = kind;
  if (byName !== undefined) {
    const nameIn = ({ params }: FastifyRequest) => Object.values(params as Record<string, string>)[0] ?? "";
    const named = serveObject({
      ...reads,
      find: async (request) => found(request, await byName.find(request, nameIn(request))),
    });
    app.get(`${one}/name/${byName.path}`, operations.readByName, answer(named));
  }
  const { tables, partitionTables = [], sharing } = reads;
  const list = serveList({
    tables,
    partitionTables,
    sharing,
    ...kind.lists,
    of: (request) => ({ ...kind.list(request), render: kind.renderListed }),
  });
  app.get(all, operations.list, answer(list));
  return operations;
}

type Handler = ReturnType<typeof serveObject>;

/** Clients know some reads as ones that do not block. */
function atOnce(read: Handler): Handler {
  return (request: FastifyRequest, reply: FastifyReply) => {
    request.readOptions = { ...request.readOptions, index: 0 };
    return read(request, reply);
  };
}

/** A key is looked up in any case, so it may be spelled in any. @throws AppError `invalid` */
function checkKey<B extends TSchema>(
  { keyMember: { name, said } }: Pick<ObjectKind<B, never, never>, "keyMember">,
  key: string,
  body: object,
): void {
  const inBody = (body as Record<string, string | null | undefined>)[name];
  if (inBody && fold(inBody) !== fold(key)) throw new AppError("invalid", `${said} in URL and payload do not match`);
}

/**
 * The ModifyIndex that the object of a write must still have; undefined for any.
 *
 * @throws AppError `bad_parameter`
 */
export function casOf(request: FastifyRequest): number | undefined {
  return readCas(request.query as Query);
}
