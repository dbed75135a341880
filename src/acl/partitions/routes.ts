import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../errors.ts";
import { bodyOf, patchOf } from "../../http/v1/body.ts";
import { readCas } from "../../http/v1/cas.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { undocumented } from "../../http/v1/operation.ts";
import type { Query } from "../../http/query.ts";
import { serveList } from "../../http/v1/reads/listing.ts";
import { sendText } from "../../http/v1/render.ts";
import { paramsOf, serveObject } from "../../http/v1/reads/object.ts";
import { objectOperations } from "../operations.ts";
import { fold } from "../rules/fold.ts";
import { PARTITIONS } from "./lookup.ts";
import { inputFrom, partitionAnswer, partitionBody, partitionListAnswer, patched, renderPartition } from "./schema.ts";
import {
  deletePartition,
  listPartitions,
  missing,
  readPartition,
  seesPartition,
  writePartition,
  type Partition,
  type PartitionInput,
} from "./service.ts";

const OPERATIONS = objectOperations({
  noun: "partition",
  plural: "partitions",
  prefix: "Partition decoding failed: ",
  key: "name",
  keyName: "name",
  order: "names",
  body: partitionBody,
  answer: partitionAnswer,
  listAnswer: partitionListAnswer,
  filters: {},
  within: "server",
  deleted: Type.String({ description: "It is marked for deletion; the body is empty.", examples: [""] }),
});

/** The routes of partitions. */
export const partitionRoutes: V1Routes = (app, _options, done) => {
  const write = async (request: FastifyRequest, name: string) => {
    const body = bodyOf(request, partitionBody);
    checkName(name, body.Name);
    const change = { edit: () => inputFrom(body), cas: casOf(request) };
    return renderPartition(await writePartition(request.ctx, fold(name), change));
  };
  const create = async (request: FastifyRequest) => write(request, bodyOf(request, partitionBody).Name ?? "");
  app.put("/partition", OPERATIONS.create, create);
  // Clients that join paths end the path of a new object with a slash.
  app.put("/partition/", undocumented(OPERATIONS.create), create);
  app.put<ByName>("/partition/:name", OPERATIONS.replace, async (request) => write(request, request.params.name));
  app.patch<ByName>("/partition/:name", OPERATIONS.patch, async (request) => {
    const { name } = request.params;
    const patch = patchOf(request, partitionBody);
    checkName(name, patch.Name ?? undefined);
    const edit = (current: PartitionInput | undefined) => {
      if (current === undefined) throw missing(fold(name));
      return patched(current, patch);
    };
    return renderPartition(await writePartition(request.ctx, fold(name), { edit, cas: casOf(request) }));
  });
  const read = serveObject({
    ...READ,
    sight: ({ ctx, scope, params }) =>
      [scope.partition, fold((params as ByName["Params"]).name)].every((name) => seesPartition(ctx, name))
        ? "all"
        : "nothing",
    async find(request) {
      const partition = await readPartition(request.ctx, fold(paramsOf<ByName>(request).name));
      return { key: partition.name, value: renderPartition(partition) };
    },
  });
  app.get("/partition/:name", OPERATIONS.read, async (request, reply) => atOnce(read, request, reply));
  app.delete<ByName>("/partition/:name", OPERATIONS.delete, async (request, reply) => {
    await deletePartition(request.ctx, fold(request.params.name), casOf(request));
    sendText(reply, 200, "");
    return reply;
  });
  const list = serveList({
    ...READ,
    sight: ({ ctx, scope }) => (seesPartition(ctx, scope.partition) ? "all" : "nothing"),
    of: ({ ctx }) => ({
      ...listPartitions(ctx),
      render: (partition: Partition) => renderPartition(partition),
    }),
  });
  app.get("/partitions", OPERATIONS.list, async (request, reply) => atOnce(list, request, reply));
  done();
};

/** Each partition is told of under an index of its own, so that no answer can be kept or waited for by one index. */
const READ = { tables: [PARTITIONS], sharing: "own" } as const;

/** Clients know these reads as ones that do not block. */
function atOnce(
  read: ReturnType<typeof serveObject>,
  request: FastifyRequest,
  reply: FastifyReply,
): ReturnType<typeof read> {
  request.readOptions = { ...request.readOptions, index: 0 };
  return read(request, reply);
}

type ByName = { Params: { name: string } };

function casOf(request: FastifyRequest): number | undefined {
  return readCas(request.query as Query);
}

function checkName(pathName: string, bodyName: string | undefined): void {
  if (bodyName && fold(bodyName) !== fold(pathName)) {
    throw new AppError("invalid", "Partition name in URL and payload do not match");
  }
}
