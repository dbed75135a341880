/** Metadata of the decision point (Authorization API 1.0, section 9). */
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { createManner } from "../http/sending/answers.ts";

const PATHS = {
  access_evaluation_endpoint: "/access/v1/evaluation",
  access_evaluations_endpoint: "/access/v1/evaluations",
  search_subject_endpoint: "/access/v1/search/subject",
  search_resource_endpoint: "/access/v1/search/resource",
  search_action_endpoint: "/access/v1/search/action",
};

const url = Type.String();
const METADATA = {
  operationId: "readDecisionPointMetadata",
  summary: "Read the metadata of the decision point",
  tags: ["Discovery"],
  produces: ["application/json"],
  response: {
    200: Type.Object(
      { policy_decision_point: url, ...Object.fromEntries(Object.keys(PATHS).map((name) => [name, url])) },
      {
        description: "Identifier and endpoints of the decision point.",
        examples: [metadataOf("https://tessera.example")],
      },
    ),
  },
};

/** @param base of the server's URLs, without a slash at its end */
function metadataOf(base: string) {
  const endpoints = Object.entries(PATHS).map(([name, path]) => [name, base + path]);
  return { policy_decision_point: base, ...(Object.fromEntries(endpoints) as typeof PATHS) };
}

/** Gateways may keep it for a while (section 9). */
const CACHE = ["cache-control", "public, max-age=300"];

/** Answers everyone: a gateway reads it before it has a token. The identifier is `--public-url`, else the host of the request. */
export function registerDecisionMetadata(app: FastifyInstance): void {
  void app.register((routes, _options, done) => {
    const { fixed } = app.manner;
    const kept = fixed.filter((_text, index) => fixed[index - (index % 2)] !== CACHE[0]);
    routes.decorate("manner", createManner([...kept, ...CACHE]));
    routes.get(
      "/.well-known/authzen-configuration",
      { config: { public: true }, schema: METADATA },
      (request, reply) => {
        const base = (app.publicUrl ?? `${request.protocol}://${request.host}`).replace(/\/$/, "");
        const document = JSON.stringify(metadataOf(base));
        // As bytes, because the framework would add a charset to the type of a text.
        return reply.header("content-type", "application/json").send(Buffer.from(document));
      },
    );
    done();
  });
}
