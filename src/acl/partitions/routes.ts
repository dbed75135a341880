import { Type } from "typebox";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { casOf, objectRoutes } from "../kit/object-routes.ts";
import { BY_NAME } from "../kit/operations.ts";
import { fold } from "../../fold.ts";
import { PARTITIONS } from "../../rights/kinds.ts";
import { inputFrom, partitionAnswer, partitionBody, renderPartition } from "./schema.ts";
import { deletePartition, listPartitions, missing, readPartition, seesPartition, writePartition } from "./service.ts";

/** The routes of partitions. */
export const partitionRoutes: V1Routes = objectRoutes({
  noun: "partition",
  key: BY_NAME,
  body: partitionBody,
  answer: partitionAnswer,
  listAnswer: "The partitions that the caller may read.",
  within: "server",
  deleted: Type.String({
    description: "Deleted if empty, else marked for deletion. The body is empty.",
    examples: [""],
  }),
  reads: {
    tables: [PARTITIONS],
    // Each partition is told of under an index of its own, so that no answer can be kept or waited for by one index.
    sharing: "own",
    sight: ({ ctx, scope }, name) =>
      [scope.partition, fold(name)].every((each) => seesPartition(ctx, each)) ? "all" : "nothing",
  },
  lists: { sight: ({ ctx, scope }) => (seesPartition(ctx, scope.partition) ? "all" : "nothing") },
  neverWaits: true,
  inputFrom,
  write: (request, name, edit) => writePartition(request.ctx, fold(name), { edit, cas: casOf(request) }),
  missing: (_request, name) => missing(fold(name)),
  find: ({ ctx }, name) => readPartition(ctx, fold(name)),
  remove: (request, name) => deletePartition(request.ctx, fold(name), casOf(request)),
  list: ({ ctx }) => listPartitions(ctx),
  keyOf: ({ name }) => name,
  render: renderPartition,
});
