import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../errors.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { casOf, objectRoutes } from "../object-routes.ts";
import { seesNamespace } from "../authorize.ts";
import { NAMESPACES, POLICIES, ROLES } from "../kinds.ts";
import { fold } from "../rules/fold.ts";
import type { Scope } from "../scope.ts";
import { sightOfNamespaces } from "../sight.ts";
import {
  inputFrom,
  linksIn,
  namespaceAnswer,
  namespaceBody,
  namespaceListAnswer,
  patched,
  renderNamespace,
} from "./schema.ts";
import { deleteNamespace, listNamespaces, readNamespace, writeNamespace, type NamespaceInput } from "./service.ts";

/** The routes of namespaces. */
export const namespaceRoutes: V1Routes = (app, _options, done) => {
  const write = (request: FastifyRequest, name: string, body: Parameters<typeof inputFrom>[0]) => {
    const change = { edit: () => inputFrom(body), links: linksIn(body), cas: casOf(request) };
    return writeNamespace(request.ctx, scopeOf(request, name), change);
  };
  objectRoutes(app, {
    noun: "namespace",
    plural: "namespaces",
    paths: { one: "/namespace", all: "/namespaces" },
    prefix: "Namespace decoding failed: ",
    key: "name",
    keyName: "name",
    keyMember: { name: "Name", said: "Namespace name" },
    order: "names",
    body: namespaceBody,
    answer: namespaceAnswer,
    listAnswer: namespaceListAnswer,
    filters: {},
    within: "partition",
    deleted: Type.String({ description: "It is marked for deletion; the body is empty.", examples: [""] }),
    reads: {
      // They show the names of policies and roles.
      tables: [NAMESPACES, POLICIES, ROLES],
      sharing: "kept",
      sight: (request, name) => (seesNamespace(request.ctx.actor, scopeOf(request, name)) ? "all" : "nothing"),
    },
    lists: { sight: ({ ctx, scope }) => sightOfNamespaces(ctx.actor, scope.partition) },
    create: async (request, body) => write(request, body.Name ?? "", body),
    replace: async (request, name, body) => write(request, name, body),
    async patch(request, name, patch) {
      const edit = (current: NamespaceInput | undefined) => {
        if (current === undefined) throw new AppError("not_found", `Namespace "${fold(name)}" does not exist`);
        return patched(current, patch);
      };
      const change = { edit, links: linksIn(patch), cas: casOf(request) };
      return writeNamespace(request.ctx, scopeOf(request, name), change);
    },
    find: (request, name) => readNamespace(request.ctx, scopeOf(request, name)),
    remove: (request, name) => deleteNamespace(request.ctx, scopeOf(request, name), casOf(request)),
    list: ({ ctx, scope }) => listNamespaces(ctx, scope),
    renderListed: renderNamespace,
    keyOf: ({ name }) => name,
    render: renderNamespace,
  });
  done();
};

function scopeOf({ scope }: FastifyRequest, name: string): Scope {
  return { partition: scope.partition, namespace: fold(name) };
}
