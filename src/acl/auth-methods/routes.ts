import type { V1Routes } from "../../http/v1/consul-api.ts";
import { objectRoutes, targetOf } from "../kit/object-routes.ts";
import { BY_NAME } from "../kit/operations.ts";
import { warningsOfAuthMethod } from "../checks/lint.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { fold } from "../../fold.ts";
import { AUTH_METHODS } from "../../rights/kinds.ts";
import {
  communityMethodBody,
  inputFrom,
  methodAnswer,
  methodBody,
  methodListAnswer,
  patched,
  renderListedMethod,
  renderMethod,
} from "./schema.ts";
import { deleteMethod, listAuthMethods, readMethod, writeMethod, type MethodOptions } from "./service.ts";

/** The routes of auth methods. */
export function authMethodRoutes(options: MethodOptions, renderScope: RenderScope): V1Routes {
  return objectRoutes({
    noun: "auth method",
    key: { ...BY_NAME, said: "Name" },
    // The community's leaves members out.
    body: options.edition === "community" ? (communityMethodBody as typeof methodBody) : methodBody,
    answer: methodAnswer,
    listAnswer: methodListAnswer,
    reads: { tables: [AUTH_METHODS], sharing: "brief" },
    lists: { sharing: "kept" },
    inputFrom,
    patched,
    write: (request, name, edit) => writeMethod(request.ctx, targetOf(request, name), edit, options),
    find: ({ ctx, scope }, name) => readMethod(ctx, scope, name),
    remove: (request, name) => deleteMethod(request.ctx, targetOf(request, name)),
    list: ({ ctx, scope }) => listAuthMethods(ctx, scope),
    renderListed: (method) => renderListedMethod(method, renderScope),
    keyOf: ({ name }) => fold(name),
    warningsOf: ({ ctx }, method) => warningsOfAuthMethod(ctx, method, options.validators),
    render: (method) => renderMethod(method, renderScope),
  });
}
