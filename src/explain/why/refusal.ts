/** Why a request was refused, by the ID that its answer had. Implements `/v1/acl/why`. */
import type { Refusals } from "../../records/refusals/refusals.ts";
import type { AuditRecord } from "../../records/record.ts";
import { findRefused } from "../../records/store.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { authorize, seesNamespace, unnoted } from "../../rights/authorize.ts";
import { checkPermission } from "../../rights/permission.ts";
import type { RightsQuestion } from "../../rights/rules/question.ts";
import { ACCESSES, isResource, type Access } from "../../rights/rules/rule.ts";
import { DEFAULT_SCOPE, homeOf, isIn, isRootScope, type Scope } from "../../rights/scope.ts";
import { tokenStore } from "../../acl/tokens/store.ts";
import { HIDDEN } from "./path.ts";
import { decideAll, type ExplainedQuestion, type WhyOptions } from "./service.ts";
import { subjectOfToken } from "./subject.ts";

/** A refused request, as far as the caller may know of it. */
export interface ExplainedRefusal {
  record: Pick<AuditRecord, "at" | "accessorId" | "action">;
  /** Requests that were refused the same within its minute. */
  count: number;
  /** Undefined for a refusal that is about no right. */
  question: RightsQuestion | undefined;
  /** The answer to that question as of now; undefined when the token is gone. */
  now: ExplainedQuestion | undefined;
  /** Only for a login that made no token: its method, and the reason. */
  login: { authMethod: string; reason: string; bindingRule: string | undefined } | undefined;
}

/** Details in the record of a denial. This server has written each of them. */
interface Detail {
  count?: number;
  question?: { resource: string; segment: string; access: string } & Scope;
  login?: { authMethod: string; reason: string; bindingRule?: string } & Scope;
}

/**
 * Explains a denied request. Its token, or its auth method, must be in a namespace that the caller may read.
 *
 * @param requestId the `X-Request-Id` of its answer
 * @param waiting what is gathered here and not written yet, so that who was refused just now is told
 * @throws AppError `forbidden` without acl:read where it works, `not_found` when no record has it, or the caller may not read that,
 * `rate_limited` when too many ask
 */
export async function explainRefusal(
  ctx: Context,
  options: WhyOptions,
  scope: Scope,
  requestId: string,
  waiting: Pick<Refusals, "find">,
): Promise<ExplainedRefusal> {
  checkPermission(ctx, scope, "acl", "read");
  return options.lane.run(ctx.actor, async () => explainKnown(ctx, options, requestId, waiting));
}

async function explainKnown(
  ctx: Context,
  options: WhyOptions,
  requestId: string,
  waiting: Pick<Refusals, "find">,
): Promise<ExplainedRefusal> {
  const known = findWaiting(waiting, requestId) ?? (await findWritten(ctx, requestId));
  if (known === undefined) throw unknown(requestId);
  const { record, detail } = known;
  const { login } = detail;
  const token = record.accessorId === "" ? undefined : await tokenStore.anywhere(ctx.db, record.accessorId);
  // A denied client without a scope is the concern of operators of the server.
  const place = login ?? token?.scope ?? DEFAULT_SCOPE;
  if (!authorize(ctx.actor, "acl", "", "read", place)) throw unknown(requestId);
  const asked = questionOf(detail);
  const [now] =
    asked === undefined || token === undefined
      ? []
      : await decideAll(
          ctx,
          options,
          await subjectOfToken(ctx, options.access.datacenter, token.scope, token.accessorId),
          [asked],
        );
  const shown = {
    record,
    count: detail.count ?? 1,
    login: login && { authMethod: login.authMethod, reason: login.reason, bindingRule: login.bindingRule },
  };
  const question = asked && knownOf(ctx, asked, place);
  return { ...shown, question, now: question === asked ? now : now && withoutNames(now) };
}

interface Known {
  record: ExplainedRefusal["record"];
  detail: Detail;
}

function findWaiting(waiting: Pick<Refusals, "find">, requestId: string): Known | undefined {
  const entry = waiting.find(requestId);
  if (entry === undefined) return undefined;
  const { origin, action, detail } = entry;
  return { record: { at: detail.until, accessorId: origin.accessorId, action }, detail: detail as Detail };
}

async function findWritten({ db }: Context, requestId: string): Promise<Known | undefined> {
  const record = await findRefused(db, requestId);
  return record && { record, detail: JSON.parse(record.detail) as Detail };
}

/**
 * Hides the parts of a question that the caller may not see. The denied client may have named them, or reached them by
 * an ID. @returns the question itself when the caller may know all of it
 */
function knownOf(ctx: Context, asked: RightsQuestion, place: Scope): RightsQuestion {
  const actor = unnoted(ctx.actor);
  const { resource, segment, scope } = asked;
  const isNameKnown = segment === "" || authorize(actor, resource, segment, "read", scope);
  const isScopeKnown = [place, DEFAULT_SCOPE].some((each) => isIn(each, scope)) || seesNamespace(actor, scope);
  if (isNameKnown && isScopeKnown) return asked;
  const isPartitionKnown = isScopeKnown || scope.partition === place.partition || isRootScope(homeOf(scope.partition));
  const hiddenScope = { namespace: HIDDEN, partition: isPartitionKnown ? scope.partition : HIDDEN };
  return { ...asked, segment: isNameKnown ? segment : HIDDEN, scope: isScopeKnown ? scope : hiddenScope };
}

/** Rules that decide, and those that would, name what they are about. */
function withoutNames({ asked, decision, wanted }: ExplainedQuestion): ExplainedQuestion {
  return {
    asked,
    decision: decision && { ...decision, Rule: undefined },
    wanted: wanted && { ...wanted, rules: undefined },
  };
}

function questionOf({ question }: Detail): RightsQuestion | undefined {
  if (question === undefined || !isResource(question.resource)) return undefined;
  const { resource, segment, access, partition, namespace } = question;
  if (ACCESSES.get(resource)?.includes(access as Access) !== true) return undefined;
  return { resource, segment, access: access as Access, scope: { partition, namespace } };
}

function unknown(requestId: string): AppError {
  const shown = requestId.slice(0, 64).toWellFormed();
  return new AppError(
    "not_found",
    `no denied request with ID ${JSON.stringify(shown)} found: it was allowed, its record has expired or is not yet written ` +
      "(up to one minute), or you may not read it",
  );
}
