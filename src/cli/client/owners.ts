/** Changes of what a directory of declared files owns: it is told whose it is, and goes on with `--take-over`. */
import { TesseraError, type Answer, type OperationId, type RequestOptions } from "@tessera-server/client";
import { CliError, EXIT } from "./exit.ts";
import type { Call } from "./spec.ts";

/** Whether a command may change what others own. */
export function takesOver({ flags }: Pick<Call, "flags">): boolean {
  return flags.takeOver === true;
}

/**
 * Writes, unless a directory owns it and the command does not say that it takes over.
 *
 * @throws CliError then; what the client throws
 */
export async function writeUnowned(call: Call, operation: string, input: RequestOptions = {}): Promise<Answer> {
  const headers = { ...input.headers, ...(takesOver(call) ? {} : { "x-tessera-unowned": "true" }) };
  try {
    const answer = await call.client.request<unknown>(operation as OperationId, {
      signal: call.io.signal,
      ...input,
      headers,
    });
    if (answer.owner !== undefined)
      await call.out.warn(`what was written belongs to ${answer.owner}, whose next apply makes it as it was`);
    return answer;
  } catch (error) {
    const { owner, status } = error instanceof TesseraError ? error : {};
    if (owner === undefined || (status !== 409 && status !== 412)) throw error;
    const whose = owner.replace(/\?$/, "a directory that this token may not read");
    throw new CliError(
      EXIT.conflict,
      `it, or something in it, belongs to ${whose}: nothing was changed`,
      `change it in the files of ${whose}, or give --take-over; the next apply of ${whose} makes it as it was`,
    );
  }
}
