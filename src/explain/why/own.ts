/** Tells callers which of their own requests were denied, and which rule would allow each. Implements `/v1/acl/denied`. */
import type { Context } from "../../context.ts";
import { isKnownTo } from "../../records/refusals/known.ts";
import type { OwnRefusal } from "../../records/refusals/own.ts";
import type { Refusals } from "../../records/refusals/refusals.ts";
import { decideAll, type ExplainedQuestion, type WhyOptions } from "./service.ts";
import { subjectOfToken } from "./subject.ts";

/** A denied request of the caller, with the answer to its question as of now. */
export interface ExplainedOwn {
  refusal: OwnRefusal;
  now: ExplainedQuestion;
}

/**
 * Returns the last requests that were denied to the caller's token and would be denied again, the latest first. Requests of
 * `/api/v2` look the same whether their object is missing or hidden, and only a hidden one is a denial: a question whose name or
 * namespace the caller may not read is left out, because it would tell the two apart.
 *
 * @param noted denied requests of this server
 * @throws AppError `rate_limited` when too many ask
 */
export async function explainOwnRefusals(
  ctx: Context,
  options: WhyOptions,
  noted: Pick<Refusals, "ownOf">,
): Promise<ExplainedOwn[]> {
  const { anonymous, accessorId, scope } = ctx.actor;
  if (anonymous) return [];
  const refusals = noted.ownOf(accessorId).filter(({ question }) => isKnownTo(ctx.actor, question));
  if (refusals.length === 0) return [];
  return options.lane.run(ctx.actor, async () => {
    const subject = await subjectOfToken(ctx, options.access.datacenter, scope, accessorId);
    const questions = refusals.map(({ question }) => question);
    const answers = await decideAll(ctx, options, subject, questions, "rules");
    return refusals.flatMap((refusal, index) => {
      const now = answers[index];
      return now?.decision?.Allow === false ? [{ refusal, now }] : [];
    });
  });
}
