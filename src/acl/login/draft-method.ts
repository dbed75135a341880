/** Tests a login with an auth method that is not written yet. */
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { IdentityError, MethodConfigError } from "../../identities/errors.ts";
import { literalIdentity } from "../../identities/literal.ts";
import type { RawConfig, Validator, VerifiedIdentity } from "../../identities/validator.ts";
import { checkPermission } from "../../rights/permission.ts";
import type { Scope } from "../../rights/scope.ts";
import type { BindingRuleContent } from "../bindings/binding.ts";
import type { BindingRuleExplanation } from "../bindings/explain-binding-rule.ts";
import { refusalOf } from "./decide.ts";
import { explainDraft } from "./draft.ts";
import { checkBearer } from "./service.ts";
import type { LoginServices } from "./services.ts";

/** Auth method that is not written yet. */
export interface DraftMethod {
  type: string;
  config: RawConfig;
}

export interface DraftMethodRequest {
  scope: Scope;
  method: DraftMethod;
  bearerToken: string | undefined;
  identity: unknown;
  draft: BindingRuleContent | undefined;
}

/** Result for an auth method that is not written: it has no binding rules, so no token. */
export interface DraftMethodResult {
  /** Undefined when it was not proven. */
  identity: VerifiedIdentity | undefined;
  draft: BindingRuleExplanation | undefined;
  refusal: string | undefined;
}

/**
 * Verifies an identity with a drafted auth method, and tests a drafted binding rule with it. Contacts the addresses of the
 * configuration, as a write of the method does, and so requires its permission.
 *
 * @throws AppError `forbidden` without acl:write, `invalid` for a configuration or an identity that is not one
 */
export async function testDraftMethod(
  ctx: Context,
  services: LoginServices,
  { scope, method, draft, ...asked }: DraftMethodRequest,
): Promise<DraftMethodResult> {
  checkPermission(ctx, scope, "acl", "write");
  if ((asked.bearerToken === undefined) === (asked.identity === undefined)) throw invalid(SET_ONE);
  if (asked.bearerToken !== undefined) checkBearer(asked.bearerToken);
  const validator = await validatorOf(services, scope, method);
  try {
    const proven = await identityOf(ctx, validator, asked);
    if ("refusal" in proven) return { identity: undefined, draft: undefined, ...proven };
    const { identity } = proven;
    const explained = draft && (await explainDraft(draft, identity, validator.form, services.regularExpressions));
    return { identity, draft: explained, refusal: undefined };
  } finally {
    validator.close();
  }
}

const SET_ONE = "Set exactly one of BearerToken and Identity";

async function validatorOf(services: LoginServices, scope: Scope, { type, config }: DraftMethod): Promise<Validator> {
  try {
    return await services.validators.create(type, config, scope, "draft");
  } catch (error) {
    if (!(error instanceof MethodConfigError)) throw error;
    throw invalid(`Invalid auth method: ${error.message}`);
  }
}

async function identityOf(
  ctx: Context,
  validator: Validator,
  { bearerToken, identity }: Pick<DraftMethodRequest, "bearerToken" | "identity">,
): Promise<{ identity: VerifiedIdentity } | { refusal: string }> {
  try {
    if (bearerToken === undefined) return { identity: literalIdentity(validator.form, identity) };
    return { identity: await validator.verify(bearerToken) };
  } catch (error) {
    if (bearerToken === undefined && error instanceof IdentityError) throw invalid(error.message);
    const refusal = refusalOf(error, ctx);
    if (refusal === undefined) throw error;
    return { refusal: refusal.message };
  }
}
