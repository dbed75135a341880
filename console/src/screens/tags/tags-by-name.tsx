/** Chooses tags by name from the pool; one that is not in it may be typed. */
import { TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { usePlace, type Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";
import { useClosing } from "../../kit/closing.ts";
import * as texts from "../../texts/tags.ts";

/** Names that may be chosen. */
const MOST = 30;

/** Names of the pool that hold a text, the most used first. */
export function tagNamesQuery(place: Place, search: string) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "tags", "names", search),
    queryFn: async ({ signal }) => {
      const { body } = await place.client.request("listTags", {
        path: { organization_name: place.organization ?? "" },
        query: { q: search === "" ? undefined : search, sort: "-count", "page[size]": MOST },
        signal,
      });
      return body.data.map(({ attributes }) => attributes.name);
    },
    placeholderData: keepPreviousData,
  });
}

interface TagsByNameProps {
  readonly label: string;
  readonly description?: string;
  readonly value: readonly string[];
  onChange(names: string[]): void;
  readonly error?: ReactNode;
  readonly size?: "xs" | "sm";
  /** False within what closes when something outside of it is clicked. */
  readonly isInPortal?: boolean;
}

/** The field. */
export function TagsByName(props: TagsByNameProps) {
  const { label, description, value, onChange, error, size = "sm", isInPortal = true } = props;
  const place = usePlace();
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text, 150);
  const names = useQuery(tagNamesQuery(place, search));
  const closing = useClosing();
  return (
    <TagsInput
      {...closing}
      label={label}
      description={description}
      placeholder={value.length === 0 ? texts.namePlaceholder : ""}
      data={names.data ?? []}
      value={[...value]}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      error={error}
      maxDropdownHeight={220}
      size={size}
      comboboxProps={{ withinPortal: isInPortal }}
      clearable
    />
  );
}
