/** Editing an object as YAML in the user's editor: shown as a diff, and written only over what was read. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "./spec.ts";
import { diffOf } from "./diff.ts";
import { CliError, EXIT, usage } from "./exit.ts";
import { parseText } from "./body.ts";
import { yamlOf } from "./output/output.ts";

type Members = Record<string, unknown>;

/** How an object is edited. */
export interface Editing {
  /** What it is called in questions, such as `policy web`. */
  readonly title: string;
  /** Reads it: what may be changed, and a mark of its state. */
  read(): Promise<{ members: Members; mark: unknown }>;
  /** Writes it over the state with this mark; false when it has another one by now. */
  write(members: Members, before: Members, mark: unknown): Promise<boolean>;
  /** Says what writing these would do to others, before it is asked whether to. */
  preview?(members: Members): Promise<void>;
}

/** Has the user change an object. @throws CliError on a lost race, when both changes were shown; and when nothing was changed */
export async function edit(call: Call, editing: Editing): Promise<void> {
  const { out } = call;
  const { members: before, mark } = await editing.read();
  const text = await yamlOf(before);
  const changed = await changedMembers(call, text, editing.title);
  if (changed === undefined) {
    await out.note("nothing was changed");
    return;
  }
  const after = await yamlOf(changed.members);
  const diff = await diffOf(text, after, out);
  if (diff === "") {
    await out.note("nothing was changed");
    return;
  }
  if (call.flags.dryRun === true) {
    await out.text(diff);
    return editing.preview?.(changed.members);
  }
  if (call.flags.yes !== true) {
    await out.warn(diff.trimEnd());
    await editing.preview?.(changed.members);
  }
  await call.confirm(`Write this to ${editing.title}?`, []);
  if (await editing.write(changed.members, before, mark)) {
    await out.note(`${editing.title} was changed`);
    return;
  }
  await showLostRace(call, editing, text, after);
}

async function showLostRace(call: Call, editing: Editing, base: string, mine: string): Promise<never> {
  const { out } = call;
  const theirs = await editing.read().then(({ members }) => yamlOf(members));
  await out.warn(`${editing.title} was changed by somebody else since you began.\n\nTheir change:`);
  await out.warn((await diffOf(base, theirs, out)).trimEnd());
  await out.warn("\nYours:");
  await out.warn((await diffOf(base, mine, out)).trimEnd());
  const kept = join(mkdtempSync(join(tmpdir(), "tessera-edit-")), "yours.yaml");
  writeFileSync(kept, mine, { mode: 0o600 });
  throw new CliError(
    EXIT.conflict,
    `${editing.title} was not written: it has changed meanwhile`,
    `what you wrote is in ${kept}`,
  );
}

/** Opens the editor until what it leaves can be understood, or was left as it was. */
async function changedMembers(call: Call, text: string, title: string): Promise<{ members: Members } | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "tessera-edit-"));
  const file = join(folder, "object.yaml");
  const head = `# ${title}. Save and close to go on; leave it as it is to change nothing.\n`;
  try {
    writeFileSync(file, head + text, { mode: 0o600 });
    openEditor(call, file);
    const edited = readFileSync(file, "utf8");
    if (edited === head + text || edited.replaceAll(/^#.*\n?/gm, "").trim() === "") return undefined;
    const members = await parseText(edited, "what was edited");
    if (typeof members !== "object" || members === null || Array.isArray(members))
      throw usage("what was edited holds no object");
    return { members: members as Members };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
      `the editor ended with ${error?.message ?? `exit code ${status ?? "unknown"}`}; nothing was changed`,
      `EDITOR or VISUAL say which one: ${editor}`,
    );
  }
}
