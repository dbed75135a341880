import { Type, type Static } from "typebox";
import { invalid } from "../../errors.ts";
import { bodyOf } from "../../http/v1/body.ts";
import { oneOf } from "../../http/v1/body-schema.ts";
import type { V1Routes } from "../../http/v1/consul-api.ts";
import { operation } from "../../http/v1/operation.ts";
import { type AskedScope, chooseScope, type Edition } from "../../http/v1/scope.ts";
import type { QueryParameters } from "../../http/query.ts";
import { decidingRule } from "../kit/answer-schema.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import type { Explanation } from "../../rights/rules/authorizer.ts";
import type { PolicyLink } from "../../rights/rules/rule.ts";
import type { AccessOptions } from "../tokens/resolve.ts";
import { answerQuestions, explainQuestions, type Question } from "./service.ts";

const questionSchema = Type.Object(
  {
    Resource: Type.Optional(Type.String()),
    Access: Type.Optional(Type.String()),
    Segment: Type.Optional(Type.String()),
    Namespace: Type.Optional(Type.String()),
    Partition: Type.Optional(Type.String()),
  },
  { title: "Question" },
);
const PREFIX = "Failed to decode request body: ";
const EXAMPLE = { Resource: "service", Access: "write", Segment: "web" };
const questionList = Type.Array(questionSchema, { examples: [[EXAMPLE]] });
const text = Type.Optional(Type.String());
const explainSchema = Type.Object({
  DecidedBy: oneOf(["direct", "default", "default-policy"]),
  Rule: Type.Optional(decidingRule),
  Policies: Type.Optional(
    Type.Array(
      Type.Object({
        ID: Type.String(),
        Name: Type.String(),
        Links: Type.Array(Type.Object({ Kind: Type.String(), Name: text, Namespace: text, Role: text })),
      }),
    ),
  ),
});
const answerList = Type.Array(
  Type.Object(
    {
      ...questionSchema.properties,
      Resource: Type.String(),
      Access: Type.String(),
      Allow: Type.Boolean(),
      Explain: Type.Optional(explainSchema),
    },
    { title: "Decision" },
  ),
  {
    description: "Checks in the order of the request, each with its result.",
    examples: [[{ ...EXAMPLE, Allow: true }]],
  },
);

/** The routes by which others ask what the caller may do. */
export function authorizationRoutes(options: AccessOptions, edition: Edition): V1Routes {
  return (app, _options, done) => {
    for (const [url, operationId] of [
      ["/internal/acl/authorize", "authorizeInternally"],
      ["/acl/authorize", "authorize"],
    ] as const) {
      const schema = operation({
        operationId,
        summary: "Check up to 64 permissions of the caller",
        tag: "Access control",
        query: {
          explain: "Return the deciding rule and policy; requires acl:read. Default: `false`.",
          ns: "Namespace of checks without a namespace. Default: `default`.",
          partition: "Partition of checks without a partition. Default: `default`.",
        },
        answer: answerList,
      });
      const config = { question: true, inTurn: true as const, body: { schema: questionList, prefix: PREFIX } };
      // Without a promise: nothing has to be read for a decision.
      app.post(url, { config, schema }, (request) => {
        const asked = bodyOf(request, questionList);
        const { ctx, askedScope } = request;
        const questions = asked.map((question) => questionOf(question, askedScope, edition));
        if (((request.query as QueryParameters).explain ?? "false") === "false") {
          const answers = answerQuestions(ctx, questions);
          return asked.map((each, index) => renderAnswer(each, answers[index] === true));
        }
        return explainQuestions(ctx, options, questions).then((explanations) =>
          asked.map((each, index) => renderAnswer(each, explanations[index]?.allow === true, explanations[index])),
        );
      });
    }
    done();
  };
}

/**
 * Reads a question, which may name its own scope. Else the query and the headers do, as on other routes, and else it is
 * the default scope for every caller. The community edition has no scopes. The members may also name the namespace or
 * partition that the question is about.
 */
function questionOf(question: Static<typeof questionSchema>, around: AskedScope, edition: Edition): Question {
  const { Resource = "", Access = "", Namespace, Partition } = question;
  checkMembers(question, edition, PREFIX);
  const scope = chooseScope([{ namespace: Namespace, partition: Partition }, around], DEFAULT_SCOPE, false);
  const named = Resource === "namespace" ? Namespace : Resource === "partition" ? Partition : undefined;
  return { resource: Resource, access: Access, segment: question.Segment || named || "", scope };
}

/** Refuses members of a question that the community edition does not know. @throws AppError `invalid` */
export function checkMembers(
  { Namespace, Partition }: { Namespace?: string; Partition?: string },
  edition: Edition,
  prefix: string,
): void {
  if (edition !== "community") return;
  const unknown = (field: string) => invalid(`${prefix}json: unknown field ${field}`);
  if (Namespace !== undefined) throw unknown('"Namespace" - Namespaces are a Consul Enterprise feature');
  if (Partition !== undefined) throw unknown('"Partition"');
}

function renderAnswer(asked: Static<typeof questionSchema>, allow: boolean, explanation?: Explanation) {
  const { Resource = "", Access = "", Segment, Namespace, Partition } = asked;
  return {
    Resource,
    Access,
    Segment: Segment || undefined,
    Namespace: Namespace || undefined,
    Partition: Partition || undefined,
    Allow: allow,
    Explain: explanation && {
      DecidedBy: explanation.decidedBy,
      Rule: explanation.rule,
      Policies: explanation.policies?.map(({ ID, Name, Links }) => ({
        ID,
        Name,
        Links: Links.map(renderLink),
      })),
    },
  };
}

/** A way by which a policy came to the token. */
function renderLink(link: PolicyLink) {
  const { kind } = link;
  if (kind === "default") return { Kind: kind, Namespace: link.namespace, Role: link.role?.name };
  return { Kind: kind, Name: kind === "direct" ? undefined : link.name };
}
