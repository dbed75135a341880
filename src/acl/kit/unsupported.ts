import { Type } from "typebox";
import { invalid } from "../../errors.ts";

/**
 * Schema of a text that newer clients of Consul send and that this server does not store. Go sends an empty text for a
 * member that its user did not set, so an empty text is accepted.
 */
export const unsupportedText = Type.Optional(Type.String({ description: "Not supported. Must be empty." }));

/**
 * Refuses a text that would be lost.
 *
 * @param kind as Consul's errors name it, such as `Token`
 * @param advice sentence that says what to use, if there is something
 * @throws AppError `invalid`
 */
export function checkUnsupported(kind: string, member: string, text: string | null | undefined, advice = ""): void {
  if (text) throw invalid(`Invalid ${kind}: ${member} is not supported${advice === "" ? "" : `. ${advice}`}`);
}
