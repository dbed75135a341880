import { visible } from "./client/output/values.ts";
import { ConfigError } from "../config.ts";
import { AppError } from "../errors.ts";
import { translateSqliteError } from "../storage/sqlite/faults.ts";
import { StartError } from "../storage/start-error.ts";

/** Exit code of a start that was refused: the operator has to change something first. */
const REFUSED = 2;
/** Exit code when nobody foresaw what happened: the fault may be the program's own. */
const UNFORESEEN = 1;

/** Message of a failed command, in one line, and its exit code. */
export interface Failure {
  message: string;
  exitCode: number;
}

/**
 * Says in one line why a command failed. What the configuration, the file system or storage refuse is for the operator
 * to mend; anything else is told as what it is, without a stack, which is in the log at level debug.
 */
export function describeFailure(error: unknown): Failure {
  if (error instanceof ConfigError || error instanceof StartError) return refusal(error.message);
  const told = translateSqliteError(error);
  if (told instanceof AppError) return refusal(`storage is not usable: ${told.message}${reasonOf(told)}`);
  // Such as a file that may not be read: the message names the code, the call and the path.
  if (error instanceof Error && "syscall" in error) return refusal(error.message);
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { message: oneLine(`unexpected error: ${text}; use --log-level debug for details`), exitCode: UNFORESEEN };
}

function refusal(message: string): Failure {
  return { message: oneLine(message), exitCode: REFUSED };
}

function reasonOf({ cause }: AppError): string {
  return cause instanceof Error ? ` (${cause.message})` : "";
}

/** It may name what somebody else has made, such as a backup. */
function oneLine(text: string): string {
  return visible(text.trim().replaceAll(/\s*\n\s*/g, "; "));
}
