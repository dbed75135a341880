/** A check's findings about a body that a write has refused: where the fault lies, and what would be right. */
import { TesseraError } from "@tessera-server/client";
import type { Call } from "../spec.ts";
import { CliError, EXIT, withCause } from "../exit.ts";
import type { Item } from "../output/types.ts";
import { plain } from "../output/values.ts";
import { objectOf } from "./answers.ts";
import { warningText } from "./warnings.ts";

/** How objects of a kind are checked. */
export interface KindCheck {
  readonly operation: string;
  /** The body of the check for that of a write; undefined where the write says too little. @param isWhole whether it says all of the object */
  bodyOf(members: Item, isWhole: boolean): object | undefined;
}

/**
 * Does a write.
 *
 * @throws CliError with the findings of the check, where the server has refused what is written and there are some; what `write` throws
 */
export async function withFindings<T>(
  call: Call,
  check: KindCheck | undefined,
  { members, isWhole }: { members: Item; isWhole: boolean },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const body = check?.bodyOf(members, isWhole);
    if (check === undefined || body === undefined || !(error instanceof TesseraError) || error.status !== 400)
      throw error;
    // The check does not see what a change leaves as it is.
    const isSaid = (member: unknown) =>
      isWhole || typeof member !== "string" || (member.split(/[.[]/)[0] ?? "") in members;
    const lines = await findingsOf(call, check.operation, body, { detail: error.detail, isSaid });
    if (lines.length === 0) throw error;
    throw withCause(new CliError(EXIT.failed, error.detail === "" ? error.title : error.detail, ...lines), error);
  }
}

/** Nothing where it cannot be asked: what went wrong is the write. */
async function findingsOf(
  call: Call,
  operation: string,
  body: object,
  { detail, isSaid }: { detail: string; isSaid: (member: unknown) => boolean },
): Promise<string[]> {
  try {
    const { Errors } = objectOf(await call.read(operation, { body }));
    const errors = Array.isArray(Errors) ? (Errors as Item[]) : [];
    return errors.flatMap((each) => (isSaid(each["Member"]) ? lineOf(each, detail) : []));
  } catch (error) {
    if (error instanceof TesseraError) return [];
    throw error;
  }
}

/** A finding as it is shown below the refusal, without what that has said already; none when it has said all. */
function lineOf(finding: Item, detail: string): string[] {
  const { Message: message, Line: line, Column: column } = finding;
  const member = plain(finding["Member"], "");
  if (message !== detail) return [`${member} ${warningText(finding)}`.trim()];
  const at = plain(line, "");
  const isPlaced = at === "" || new RegExp(`line ${at}\\b|\\b${at}:\\d`).test(detail);
  return isPlaced ? [] : [`${member} ${at}:${plain(column, "1")}`.trim()];
}
