import type { V1Routes } from "../../http/v1/consul-api.ts";
import { DECLARATIONS } from "../../rights/kinds.ts";
import { objectRoutes, targetOf } from "../kit/object-routes.ts";
import { BY_ID } from "../kit/operations.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { declarationAnswer, declarationBody, inputFrom, renderDeclaration } from "./schema.ts";
import {
  createDeclaration,
  deleteDeclaration,
  listDeclarations,
  readDeclaration,
  readDeclarationByName,
  updateDeclaration,
} from "./service.ts";

/** The routes of declarations. */
export function declarationRoutes(renderScope: RenderScope): V1Routes {
  return objectRoutes({
    noun: "declaration",
    key: BY_ID,
    body: declarationBody,
    answer: declarationAnswer,
    listAnswer: "The declarations.",
    reads: { tables: [DECLARATIONS], sharing: "kept" },
    create: (request, body) => createDeclaration(request.ctx, targetOf(request), inputFrom(body)),
    inputFrom,
    write: (request, id, edit) => updateDeclaration(request.ctx, targetOf(request, id), edit),
    find: ({ ctx, scope }, id) => readDeclaration(ctx, scope, id),
    byName: { path: ":name", find: ({ ctx, scope }, name) => readDeclarationByName(ctx, scope, name) },
    remove: (request, id) => deleteDeclaration(request.ctx, targetOf(request, id)),
    list: ({ ctx, scope }) => listDeclarations(ctx, scope),
    keyOf: ({ id }) => id,
    render: (declaration) => renderDeclaration(declaration, renderScope),
  });
}
