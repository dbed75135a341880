/** Differences, as lines that come and lines that go. */
import { diffLines } from "diff";
import { Text } from "@mantine/core";
import classes from "./form.module.css";
import { textOf, type MemberChange } from "./members.ts";
import { visible } from "./visible.ts";
import * as texts from "../texts/kit-forms.ts";

/** Lines around a change that are shown with it. */
const AROUND = 2;

interface Line {
  readonly kind: "added" | "removed" | "same" | "gap";
  readonly text: string;
}

/** Changes by member. */
export function Changes({ changes, none = texts.changesEmpty }: { changes: readonly MemberChange[]; none?: string }) {
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed" px={14} py="sm">
        {none}
      </Text>
    );
  }
  return (
    <dl className={classes.changes}>
      {changes.map(({ path, before, after }) => (
        <div key={path}>
          <dt>{path}</dt>
          <dd>
            <Difference before={textOf(before)} after={textOf(after)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Lines that one difference shows: a page of fifty thousand would stand still. */
const MOST = 400;

/** The difference of two texts. What comes and what goes is told by a sign too, not by colour alone. */
export function Difference({ before, after }: { before: string; after: string }) {
  const lines = linesOf(before, after);
  return (
    <div>
      {lines.slice(0, MOST).map(({ kind, text }, index) => (
        <span key={index} className={classes.line} data-kind={kind}>
          <span aria-hidden="true">{kind === "added" ? "+ " : kind === "removed" ? "− " : "  "}</span>
          {kind === "added" && <span hidden>{texts.lineAdded}</span>}
          {kind === "removed" && <span hidden>{texts.lineRemoved}</span>}
          {visible(text)}
        </span>
      ))}
      {lines.length > MOST && (
        <span className={classes.line} data-kind="gap">
          {texts.moreLines(lines.length - MOST)}
        </span>
      )}
    </div>
  );
}

/** Ends of lines do not count: a text without one is not another text. */
function linesOf(before: string, after: string): readonly Line[] {
  if (before === "") return split(after).map((text) => ({ kind: "added", text }));
  if (after === "") return split(before).map((text) => ({ kind: "removed", text }));
  const parts = diffLines(`${before}\n`, `${after}\n`, { timeout: 200 });
  if (parts === undefined) {
    return [
      ...split(before).map((text): Line => ({ kind: "removed", text })),
      ...split(after).map((text): Line => ({ kind: "added", text })),
    ];
  }
  return parts.flatMap(({ value, added, removed }, index): readonly Line[] => {
    const lines = split(value);
    if (added) return lines.map((text) => ({ kind: "added", text }));
    if (removed) return lines.map((text) => ({ kind: "removed", text }));
    const head = index === 0 ? 0 : AROUND;
    const tail = index === parts.length - 1 ? 0 : AROUND;
    if (lines.length <= head + tail + 1) return lines.map((text) => ({ kind: "same", text }));
    return [
      ...lines.slice(0, head).map((text): Line => ({ kind: "same", text })),
      { kind: "gap", text: texts.unchangedLines(lines.length - head - tail) },
      ...lines.slice(lines.length - tail).map((text): Line => ({ kind: "same", text })),
    ];
  });
}

function split(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
