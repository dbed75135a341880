import { Type, type Static } from "typebox";
import { AppError } from "../../errors.ts";
import { bodyOf } from "../../http/v1/body.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation } from "../../http/v1/operation.ts";
import { checkScope, withScope, type Edition } from "../../http/v1/scope.ts";
import type { Query } from "../../http/query.ts";
import { DEFAULT_SCOPE } from "../scope.ts";
import type { AccessSettings } from "../tokens/resolve.ts";
import { answerQuestions, type Answer } from "./service.ts";

const question = Type.Object({
  Resource: Type.Optional(Type.String()),
  Access: Type.Optional(Type.String()),
  Segment: Type.Optional(Type.String()),
  Namespace: Type.Optional(Type.String()),
  Partition: Type.Optional(Type.String()),
});
const PREFIX = "Failed to decode request body: ";
const EXAMPLE = { Resource: "service", Access: "write", Segment: "web" };
const questionList = Type.Array(question, { examples: [[EXAMPLE]] });
const answerList = Type.Array(
  Type.Object({
    ...question.properties,
    Allow: Type.Boolean(),
    Explain: Type.Optional(Type.Object({ DecidedBy: Type.String() })),
  }),
  { description: "The questions in their order, each with its answer.", examples: [[{ ...EXAMPLE, Allow: true }]] },
);

/** The routes by which others ask what the caller may do. */
export function authorizationRoutes(settings: AccessSettings, edition: Edition): V1Routes {
  return (app, _options, done) => {
    for (const [url, operationId] of [
      ["/internal/acl/authorize", "authorizeInternally"],
      ["/acl/authorize", "authorize"],
    ] as const) {
      const schema = operation({
        operationId,
        summary: "Whether the caller may do each of up to 64 things",
        tag: "Access control",
        query: { explain: "With `true`, say which rule of which policy decided; needs acl:read." },
        answer: answerList,
      });
      const config = { body: { schema: questionList, prefix: PREFIX } };
      app.post(url, { config, schema }, async (request) => {
        const asked = bodyOf(request, questionList);
        for (const names of asked) checkNames(names, edition);
        const list = asked.map(({ Resource = "", Access = "", Segment = "" }) => ({
          resource: Resource,
          access: Access,
          segment: Segment,
        }));
        const explains = (request.query as Query)["explain"] === "true";
        const answers = await answerQuestions(request.ctx, settings, list, explains);
        return asked.map((each, index) => renderAnswer(each, answers[index]));
      });
    }
    done();
  };
}

/** Each question names its own scope; only the default one exists, and the community edition knows none. */
function checkNames({ Namespace, Partition }: Static<typeof question>, edition: Edition): void {
  if (edition === "enterprise") checkScope(withScope(DEFAULT_SCOPE, { Namespace, Partition }), false);
  else if (Namespace !== undefined) throw unknownField('"Namespace" - Namespaces are a Consul Enterprise feature');
  else if (Partition !== undefined) throw unknownField('"Partition"');
}

function unknownField(field: string): AppError {
  return new AppError("invalid", `${PREFIX}json: unknown field ${field}`);
}

function renderAnswer(asked: Static<typeof question>, answer: Answer | undefined) {
  const { Resource = "", Access = "", Segment, Namespace, Partition } = asked;
  const explanation = answer?.explanation;
  return {
    Resource,
    Access,
    Segment: Segment || undefined,
    Namespace: Namespace || undefined,
    Partition: Partition || undefined,
    Allow: answer?.allow ?? false,
    Explain: explanation && {
      DecidedBy: explanation.decidedBy,
      Rule: explanation.rule,
      Policies: explanation.policies?.map(({ ID, Name, Links }) => ({
        ID,
        Name,
        Links: Links.map(({ kind, ...rest }) => ({ Kind: kind, ...("name" in rest ? { Name: rest.name } : {}) })),
      })),
    },
  };
}
