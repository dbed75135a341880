/** Checks the members of an auth method. */
import { AppError, invalid } from "../../errors.ts";
import { formatDuration } from "../../go/duration.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import { MAX_TTL, MIN_TTL } from "../tokens/check.ts";
import type { AuthMethod } from "./store.ts";
import { OIDC, typeNames } from "./validators.ts";
import { OBJECT_NAME } from "../kit/names.ts";

type Checked = Pick<AuthMethod, "type" | "maxTokenTtl" | "tokenLocality" | "namespaceRules">;

/** @throws AppError `invalid` */
export function checkName(name: string): void {
  if (name === "") throw invalidMethod("no Name is set");
  if (!OBJECT_NAME.test(name)) {
    throw invalidMethod("invalid Name. Only alphanumeric characters, '-' and '_' are allowed");
  }
}

/** @throws AppError `invalid` on a type that the edition does not have */
export function checkType(type: string, edition: "enterprise" | "community"): void {
  const names = typeNames(edition);
  if (!names.includes(type)) throw invalidMethod(`Type should be one of: [${names.join(" ")}]`);
}

/** How long tokens last. @throws AppError `invalid` */
export function checkMaxTtl({ type, maxTokenTtl }: Checked): void {
  if (maxTokenTtl !== 0n && maxTokenTtl < MIN_TTL) {
    throw invalid(`MaxTokenTTL ${formatDuration(maxTokenTtl)} cannot be less than ${formatDuration(MIN_TTL)}`);
  }
  if (maxTokenTtl > MAX_TTL) {
    throw invalid(`MaxTokenTTL ${formatDuration(maxTokenTtl)} cannot be more than ${formatDuration(MAX_TTL)}`);
  }
  if (type === OIDC && maxTokenTtl === 0n) throw invalidMethod('MaxTokenTTL must be set for type "oidc"');
}

/** @throws AppError `invalid` */
export function checkLocality({ tokenLocality }: Checked): void {
  if (["", "local", "global"].includes(tokenLocality)) return;
  throw invalidMethod("TokenLocality should be one of 'local' or 'global'");
}

/** Whether it may have namespace rules at all, where it has. @throws AppError `invalid` */
export function checkHasRules({ namespaceRules }: Checked, scope: Scope): void {
  if (namespaceRules.length > 0) checkMayChooseNamespaces(scope, "NamespaceRules are");
}

/**
 * A method of another namespace has no say over those beside it.
 *
 * @param what chooses namespaces, such as `NamespaceRules are`
 * @throws AppError `invalid`
 */
export function checkMayChooseNamespaces({ namespace }: Scope, what: string): void {
  if (namespace === DEFAULT_SCOPE.namespace) return;
  throw invalidMethod(`${what} allowed only in the namespace "${DEFAULT_SCOPE.namespace}"`);
}

export function invalidMethod(cause: string): AppError {
  return invalid(`Invalid Auth Method: ${cause}`);
}
