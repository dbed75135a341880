import { fold } from "../../fold.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { DECISION_MAPPINGS } from "../../rights/kinds.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { objectRoutes, targetOf } from "../kit/object-routes.ts";
import { BY_NAME } from "../kit/operations.ts";
import { inputFrom, mappingAnswer, mappingBody, renderMapping } from "./schema.ts";
import { deleteMapping, listMappings, readMapping, writeMapping } from "./service.ts";

/** The routes of mappings of the decision point. */
export function decisionMappingRoutes(renderScope: RenderScope): V1Routes {
  return objectRoutes({
    noun: "decision mapping",
    key: { ...BY_NAME, said: "Name" },
    body: mappingBody,
    answer: mappingAnswer,
    listAnswer: "The decision mappings.",
    reads: { tables: [DECISION_MAPPINGS], sharing: "kept" },
    inputFrom,
    write: (request, name, edit) => writeMapping(request.ctx, targetOf(request, name), edit),
    find: ({ ctx, scope }, name) => readMapping(ctx, scope, name),
    remove: (request, name) => deleteMapping(request.ctx, targetOf(request, name)),
    list: ({ ctx, scope }) => listMappings(ctx, scope),
    keyOf: ({ name }) => fold(name),
    render: (mapping) => renderMapping(mapping, renderScope),
  });
}
