import type { FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { bodyOf, patchOf } from "../../http/v1/body.ts";
import { readCas } from "../../http/v1/cas.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { undocumented } from "../../http/v1/operation.ts";
import type { Query } from "../../http/query.ts";
import { serveList } from "../../http/v1/reads/listing.ts";
import { paramsOf, serveObject } from "../../http/v1/reads/object.ts";
import { missing } from "../missing.ts";
import { objectOperations } from "../operations.ts";
import type { RenderScope } from "../render-scope.ts";
import { fold } from "../rules/fold.ts";
import { AUTH_METHODS } from "./lookup.ts";
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
  type ListedMethod,
  type MethodInput,
  type MethodSettings,
} from "./service.ts";

/** The routes of auth methods. */
export function authMethodRoutes(settings: MethodSettings, renderScope: RenderScope): V1Routes {
  const operations = objectOperations({
    noun: "auth method",
    plural: "auth methods",
    prefix: "AuthMethod decoding failed: ",
    key: "name",
    keyName: "name",
    order: "names",
    body: settings.edition === "community" ? communityMethodBody : methodBody,
    answer: methodAnswer,
    listAnswer: methodListAnswer,
    filters: {},
  });
  return (app, _options, done) => {
    const write = async (request: FastifyRequest, name: string) => {
      const body = bodyOf(request, methodBody);
      checkSameName(name, body.Name);
      const { ctx, scope } = request;
      const method = await writeMethod(ctx, scope, name, () => inputFrom(body), casOf(request), settings);
      return renderMethod(method, renderScope);
    };
    const create = async (request: FastifyRequest) => write(request, bodyOf(request, methodBody).Name ?? "");
    app.put("/acl/auth-method", operations.create, create);
    // Clients that join paths end the path of a new object with a slash.
    app.put("/acl/auth-method/", undocumented(operations.create), create);
    app.put<ByName>("/acl/auth-method/:name", operations.replace, async (request) =>
      write(request, request.params.name),
    );
    app.patch<ByName>("/acl/auth-method/:name", operations.patch, async (request) => {
      const { ctx, scope, params } = request;
      const patch = patchOf(request, methodBody);
      checkSameName(params.name, patch.Name ?? undefined);
      const edit = (current: MethodInput | undefined) => {
        if (current === undefined) throw missing("auth method", scope);
        return patched(current, patch);
      };
      return renderMethod(await writeMethod(ctx, scope, params.name, edit, casOf(request), settings), renderScope);
    });
    const read = serveObject({
      ...READ,
      sharing: "brief",
      keyOf: (request) => fold(paramsOf<ByName>(request).name),
      async find(request) {
        const method = await readMethod(request.ctx, request.scope, paramsOf<ByName>(request).name);
        return { key: fold(method.name), value: renderMethod(method, renderScope) };
      },
    });
    app.get("/acl/auth-method/:name", operations.read, read);
    app.delete<ByName>("/acl/auth-method/:name", operations.delete, async (request) => {
      await deleteMethod(request.ctx, request.scope, request.params.name, casOf(request));
      return true;
    });
    const list = serveList({
      ...READ,
      sharing: "kept",
      of: ({ ctx, scope }) => ({
        ...listAuthMethods(ctx, scope),
        render: (method: ListedMethod) => renderListedMethod(method, renderScope),
      }),
    });
    app.get("/acl/auth-methods", operations.list, list);
    done();
  };
}

const READ = { tables: [AUTH_METHODS] } as const;

type ByName = { Params: { name: string } };

function casOf(request: FastifyRequest): number | undefined {
  return readCas(request.query as Query);
}

/** A name is looked up in any case, so it may be spelled in any. */
function checkSameName(pathName: string, bodyName: string | undefined): void {
  if (bodyName && fold(bodyName) !== fold(pathName)) {
    throw new AppError("invalid", "AuthMethod Name in URL and payload do not match");
  }
}
