/** Questions before something goes that does not come back. */
import type { Call } from "./spec.ts";
import { CliError, EXIT, usage } from "./exit.ts";
import { visible } from "./output/values.ts";

/** How much of what goes is named. */
const NAMED = 20;

/**
 * Shows what goes, and asks.
 *
 * @throws CliError when the answer is no, or nobody is there to answer
 */
export async function confirm(call: Call, question: string, what: readonly string[]): Promise<void> {
  const { io, out, flags } = call;
  if (flags.dryRun === true) return;
  if (flags.yes === true) return;
  for (const line of what.slice(0, NAMED)) await out.warn(`  ${visible(line)}`);
  if (what.length > NAMED) await out.warn(`  and ${what.length - NAMED} more`);
  if (io.stdin.isTTY !== true)
    throw usage(`${question} stdin is not a terminal: pass --yes to confirm, or --dry-run to preview`);
  const { reason } = call;
  const isReason = reason.isRequested && reason.text === undefined;
  await io.stderr.write(`${visible(question)} ${isReason ? REASON_PROMPT : "[y/N]"} `);
  const answer = (await readLine(io.stdin)).trim();
  if (isReason ? answer === "" : !/^y(es)?$/i.test(answer))
    throw new CliError(EXIT.failed, "canceled: nothing was changed");
  if (isReason) reason.text = answer;
}

/** One line confirms and gives the reason: the answer to a question closes standard input. */
const REASON_PROMPT = "Enter the reason for the audit log, or nothing to cancel:";

/** One line of what is typed. */
export async function readLine(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const part of stdin) {
    text += Buffer.from(part).toString("utf8");
    if (text.includes("\n") || text.length > 4096) break;
  }
  return text.split("\n", 1)[0] ?? "";
}
