/** Rules in a form: the editor, and what the server finds wrong with them, at its place and in a list. */
import { Button, Input, Skeleton, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import classes from "./editor.module.css";
import { checkQuery, type Findings, type PolicyFinding } from "./queries.ts";
import { useNames } from "./names.ts";
import { mended } from "./mend.ts";
import type { LineMark } from "../unused/mark.tsx";
import { later } from "../../kit/later.tsx";
import * as texts from "../../texts/policies.ts";

const RulesEditor = later(
  async () => (await import("./rules-editor.tsx")).RulesEditor,
  <Skeleton className={classes.loading} />,
);

interface RulesFieldProps {
  readonly value: string;
  onChange(text: string): void;
  /** Whether the field gets the focus when it appears. */
  readonly isFocused?: boolean;
}

/** The field. */
export function RulesField({ value, onChange, isFocused = false }: RulesFieldProps) {
  const place = usePlace();
  const names = useNames();
  const check = useQuery(checkQuery(place, value));
  const [goTo, setGoTo] = useState<{ line: number; column: number }>();
  const show = useCallback((line: number, column: number) => setGoTo({ line, column }), []);
  return (
    <div>
      <Input.Label component="div" mb={2}>
        {texts.rules}
      </Input.Label>
      <Input.Description mb={6}>{texts.rulesHint}</Input.Description>
      <RulesEditor {...{ value, onChange, names, goTo, isFocused }} findings={check.data} />
      <div aria-live="polite">
        {check.data !== undefined && (
          <FindingList
            findings={check.data}
            isEmpty={value.trim() === ""}
            show={show}
            mend={
              check.isPlaceholderData
                ? undefined
                : (finding) => {
                    onChange(mended(value, finding));
                    show(finding.Line ?? 1, finding.Column ?? 1);
                  }
            }
          />
        )}
        {check.isError && (
          <Text size="sm" c="dimmed" mt={8}>
            {texts.rulesNotChecked}
          </Text>
        )}
      </div>
    </div>
  );
}

/** Rules that are only looked at, with marks at their lines. */
export function RulesText({ value, marks = NO_MARKS }: { value: string; marks?: readonly LineMark[] }) {
  const names = useNames();
  return <RulesEditor value={value} onChange={nothing} names={names} marks={marks} isReadOnly />;
}

const NO_MARKS: readonly LineMark[] = [];

function nothing(): void {}

interface FindingListProps {
  readonly findings: Findings;
  readonly isEmpty: boolean;
  show(line: number, column: number): void;
  /** Puts the suggestion of a finding in its place; undefined while the text is checked again. */
  readonly mend: ((finding: PolicyFinding) => void) | undefined;
}

function FindingList({ findings: { Errors, Warnings }, isEmpty, show, mend }: FindingListProps) {
  if (Errors.length + Warnings.length === 0) {
    return (
      <Text size="sm" c="dimmed" mt={8}>
        {isEmpty ? texts.rulesEmpty : texts.rulesValid}
      </Text>
    );
  }
  const all = [
    ...Errors.map((finding) => ({ finding, severity: "error" })),
    ...Warnings.map((finding) => ({ finding, severity: "warning" })),
  ];
  return (
    <ul className={classes.findings} aria-label={texts.findings}>
      {all.map(({ finding, finding: { Line = 1, Column = 1, Message, DidYouMean }, severity }, index) => (
        <li key={index} className={classes.findingRow}>
          <UnstyledButton
            className={classes.finding}
            data-severity={severity}
            fz="sm"
            onClick={() => show(Line, Column)}
          >
            <Icon name="alert" size={14} />
            <span className="mono">
              {Line}:{Column}
            </span>
            <span>
              <span className={classes.severity}>{severity === "error" ? texts.error : texts.warning}</span>
              {DidYouMean === undefined ? Message : texts.withSuggestion(Message, DidYouMean)}
            </span>
          </UnstyledButton>
          {DidYouMean !== undefined && (
            <Button
              variant="default"
              size="compact-xs"
              flex="none"
              disabled={mend === undefined}
              onClick={() => mend?.(finding)}
            >
              {texts.replaceWith(DidYouMean)}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
