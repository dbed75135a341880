/** The file that is in an editor: a folder of its own, in which an editor may move and leave what it likes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CliError, EXIT } from "./exit.ts";

/** Makes the file, which nobody else may read. @returns its path */
export function makeFile(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "tessera-edit-")), "object.yaml");
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** Returns the current text of the file. @throws CliError when the editor has left no file */
export function readEdited(file: string): string {
  const text = textAt(file);
  if (text !== undefined) return text;
  throw new CliError(EXIT.failed, `the editor deleted the file ${file}: nothing was changed`);
}

/**
 * The file that holds what nobody else has: the edited one, or one beside it, since an editor that replaces a file by moving may leave
 * the text under another name.
 *
 * @param text as it was given to the editor @returns undefined where there is none
 */
export function workIn(file: string, text: string): string | undefined {
  const isWork = (now: string | undefined) =>
    now !== undefined && withoutComments(now).trim() !== "" && withoutComments(now) !== withoutComments(text);
  return [file, ...besides(file)].find((each) => isWork(textAt(each)));
}

/** Takes the file away, and all beside it. */
export function removeFile(file: string): void {
  rmSync(dirname(file), { recursive: true, force: true });
}

/** Text without the lines that say something to who edits it. */
export function withoutComments(text: string): string {
  return text.replaceAll(/^#.*\n?/gm, "");
}

function besides(file: string): string[] {
  const folder = dirname(file);
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((each) => each !== file);
}

function textAt(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, "utf8") : undefined;
}
