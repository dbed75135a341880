/** What a list is filtered by. It is fetched when somebody asks for it. */
import { Select, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import type { Search } from "../app/address.ts";
import type { Filter } from "./list.ts";

interface FieldsProps {
  readonly filters: readonly Filter[];
  readonly search: Search;
  /** Takes over what the address says now of some of them. */
  change(changed: Record<string, string>): void;
}

/** A field for each filter. */
export function FilterFields({ filters, search, change }: FieldsProps) {
  return (
    <Stack gap="xs" w={260}>
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} value={search[filter.name] ?? ""} change={change} />
      ))}
    </Stack>
  );
}

interface FieldProps extends Pick<FieldsProps, "change"> {
  readonly filter: Filter;
  readonly value: string;
}

function FilterField({ filter, value, change }: FieldProps) {
  const [text, setText] = useState(value);
  const send = useDebouncedCallback((next: string) => change({ [filter.name]: next.trim() }), 300);
  if (filter.field !== undefined)
    return <>{filter.field({ value, onChange: (next) => change({ [filter.name]: next }) })}</>;
  if (filter.choices !== undefined) {
    return (
      <Select
        size="xs"
        label={filter.title}
        data={filter.choices.map((choice) => ({ ...choice }))}
        value={value === "" ? null : value}
        placeholder="Any"
        clearable
        comboboxProps={{ withinPortal: false }}
        onChange={(next) => change({ [filter.name]: next ?? "" })}
      />
    );
  }
  return (
    <TextInput
      size="xs"
      label={filter.title}
      placeholder={filter.placeholder ?? "Any"}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}
