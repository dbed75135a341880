import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { casOf, objectRoutes } from "../kit/object-routes.ts";
import { BY_NAME } from "../kit/operations.ts";
import { seesNamespace } from "../../rights/authorize.ts";
import { NAMESPACES, POLICIES, ROLES } from "../../rights/kinds.ts";
import { fold } from "../../fold.ts";
import type { Scope } from "../../rights/scope.ts";
import { sightOfNamespaces } from "../../rights/sight.ts";
import { inputFrom, linksIn, namespaceAnswer, namespaceBody, patched, renderNamespace } from "./schema.ts";
import { deleteNamespace, listNamespaces, missing, readNamespace, writeNamespace } from "./service.ts";

/** The routes of namespaces. */
export const namespaceRoutes: V1Routes = objectRoutes({
  noun: "namespace",
  key: BY_NAME,
  body: namespaceBody,
  answer: namespaceAnswer,
  listAnswer: "The namespaces that the caller may see.",
  within: "partition",
  deleted: Type.String({
    description: "Deleted if empty, else marked for deletion. The body is empty.",
    examples: [""],
  }),
  reads: {
    // They show the names of policies and roles.
    tables: [NAMESPACES, POLICIES, ROLES],
    sharing: "kept",
    sight: (request, name) => (seesNamespace(request.ctx.actor, scopeOf(request, name)) ? "all" : "nothing"),
  },
  lists: { sight: ({ ctx, scope }) => sightOfNamespaces(ctx.actor, scope.partition) },
  inputFrom,
  patched,
  async write(request, name, edit, given) {
    const change = { edit, links: linksIn(given), cas: casOf(request) };
    return writeNamespace(request.ctx, scopeOf(request, name), change);
  },
  missing: (_request, name) => missing(fold(name)),
  find: (request, name) => readNamespace(request.ctx, scopeOf(request, name)),
  remove: (request, name) => deleteNamespace(request.ctx, scopeOf(request, name), casOf(request)),
  list: ({ ctx, scope }) => listNamespaces(ctx, scope),
  keyOf: ({ name }) => name,
  render: renderNamespace,
});

function scopeOf({ scope }: FastifyRequest, name: string): Scope {
  return { ...scope, namespace: fold(name) };
}
