import { Type } from "typebox";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { casOf, objectRoutes } from "../object-routes.ts";
import { fold } from "../rules/fold.ts";
import { PARTITIONS } from "../kinds.ts";
import { inputFrom, partitionAnswer, partitionBody, partitionListAnswer, patched, renderPartition } from "./schema.ts";
import {
  deletePartition,
  listPartitions,
  missing,
  readPartition,
  seesPartition,
  writePartition,
  type PartitionInput,
} from "./service.ts";

/** The routes of partitions. */
export const partitionRoutes: V1Routes = (app, _options, done) => {
  objectRoutes(app, {
    noun: "partition",
    plural: "partitions",
    paths: { one: "/partition", all: "/partitions" },
    prefix: "Partition decoding failed: ",
    key: "name",
    keyName: "name",
    keyMember: { name: "Name", said: "Partition name" },
    order: "names",
    body: partitionBody,
    answer: partitionAnswer,
    listAnswer: partitionListAnswer,
    filters: {},
    within: "server",
    deleted: Type.String({ description: "It is marked for deletion; the body is empty.", examples: [""] }),
    reads: {
      tables: [PARTITIONS],
      // Each partition is told of under an index of its own, so that no answer can be kept or waited for by one index.
      sharing: "own",
      sight: ({ ctx, scope }, name) =>
        [scope.partition, fold(name)].every((each) => seesPartition(ctx, each)) ? "all" : "nothing",
    },
    lists: { sight: ({ ctx, scope }) => (seesPartition(ctx, scope.partition) ? "all" : "nothing") },
    neverWaits: true,
    create: (request, body) =>
      writePartition(request.ctx, fold(body.Name ?? ""), { edit: () => inputFrom(body), cas: casOf(request) }),
    replace: (request, name, body) =>
      writePartition(request.ctx, fold(name), { edit: () => inputFrom(body), cas: casOf(request) }),
    patch(request, name, patch) {
      const edit = (current: PartitionInput | undefined) => {
        if (current === undefined) throw missing(fold(name));
        return patched(current, patch);
      };
      return writePartition(request.ctx, fold(name), { edit, cas: casOf(request) });
    },
    find: ({ ctx }, name) => readPartition(ctx, fold(name)),
    remove: (request, name) => deletePartition(request.ctx, fold(name), casOf(request)),
    list: ({ ctx }) => listPartitions(ctx),
    renderListed: renderPartition,
    keyOf: ({ name }) => name,
    render: renderPartition,
  });
  done();
};
