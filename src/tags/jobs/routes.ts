import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type, type Static } from "typebox";
import { enterStream, EVENT_STREAM, openEventSink } from "../../http/sending/event-stream.ts";
import { apiRoutes, type ApiRoutes } from "../../http/jsonapi/jsonapi.ts";
import { errorResponses, MEDIA_TYPE } from "../../http/jsonapi/errors.ts";
import { createOwnedLane } from "../../limits/owned-lane.ts";
import { pageDocument, readPage } from "../../http/jsonapi/pagination.ts";
import { readFlag, type QueryParameters } from "../../http/query.ts";
import { askForJob, previewJob, undoJob } from "./ask.ts";
import { watchJob } from "./progress.ts";
import { progressText, renderJob, renderPreview } from "./render.ts";
import * as schema from "./schema.ts";
import { actOnJob, listJobs, readJob, type JobAct } from "./service.ts";

const OF_ORGANIZATION = "/organizations/:organization_name/tag-jobs";
const JOB = "/tag-jobs/:tag_job_id";
const TAG = "Tag jobs";

const ACTS: Readonly<Record<JobAct, string>> = {
  pause: "Pause a tag job",
  resume: "Resume a tag job",
  cancel: "Cancel a tag job",
};

/** Jobs, once they have been asked for. */
export const tagJobRoutes = apiRoutes(TAG, (on) => {
  on.readOwn(OF_ORGANIZATION, {
    operationId: "listTagJobs",
    summary: "List tag jobs",
    description: "Newest first.",
    query: schema.jobListQuery,
    answer: schema.jobList,
    handle: async (request) => {
      const { ctx, params, query } = request;
      const page = readPage(query);
      const { jobs, total } = await listJobs(ctx, params.organization_name, page);
      return pageDocument(request, page, { data: jobs.map(renderJob), total });
    },
  });
  for (const act of Object.keys(ACTS) as JobAct[]) {
    on.act(`${JOB}/actions/${act}`, {
      operationId: `${act}TagJob`,
      summary: ACTS[act],
      answer: schema.jobDocument,
      refusals: [409],
      handle: async ({ ctx, params }) => ({ data: renderJob(await actOnJob(ctx, params.tag_job_id, act)) }),
    });
  }
  on.create(`${JOB}/actions/undo`, {
    operationId: "undoTagJob",
    summary: "Undo a tag job",
    description: "Creates a job that reverts the changes of this job. Later changes of the objects are kept.",
    answer: schema.jobDocument,
    refusals: [409],
    handle: async ({ ctx, params }) => ({ data: renderJob(await undoJob(ctx, params.tag_job_id)) }),
  });
});

const CREATE = {
  operationId: "createTagJob",
  summary: "Create or preview a tag job",
  tags: [TAG],
  params: Type.Object({ organization_name: Type.String() }),
  querystring: schema.createQuery,
  body: schema.jobBody,
  response: { 200: schema.previewDocument, 201: schema.jobDocument, ...errorResponses() },
};

const READ = {
  operationId: "readTagJob",
  summary: "Read the progress of a tag job",
  description: "As text/event-stream: one event per change of the progress.",
  tags: [TAG],
  params: Type.Object({ tag_job_id: Type.String() }),
  response: {
    200: {
      description: "The job.",
      content: {
        [MEDIA_TYPE]: { schema: schema.jobDocument },
        [EVENT_STREAM]: { schema: schema.progressStream },
      },
    },
    ...errorResponses(429),
  },
};

interface ReadRequest {
  Params: { tag_job_id: string };
}

/** Routes that respond in one of two forms. */
export const tagJobForms: ApiRoutes = (app, _options, done) => {
  const previews = createOwnedLane("jobPreviews", 2, "Too many previews are running");
  app.post<{
    Params: { organization_name: string };
    Querystring: QueryParameters;
    Body: Static<typeof schema.jobBody>;
  }>(OF_ORGANIZATION, { schema: CREATE }, async ({ ctx, params, query, body }, reply) => {
    const { action, ...attributes } = body.data.attributes;
    if (readFlag(query, "preview") === true) {
      return {
        data: renderPreview(action, await previewJob(ctx, previews, params.organization_name, action, attributes)),
      };
    }
    const job = await askForJob(ctx, params.organization_name, action, attributes);
    void reply.code(201);
    return { data: renderJob(job) };
  });
  app.get<ReadRequest>(JOB, { schema: READ, config: { document: "own" } }, async (request, reply) => {
    const isStream = request.headers.accept?.includes(EVENT_STREAM) === true;
    const job = await readJob(request.ctx, request.params.tag_job_id);
    return isStream ? streamOf(request, reply) : { data: renderJob(job) };
  });
  done();
};

/** The stream of one job. It ends with the job. */
function streamOf(request: FastifyRequest<ReadRequest>, reply: FastifyReply): Readable {
  const { ctx, params } = request;
  const waiter = enterStream(request, reply);
  if (waiter === undefined) return Readable.from([]);
  const { stream, sink } = openEventSink(request, reply);
  watchJob({
    ctx,
    id: params.tag_job_id,
    waiter,
    actorOf: async () => request.server.actorOf(request),
    tell: (job) => sink.push(progressText(job)),
  })
    .catch((error: unknown) => ctx.log.info({ err: error, requestId: ctx.requestId }, "job progress stream aborted"))
    .finally(() => {
      waiter.end("over");
      sink.end();
    });
  void reply.header("content-type", EVENT_STREAM);
  return stream;
}
