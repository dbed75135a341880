import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation, SCOPE_PARAMETERS } from "../../http/v1/operation.ts";
import { checkMembers } from "../../acl/authorizations/routes.ts";
import { chooseScope, type Edition } from "../../http/v1/scope.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import { explainRefusal } from "./refusal.ts";
import { explainOwnRefusals } from "./own.ts";
import {
  explainAnswer,
  explainBody,
  ownRefusalsAnswer,
  refusalAnswer,
  renderAnswer,
  renderOwnRefusals,
  renderRefusal,
  type questionSchema,
} from "./schema.ts";
import { explain, type AskedQuestion, type WhyOptions } from "./service.ts";

const PREFIX = "Failed to decode request body: ";

/** The routes that say why. */
export function whyRoutes(options: WhyOptions): V1Routes {
  return (app, _options, done) => {
    const schema = operation({
      operationId: "explainDecisions",
      summary: "Explain access decisions",
      description: "Up to 64 checks of a token, role, identity or policy. Requires acl:read.",
      tag: "Access control",
      query: SCOPE_PARAMETERS.namespace,
      answer: explainAnswer,
    });
    const config = { question: true, body: { schema: explainBody, prefix: PREFIX } };
    app.post("/acl/explain", { config, schema }, async (request) => {
      const { Questions = [], ...body } = bodyOf(request, explainBody);
      const asked = {
        accessorId: body.AccessorID || undefined,
        roleId: body.RoleID || undefined,
        roleName: body.RoleName || undefined,
        authMethod: body.AuthMethod || undefined,
        rules: body.Rules,
        bearerToken: body.BearerToken,
        identity: body.Identity,
      };
      const questions = Questions.map((question) => questionFrom(request, question, options.access.edition));
      const { subject, answers } = await explain(request.ctx, options, request.scope, asked, questions);
      return {
        ...subject.shown,
        Refusal: "refusal" in subject ? subject.refusal : undefined,
        Answers: answers.map((answer, index) => renderAnswer(Questions[index] ?? {}, answer)),
      };
    });
    addRefusals(app, options);
    addOwnRefusals(app, options);
    done();
  };
}

function addRefusals(app: FastifyInstance, options: WhyOptions): void {
  const schema = operation({
    operationId: "explainRefusal",
    summary: "Explain a denied request",
    description: "Finds the request by its X-Request-Id. Requires acl:read in the namespace of the denied token.",
    tag: "Access control",
    params: { request_id: "X-Request-Id of the response." },
    query: SCOPE_PARAMETERS.namespace,
    answer: refusalAnswer,
  });
  const config = { missing: "Missing request ID" };
  app.get("/acl/why/:request_id", { config, schema }, async (request) => {
    const { request_id: id } = request.params as { request_id: string };
    const { refusals } = request.server;
    return renderRefusal(
      id,
      await explainRefusal(request.ctx, options, request.scope, id, refusals),
      options.renderScope,
    );
  });
}

function addOwnRefusals(app: FastifyInstance, options: WhyOptions): void {
  const schema = operation({
    operationId: "listOwnRefusals",
    summary: "List denied requests of the caller",
    description: "The last 8 checks that this server denied to the token and that still fail. Requires no permission.",
    tag: "Access control",
    answer: ownRefusalsAnswer,
  });
  app.get("/acl/denied", { schema }, async ({ ctx, server: { refusals } }) =>
    renderOwnRefusals(await explainOwnRefusals(ctx, options, refusals), options.renderScope),
  );
}

/** Each question may name its own scope; else it is the default one, as of `authorize`. */
function questionFrom(
  request: FastifyRequest,
  question: Static<typeof questionSchema>,
  edition: Edition,
): AskedQuestion {
  checkMembers(question, edition, PREFIX);
  const { Resource = "", Access = "", Namespace, Partition, Segment = "", Request } = question;
  const around = request.askedScope;
  const scope = chooseScope([{ namespace: Namespace, partition: Partition }, around], DEFAULT_SCOPE, false);
  const named = Resource === "namespace" ? Namespace : Resource === "partition" ? Partition : undefined;
  return { resource: Resource, access: Access, segment: Segment || named || "", scope, request: Request || undefined };
}
