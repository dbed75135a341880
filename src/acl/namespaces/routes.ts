import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../errors.ts";
import { bodyOf, patchOf } from "../../http/v1/body.ts";
import { readCas } from "../../http/v1/cas.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { undocumented } from "../../http/v1/operation.ts";
import type { Query } from "../../http/query.ts";
import { serveList } from "../../http/v1/reads/listing.ts";
import { sendText } from "../../http/v1/render.ts";
import { paramsOf, serveObject } from "../../http/v1/reads/object.ts";
import { objectOperations } from "../operations.ts";
import { POLICIES } from "../policies/lookup.ts";
import { ROLES } from "../roles/lookup.ts";
import { fold } from "../rules/fold.ts";
import type { Scope } from "../scope.ts";
import { sightOfNamespaces } from "../sight.ts";
import { NAMESPACES } from "./lookup.ts";
import {
  inputFrom,
  linksIn,
  namespaceAnswer,
  namespaceBody,
  namespaceListAnswer,
  patched,
  renderNamespace,
} from "./schema.ts";
import {
  deleteNamespace,
  listNamespaces,
  readNamespace,
  writeNamespace,
  type LinkedNamespace,
  type NamespaceInput,
} from "./service.ts";

const OPERATIONS = objectOperations({
  noun: "namespace",
  plural: "namespaces",
  prefix: "Namespace decoding failed: ",
  key: "name",
  keyName: "name",
  order: "names",
  body: namespaceBody,
  answer: namespaceAnswer,
  listAnswer: namespaceListAnswer,
  filters: {},
  within: "partition",
  deleted: Type.String({ description: "It is marked for deletion; the body is empty.", examples: [""] }),
});

/** The routes of namespaces. */
export const namespaceRoutes: V1Routes = (app, _options, done) => {
  const write = async (request: FastifyRequest, name: string) => {
    const body = bodyOf(request, namespaceBody);
    checkName(name, body.Name);
    const change = { edit: () => inputFrom(body), links: linksIn(body), cas: casOf(request) };
    return renderNamespace(await writeNamespace(request.ctx, scopeOf(request, name), change));
  };
  const create = async (request: FastifyRequest) => write(request, bodyOf(request, namespaceBody).Name ?? "");
  app.put("/namespace", OPERATIONS.create, create);
  // Clients that join paths end the path of a new object with a slash.
  app.put("/namespace/", undocumented(OPERATIONS.create), create);
  app.put<ByName>("/namespace/:name", OPERATIONS.replace, async (request) => write(request, request.params.name));
  app.patch<ByName>("/namespace/:name", OPERATIONS.patch, async (request) => {
    const { name } = request.params;
    const patch = patchOf(request, namespaceBody);
    checkName(name, patch.Name ?? undefined);
    const edit = (current: NamespaceInput | undefined) => {
      if (current === undefined) throw new AppError("not_found", `Namespace "${fold(name)}" does not exist`);
      return patched(current, patch);
    };
    const change = { edit, links: linksIn(patch), cas: casOf(request) };
    return renderNamespace(await writeNamespace(request.ctx, scopeOf(request, name), change));
  });
  const read = serveObject({
    ...READ,
    keyOf: (request) => fold(paramsOf<ByName>(request).name),
    sight: (request) =>
      request.ctx.actor.rights.seesNamespace(scopeOf(request, paramsOf<ByName>(request).name)) ? "all" : "nothing",
    async find(request) {
      const namespace = await readNamespace(request.ctx, scopeOf(request, paramsOf<ByName>(request).name));
      return { key: namespace.name, value: renderNamespace(namespace) };
    },
  });
  app.get("/namespace/:name", OPERATIONS.read, read);
  app.delete<ByName>("/namespace/:name", OPERATIONS.delete, async (request, reply) => {
    await deleteNamespace(request.ctx, scopeOf(request, request.params.name), casOf(request));
    sendText(reply, 200, "");
    return reply;
  });
  const list = serveList({
    ...READ,
    sight: ({ ctx, scope }) => sightOfNamespaces(ctx.actor, scope.partition),
    of: ({ ctx, scope }) => ({
      ...listNamespaces(ctx, scope),
      render: (namespace: LinkedNamespace) => renderNamespace(namespace),
    }),
  });
  app.get("/namespaces", OPERATIONS.list, list);
  done();
};

/** They show the names of policies and roles. */
const READ = { tables: [NAMESPACES, POLICIES, ROLES], sharing: "kept" } as const;

type ByName = { Params: { name: string } };

function scopeOf({ scope }: FastifyRequest, name: string): Scope {
  return { partition: scope.partition, namespace: fold(name) };
}

function casOf(request: FastifyRequest): number | undefined {
  return readCas(request.query as Query);
}

function checkName(pathName: string, bodyName: string | undefined): void {
  if (bodyName && fold(bodyName) !== fold(pathName)) {
    throw new AppError("invalid", "Namespace name in URL and payload do not match");
  }
}
