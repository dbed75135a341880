/** Rules in a form: the editor, and what the server finds wrong with them, at its place and in a list. */
import { Input, Skeleton, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import classes from "./editor.module.css";
import { checkQuery, type Findings } from "./queries.ts";
import { useNames } from "./names.ts";
import { later } from "../../kit/later.tsx";

const RulesEditor = later(
  async () => (await import("./rules-editor.tsx")).RulesEditor,
  <Skeleton className={classes.loading} />,
);

interface RulesFieldProps {
  readonly value: string;
  onChange(text: string): void;
}

/** The field. */
export function RulesField({ value, onChange }: RulesFieldProps) {
  const place = usePlace();
  const names = useNames();
  const check = useQuery(checkQuery(place, value));
  const [goTo, setGoTo] = useState<{ line: number; column: number }>();
  const show = useCallback((line: number, column: number) => setGoTo({ line, column }), []);
  return (
    <div>
      <Input.Label component="div" mb={2}>
        Rules
      </Input.Label>
      <Input.Description mb={6}>
        As HCL or JSON. Ctrl-Space completes kinds, names and accesses; Tab indents, and after Escape it leaves.
      </Input.Description>
      <RulesEditor value={value} onChange={onChange} findings={check.data} names={names} goTo={goTo} />
      <div aria-live="polite">
        {check.data !== undefined && <FindingList findings={check.data} isEmpty={value.trim() === ""} show={show} />}
        {check.isError && (
          <Text size="sm" c="dimmed" mt={8}>
            The rules cannot be checked now; the server checks them when they are saved.
          </Text>
        )}
      </div>
    </div>
  );
}

/** Rules that are only looked at. */
export function RulesText({ value }: { value: string }) {
  const names = useNames();
  return <RulesEditor value={value} onChange={nothing} names={names} isReadOnly />;
}

function nothing(): void {}

interface FindingListProps {
  readonly findings: Findings;
  readonly isEmpty: boolean;
  show(line: number, column: number): void;
}

function FindingList({ findings: { Errors, Warnings }, isEmpty, show }: FindingListProps) {
  if (Errors.length + Warnings.length === 0) {
    return (
      <Text size="sm" c="dimmed" mt={8}>
        {isEmpty ? "Without rules it allows nothing." : "No errors, no warnings."}
      </Text>
    );
  }
  const all = [
    ...Errors.map((finding) => ({ finding, severity: "error" })),
    ...Warnings.map((finding) => ({ finding, severity: "warning" })),
  ];
  return (
    <ul className={classes.findings} aria-label="Errors and warnings">
      {all.map(({ finding: { Line = 1, Column = 1, Message, DidYouMean }, severity }, index) => (
        <li key={index}>
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
              <span className={classes.severity}>{severity === "error" ? "Error: " : "Warning: "}</span>
              {Message}
              {DidYouMean !== undefined && (
                <>
                  . Did you mean <b>{DidYouMean}</b>?
                </>
              )}
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
