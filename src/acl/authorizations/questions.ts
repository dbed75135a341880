import { AppError } from "../../errors.ts";
import { ACCESSES, isResource, type Access, type Resource } from "../rules/rule.ts";

/**
 * What a question asks for, in our words.
 *
 * @param resource exact, such as `service`
 * @param access in any case, such as `read`
 * @throws AppError `bad_parameter` when it asks for what there is not
 */
export function checkQuestion(resource: string, access: string): { resource: Resource; access: Access } {
  if (!isResource(resource)) {
    throw new AppError("bad_parameter", `Invalid ACL resource requested: ${JSON.stringify(resource)}`);
  }
  const wanted = access.toLowerCase();
  const found = ACCESSES.get(resource)?.find((each) => each === wanted);
  if (found === undefined) {
    throw new AppError("bad_parameter", `Invalid access level for ${resource} resource: ${access}`);
  }
  return { resource, access: found };
}
