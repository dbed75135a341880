import { AppError } from "../errors.ts";
import { DEFAULT_SCOPE, type Scope } from "./scope.ts";

/**
 * The answer to a read of what is not there. It names the namespace where that
 * may be the reason, as servers with namespaces do.
 *
 * @param what as the text names it, such as `policy`
 */
export function missing(what: string, { namespace }: Scope): AppError {
  const text = namespace === DEFAULT_SCOPE.namespace ? "does not exist" : `not found in namespace ${namespace}`;
  return new AppError("not_found", `Requested ${what} ${text}: ACL not found`);
}
