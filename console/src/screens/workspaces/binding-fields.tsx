/** Fields for any number of keys with values that something is found by. */
import { Group, Input, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import type { Filter, FilterFieldProps } from "../../kit/filter.ts";
import { askingFor, wantedOf, type Wanted } from "./bindings.ts";
import * as texts from "../../texts/workspaces.ts";

interface BindingFieldsProps {
  readonly label: string;
  readonly size?: "xs" | "sm";
  readonly value: readonly Wanted[];
  onChange(wanted: readonly Wanted[]): void;
}

/** Maximum number of tag keys in one search on the server. */
const MOST_KEYS = 20;

const NONE: Wanted = { key: "", value: "" };

/** Fields for tag keys, one row each, with an empty row at the end. A row with an empty key is ignored. */
export function BindingFields({ label, size = "sm", value, onChange }: BindingFieldsProps) {
  const isFull = value.length >= MOST_KEYS;
  const isNextThere = value.at(-1)?.key === "";
  const rows = isFull || isNextThere ? value : [...value, NONE];
  const set = (at: number, changed: Partial<Wanted>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...changed } : row)));
  return (
    <Input.Wrapper label={label} size={size} labelElement="div">
      <Stack gap={6} role="group" aria-label={label}>
        {rows.map((row, at) => (
          <Group key={at} gap={6} wrap="nowrap">
            <TextInput
              size={size}
              flex={1}
              aria-label={texts.keyNumber(at + 1)}
              placeholder={at === 0 ? texts.keyExample : texts.anotherKey}
              value={row.key}
              onChange={(event) => set(at, { key: event.currentTarget.value })}
            />
            <TextInput
              size={size}
              flex={1}
              aria-label={texts.valueOfKey(at + 1)}
              placeholder={texts.anyValue}
              value={row.value}
              disabled={row.key.trim() === ""}
              onChange={(event) => set(at, { value: event.currentTarget.value })}
            />
          </Group>
        ))}
      </Stack>
    </Input.Wrapper>
  );
}

/** Fields for tag keys in the filters of a list. */
export function BindingsFilter({
  title,
  search,
  change,
}: Pick<Filter, "title"> & Pick<FilterFieldProps, "search" | "change">) {
  const [wanted, setWanted] = useState(() => wantedOf(search));
  const send = useDebouncedCallback((next: readonly Wanted[]) => change(askingFor(next, search)), 300);
  return (
    <BindingFields
      label={title}
      size="xs"
      value={wanted}
      onChange={(next) => {
        setWanted(next);
        send(next);
      }}
    />
  );
}
