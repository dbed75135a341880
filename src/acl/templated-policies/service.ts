/**
 * Templated policies as they are shown: what there is, and what each gives.
 * Implements `/v1/acl/templated-policies` and `/v1/acl/templated-policy`.
 */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { checkPermission } from "../../rights/permission.ts";
import type { Scope } from "../../rights/scope.ts";
import {
  checkTemplatedPolicy,
  expandTemplate,
  findTemplate,
  TEMPLATES,
  type SyntheticPolicy,
  type PolicyTemplate,
} from "./templates.ts";

/** All of them, in order of names. @throws AppError `forbidden` */
export function listTemplatedPolicies(ctx: Context, scope: Scope): readonly PolicyTemplate[] {
  checkPermission(ctx, scope, "acl", "read");
  return TEMPLATES;
}

/** @throws AppError `bad_parameter` when there is none of this name, `forbidden` */
export function readTemplatedPolicy(ctx: Context, scope: Scope, name: string): PolicyTemplate {
  checkPermission(ctx, scope, "acl", "read");
  const template = findTemplate(name);
  if (template === undefined) throw new AppError("bad_parameter", `Invalid templated policy Name: ${name}`);
  return template;
}

/**
 * The policy that a template gives.
 *
 * @param variable undefined when the request has none
 * @throws AppError `bad_parameter`, `forbidden`
 */
export function previewTemplatedPolicy(
  ctx: Context,
  scope: Scope,
  name: string,
  variable: string | undefined,
): SyntheticPolicy {
  checkPermission(ctx, scope, "acl", "read");
  const template = findTemplate(name);
  if (template === undefined) throw new AppError("bad_parameter", `templated policy "${name}" does not exist`);
  const problem = checkTemplatedPolicy(template, variable ?? "");
  if (problem !== undefined) {
    throw new AppError("bad_parameter", `validation error for templated policy: "${name}": ${problem}`);
  }
  return expandTemplate(template, variable ?? "");
}
