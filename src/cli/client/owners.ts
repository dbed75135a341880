/** Who changes what a directory of declared files owns is told whose it is, and says `--take-over` to do it all the same. */
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
    throw new CliError(
      EXIT.conflict,
      `it belongs to ${owner}: nothing was changed`,
      `change it in the files of ${owner}, or give --take-over; the next apply of ${owner} makes it as it was`,
    );
  }
}
