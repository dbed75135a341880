import type { V1Routes } from "../../http/v1/consul-api.ts";
import { missing } from "../objects.ts";
import { casOf, objectRoutes } from "../object-routes.ts";
import type { RenderScope } from "../scope.ts";
import { fold } from "../rules/fold.ts";
import { AUTH_METHODS } from "../kinds.ts";
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
import {
  deleteMethod,
  listAuthMethods,
  readMethod,
  writeMethod,
  type MethodInput,
  type MethodOptions,
} from "./service.ts";

/** The routes of auth methods. */
export function authMethodRoutes(options: MethodOptions, renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    objectRoutes(app, {
      noun: "auth method",
      plural: "auth methods",
      paths: { one: "/acl/auth-method", all: "/acl/auth-methods" },
      prefix: "AuthMethod decoding failed: ",
      key: "name",
      keyName: "name",
      keyMember: { name: "Name", said: "AuthMethod Name" },
      order: "names",
      // The community's leaves members out.
      body: options.edition === "community" ? (communityMethodBody as typeof methodBody) : methodBody,
      answer: methodAnswer,
      listAnswer: methodListAnswer,
      filters: {},
      reads: { tables: [AUTH_METHODS], sharing: "brief" },
      lists: { sharing: "kept" },
      create: (request, body) =>
        writeMethod(request.ctx, request.scope, body.Name ?? "", () => inputFrom(body), casOf(request), options),
      replace: (request, name, body) =>
        writeMethod(request.ctx, request.scope, name, () => inputFrom(body), casOf(request), options),
      patch(request, name, patch) {
        const edit = (current: MethodInput | undefined) => {
          if (current === undefined) throw missing("auth method", request.scope);
          return patched(current, patch);
        };
        return writeMethod(request.ctx, request.scope, name, edit, casOf(request), options);
      },
      find: ({ ctx, scope }, name) => readMethod(ctx, scope, name),
      remove: (request, name) => deleteMethod(request.ctx, request.scope, name, casOf(request)),
      list: ({ ctx, scope }) => listAuthMethods(ctx, scope),
      renderListed: (method) => renderListedMethod(method, renderScope),
      keyOf: ({ name }) => fold(name),
      render: (method) => renderMethod(method, renderScope),
    });
    done();
  };
}
