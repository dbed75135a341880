/** Decides by permissions alone which denied access checks their caller may be told of. */
import type { Actor } from "../../rights/actor.ts";
import { authorize, seesNamespace } from "../../rights/authorize.ts";
import type { RightsQuestion } from "../../rights/rules/question.ts";
import { DEFAULT_SCOPE, isIn } from "../../rights/scope.ts";

/** Whether a caller may know of the name and the scope of a question. It looks at nothing that is stored. */
export function isKnownTo(
  { rights, scope: home }: Pick<Actor, "rights" | "scope">,
  { resource, segment, scope }: RightsQuestion,
): boolean {
  const asking = { rights };
  const isNameKnown = segment === "" || authorize(asking, resource, segment, "read", scope);
  return isNameKnown && ([home, DEFAULT_SCOPE].some((each) => isIn(each, scope)) || seesNamespace(asking, scope));
}
