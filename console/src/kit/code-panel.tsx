/** Shows the write of a form as code for other tools. */
import { Tabs, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { usePlace } from "../base/place.ts";
import { codeOfAll } from "./code.ts";
import { CopyButton } from "./copy.tsx";
import classes from "./form.module.css";
import type { Plan } from "./plan.ts";
import * as texts from "../texts/kit-lists.ts";

const KEPT = "tessera-code";

/** The code of a plan, or of several that are sent one after the other. Which language is shown is remembered. */
export function CodePanel({ plan }: { plan: Plan | readonly Plan[] }) {
  const place = usePlace();
  const [chosen, setChosen] = useState(() => readChoice());
  const codes = codeOfAll([plan].flat(), place);
  const shown = codes.find(({ id }) => id === chosen) ?? codes[0];
  if (shown === undefined) return null;
  const choose = (id: string | null) => {
    setChosen(id ?? "tessera");
    keepChoice(id ?? "tessera");
  };
  return (
    <section className={classes.panel} aria-label={texts.codeTitle}>
      <Tabs value={shown.id} onChange={choose}>
        <Tabs.List className={classes.panelHead}>
          {codes.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className={classes.copy}>
          <CopyButton value={shown.text} what={texts.copiedCode} />
        </div>
        {codes.map(({ id, title, text }) => (
          <Tabs.Panel key={id} value={id}>
            {/* Makes the scrollable area focusable by keyboard. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <pre className={classes.code} tabIndex={0} aria-label={texts.codeOf(title)}>
              {wordsOf(beginOf(text))}
            </pre>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text size="xs" c="dimmed" px={14} pb="xs">
        {shown.id === "yaml" || shown.id === "terraform" ? texts.codeNotes[shown.id] : texts.codeForCommands}
      </Text>
    </section>
  );
}

/** Maximum number of characters shown of a long text. The copy button copies all of it. */
const SHOWN = 20_000;

function beginOf(text: string): string {
  return text.length <= SHOWN ? text : texts.codeShortened(text.slice(0, SHOWN));
}

/**
 * Returns the code with spans that prevent line breaks after a hyphen of an option or an ID, and before a continuation
 * backslash.
 */
function wordsOf(text: string): ReactNode {
  return text.split(/(\s+(?!\\\n))/).map((part, index) =>
    index % 2 === 0 && /[-\\]/.test(part) ? (
      <span key={index} className={classes.word}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}

/** A browser may refuse to keep anything. */
function readChoice(): string {
  try {
    return localStorage.getItem(KEPT) ?? "tessera";
  } catch {
    return "tessera";
  }
}

function keepChoice(id: string): void {
  try {
    localStorage.setItem(KEPT, id);
  } catch {
    // The choice is not remembered.
  }
}
