/** Editing an object as YAML in the user's editor: shown as a diff, and written only over what was read. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { Call } from "./spec.ts";
import { diffOf } from "./diff.ts";
import { makeFile, readEdited, removeFile, withoutComments, workIn } from "./edited-file.ts";
import { CliError, EXIT, TextKept, usage } from "./exit.ts";
import { parseText } from "./body.ts";
import { yamlOf } from "./output/output.ts";
import { visibleLines } from "./output/values.ts";

type Members = Record<string, unknown>;

/** How an object is edited. */
export interface Editing {
  /** Name of the object in questions, such as `policy web`. */
  readonly title: string;
  /** Reads it: what may be changed, and a mark of its state. */
  read(): Promise<{ members: Members; mark: unknown }>;
  /** Writes it over the state with this mark; false when it has another one by now. */
  write(members: Members, before: Members, mark: unknown): Promise<boolean>;
  /** Says what writing these would do to others, before it is asked whether to. */
  preview?(members: Members): Promise<void>;
}

/** How often the editor is opened for one object: an editor that is a program may never leave what is right. */
const MOST_TIMES = 10;

/** An edit under way. */
interface Edited extends Editing {
  readonly before: Members;
  readonly mark: unknown;
  /** The same as it stands in the file, and the comment above it. */
  readonly text: string;
  readonly head: string;
  readonly file: string;
}

/**
 * Has the user change an object. What was written in the editor stays in its file until the server has it, whatever goes wrong; on a
 * terminal the editor opens again with what is wrong at the top, until it is left as it is.
 *
 * @throws TextKept with what went wrong and the file; what `read` throws
 */
export async function edit(call: Call, editing: Editing): Promise<void> {
  const { members: before, mark } = await editing.read();
  const text = await yamlOf(before);
  const head = `# ${editing.title}. Save and close the file to continue. Leave it unchanged to cancel.\n`;
  const file = makeFile(head + text);
  const edited: Edited = { ...editing, before, mark, text, head, file };
  let isOver = false;
  try {
    isOver = await editUntilRight(call, edited);
    const work = isOver ? undefined : workIn(file, text);
    if (work !== undefined) await call.out.note(`Your edit was saved to ${work}`);
  } catch (error) {
    const work = workIn(file, text);
    throw work === undefined ? error : new TextKept(work, { cause: error });
  } finally {
    if (isOver || workIn(file, text) === undefined) removeFile(file);
  }
}

/** @returns whether the text is needed no more; a dry run leaves it */
async function editUntilRight(call: Call, edited: Edited): Promise<boolean> {
  const { file, head, text } = edited;
  let top = head;
  let given = head + text;
  let problem: { readonly error: unknown } | undefined;
  for (let times = 1; ; times++) {
    openEditor(call, file);
    const now = readEdited(file);
    const isLeft = now === given || withoutComments(now).trim() === "";
    try {
      // Left with the fault on top: whoever edits gives up, and the fault is what ends the command.
      if (isLeft && problem !== undefined) throw problem.error;
      if (!isLeft) return await writeEdited(call, edited, now);
      await nothingChanged(call);
      // A file that the editor left beside this one may contain the user's text.
      return workIn(file, text) === undefined;
    } catch (error) {
      if (isLeft || times === MOST_TIMES || !(await isMendable(call, error))) throw error;
      problem = { error };
      const rest = now.startsWith(top) ? now.slice(top.length) : now;
      top = (await commentOf(call, error)) + head;
      given = top + rest;
      writeFileSync(file, given);
    }
  }
}

async function nothingChanged({ out }: Call): Promise<boolean> {
  await out.note("Nothing was changed.");
  return true;
}

/** Whether another text would help, and somebody is there to write it. */
async function isMendable({ io }: Call, error: unknown): Promise<boolean> {
  if (io.stdin.isTTY !== true || io.signal.aborted) return false;
  if (error instanceof CliError && error.exitCode === EXIT.usage) return true;
  const { TesseraError } = await import("@tessera-server/client");
  const said = error instanceof CliError ? error.cause : error;
  return said instanceof TesseraError && [400, 413, 422].includes(said.status);
}

/** A failure as a comment. */
async function commentOf(call: Call, error: unknown): Promise<string> {
  const { tellFailure } = await import("./failure.ts");
  const { message, hints } = tellFailure(error, call.settingsIfRead() ?? {});
  const lines = visibleLines([message, ...hints.map((hint) => `  ${hint}`)].join("\n")).split("\n");
  return lines.map((line) => `${`# ${line}`.trimEnd()}\n`).join("");
}

/** Shows what the text changes, asks, and writes it. @returns whether the text is needed no more */
async function writeEdited(call: Call, edited: Edited, now: string): Promise<boolean> {
  const { out } = call;
  const { title, text, before, mark } = edited;
  const members = await parseText(now, "the edited text");
  if (typeof members !== "object" || members === null || Array.isArray(members))
    throw usage("the edited text does not contain an object");
  const after = await yamlOf(members);
  const diff = await diffOf(text, after);
  if (diff.length === 0) return nothingChanged(call);
  if (call.flags.dryRun === true) {
    await out.lines(diff);
    await edited.preview?.(members as Members);
    return false;
  }
  if (call.flags.yes !== true) {
    await out.warnLines(diff);
    await edited.preview?.(members as Members);
  }
  await call.confirm(`Save these changes to ${title}?`, []);
  if (!(await edited.write(members as Members, before, mark))) await showLostRace(call, edited, text, after);
  await out.note(`Saved ${title}.`);
  return true;
}

async function showLostRace(call: Call, editing: Editing, base: string, mine: string): Promise<never> {
  const { out } = call;
  const theirs = await editing.read().then(({ members }) => yamlOf(members));
  await out.warn(`${editing.title} was changed by another client while you edited it.\n\nOther change:`);
  await out.warnLines(await diffOf(base, theirs));
  await out.warn("\nYour change:");
  await out.warnLines(await diffOf(base, mine));
  throw new CliError(EXIT.conflict, `${editing.title} was not saved: the object has changed`);
}

function openEditor({ io }: Call, file: string): void {
  const editor = io.env["VISUAL"] || io.env["EDITOR"] || "vi";
  // A shell, since an editor may have words of its own, as in `code --wait`.
  const { status, error } = spawnSync("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], {
    stdio: "inherit",
    env: { ...io.env },
  });
  if (error !== undefined || status !== 0) {
    throw new CliError(
      EXIT.failed,
      `the editor exited with ${error?.message ?? `exit code ${status ?? "unknown"}`}; nothing was changed`,
      `set VISUAL or EDITOR to change the editor: ${editor}`,
    );
  }
}
