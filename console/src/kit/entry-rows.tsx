/** Entries of a few fields each, one row per entry, with a button that adds a row and one that removes it. */
import { ActionIcon, Autocomplete, Button, Group, Input, Stack, Text, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { Icon } from "./icons.tsx";
import * as texts from "../texts/kit-forms.ts";

interface EntryColumn {
  readonly label: string;
  readonly placeholder?: string;
  /** Values that are offered; others may be typed. */
  readonly choices?: readonly string[];
}

interface EntryRowsProps {
  readonly label: string;
  readonly description?: string;
  /** Name of one entry, such as `service identity`. */
  readonly singular: string;
  readonly columns: readonly EntryColumn[];
  /** Entries, each with one text per column. */
  readonly value: readonly (readonly string[])[];
  /** Receives the entries without empty ones. */
  onChange(value: readonly (readonly string[])[]): void;
  readonly error?: ReactNode;
}

/** The rows. Empty rows exist on the screen only. */
export function EntryRows({ label, description, singular, columns, value, onChange, error }: EntryRowsProps) {
  const [{ rows, told }, setRows] = useState({ rows: value, told: JSON.stringify(value) });
  // Other values than those told last come from elsewhere, such as a merged conflict.
  const given = JSON.stringify(value);
  const shown = given === told ? rows : value;
  const set = (next: readonly (readonly string[])[]) => {
    const entries = next.filter((row) => row.some((text) => text.trim() !== ""));
    setRows({ rows: next, told: JSON.stringify(entries) });
    onChange(entries);
  };
  const write = (at: number, column: number, text: string) =>
    set(
      shown.map((row, index) =>
        index === at ? columns.map((_, each) => (each === column ? text : (row[each] ?? ""))) : row,
      ),
    );
  return (
    <Input.Wrapper label={label} description={description} error={error} size="sm" labelElement="div">
      <Stack gap={6} mt={4} role="group" aria-label={label}>
        {shown.length > 0 && (
          <Group gap={6} wrap="nowrap" pr={42} aria-hidden="true">
            {columns.map((column) => (
              <Text key={column.label} size="xs" c="dimmed" flex={1}>
                {column.label}
              </Text>
            ))}
          </Group>
        )}
        {shown.map((row, at) => (
          <Group key={at} gap={6} wrap="nowrap" align="flex-start">
            {columns.map((column, index) => (
              <EntryField
                key={column.label}
                column={column}
                label={texts.entryField(column.label, singular, at + 1)}
                value={row[index] ?? ""}
                change={(text) => write(at, index, text)}
              />
            ))}
            <ActionIcon
              size={36}
              aria-label={texts.removeEntry(singular, at + 1)}
              onClick={() => set(shown.filter((_, index) => index !== at))}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          style={{ alignSelf: "flex-start" }}
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => set([...shown, columns.map(() => "")])}
        >
          {texts.addEntry(singular)}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

interface EntryFieldProps {
  readonly column: EntryColumn;
  readonly label: string;
  readonly value: string;
  change(text: string): void;
}

function EntryField({ column: { choices, placeholder }, label, value, change }: EntryFieldProps) {
  const shared = {
    flex: 1,
    miw: 0,
    size: "sm",
    "aria-label": label,
    placeholder: placeholder ?? "",
    value,
    spellCheck: false,
  };
  if (choices !== undefined) return <Autocomplete {...shared} data={[...choices]} onChange={change} />;
  return <TextInput {...shared} onChange={(event) => change(event.currentTarget.value)} />;
}
