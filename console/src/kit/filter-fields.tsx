/** Filter fields of a list. The browser loads this part when the user opens the filters. */
import { Select, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import type { Search } from "../base/address.ts";
import type { ChangeFilter, Filter } from "./filter.ts";
import * as texts from "../texts/kit-lists.ts";

interface FieldsProps {
  readonly filters: readonly Filter[];
  readonly search: Search;
  readonly change: ChangeFilter;
}

/** A field for each filter. */
export function FilterFields({ filters, search, change }: FieldsProps) {
  return (
    <Stack gap="xs" w={260}>
      {filters.map((filter) => (
        <FilterField key={filter.name} filter={filter} search={search} change={change} />
      ))}
    </Stack>
  );
}

interface FieldProps extends Omit<FieldsProps, "filters"> {
  readonly filter: Filter;
}

function FilterField({ filter, search, change }: FieldProps) {
  const value = search[filter.name] ?? "";
  const [text, setText] = useState(value);
  const send = useDebouncedCallback((next: string) => change({ [filter.name]: next.trim() }), 300);
  if (filter.field !== undefined)
    return <>{filter.field({ value, onChange: (next) => change({ [filter.name]: next }), search, change })}</>;
  if (filter.choices !== undefined) {
    return (
      <Select
        size="xs"
        label={filter.title}
        data={filter.choices.map(({ value: chosen, label }) => ({ value: chosen, label }))}
        value={value === "" ? null : value}
        placeholder={texts.anyValue}
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
      placeholder={filter.placeholder ?? texts.anyValue}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}
