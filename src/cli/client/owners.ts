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
      await call.out.warn(`The object is managed by ${answer.owner}: its next apply reverts this change.`);
    return answer;
  } catch (error) {
    const { owner, status } = error instanceof TesseraError ? error : {};
    if (owner === undefined || (status !== 409 && status !== 412)) throw error;
    const whose = owner.replace(/\?$/, "a directory that your token may not read");
    throw new CliError(
      EXIT.conflict,
      `the object or its contents are managed by ${whose}: nothing was changed`,
      `change the files of ${whose}, or pass --take-over; the next apply of ${whose} reverts the change`,
    );
  }
}
