import type { FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { bodyOf, patchOf } from "../../http/v1/body.ts";
import { readCas } from "../../http/v1/cas.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import type { Query } from "../../http/query.ts";
import { serveList } from "../../http/v1/reads/listing.ts";
import { paramsOf, serveObject } from "../../http/v1/reads/object.ts";
import { missing } from "../missing.ts";
import { objectOperations } from "../operations.ts";
import type { RenderScope } from "../render-scope.ts";
import { fold } from "../rules/fold.ts";
import { AUTH_METHODS } from "./lookup.ts";
import {
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
  type AuthMethod,
  type MethodInput,
  type MethodSettings,
} from "./service.ts";

const PREFIX = "AuthMethod decoding failed: ";
const OPERATIONS = objectOperations({
  noun: "auth method",
  plural: "auth methods",
  prefix: PREFIX,
  key: "name",
  keyName: "name",
  order: "names",
  body: methodBody,
  answer: methodAnswer,
  listAnswer: methodListAnswer,
  filters: {},
});

/** The routes of auth methods. */
export function authMethodRoutes(settings: MethodSettings, renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    const write = async (request: FastifyRequest, name: string) => {
      const body = bodyOf(request, methodBody);
      checkSameName(name, body.Name);
      checkEdition(settings, body);
      const { ctx, scope } = request;
      const method = await writeMethod(ctx, scope, name, () => inputFrom(body), casOf(request), settings);
      return renderMethod(method, renderScope);
    };
    const create = async (request: FastifyRequest) => write(request, bodyOf(request, methodBody).Name ?? "");
    app.put("/acl/auth-method", OPERATIONS.create, create);
    // Clients that join paths end the path of a new object with a slash.
    app.put("/acl/auth-method/", { config: { ...OPERATIONS.create.config, undocumented: true } }, create);
    app.put<ByName>("/acl/auth-method/:name", OPERATIONS.replace, async (request) =>
      write(request, request.params.name),
    );
    app.patch<ByName>("/acl/auth-method/:name", OPERATIONS.patch, async (request) => {
      const { ctx, scope, params } = request;
      const patch = patchOf(request, methodBody);
      checkSameName(params.name, patch.Name ?? undefined);
      checkEdition(settings, patch);
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
    app.get("/acl/auth-method/:name", OPERATIONS.read, read);
    app.delete<ByName>("/acl/auth-method/:name", OPERATIONS.delete, async (request) => {
      await deleteMethod(request.ctx, request.scope, request.params.name, casOf(request));
      return true;
    });
    const list = serveList({
      ...READ,
      sharing: "kept",
      of: ({ ctx, scope }) => ({
        ...listAuthMethods(ctx, scope),
        render: (method: AuthMethod) => renderListedMethod(method, renderScope),
      }),
    });
    app.get("/acl/auth-methods", OPERATIONS.list, list);
    done();
  };
}

const READ = { tables: [AUTH_METHODS] } as const;

type ByName = { Params: { name: string } };

function casOf(request: FastifyRequest): number | undefined {
  return readCas(request.query as Query);
}

/** Without namespaces there are no rules that choose one. */
function checkEdition({ edition }: MethodSettings, body: object): void {
  if (edition === "enterprise" || !("NamespaceRules" in body)) return;
  throw new AppError("invalid", `${PREFIX}json: unknown field "NamespaceRules"`);
}

/** A name is looked up in any case, so it may be spelled in any. */
function checkSameName(pathName: string, bodyName: string | undefined): void {
  if (bodyName && fold(bodyName) !== fold(pathName)) {
    throw new AppError("invalid", "AuthMethod Name in URL and payload do not match");
  }
}
