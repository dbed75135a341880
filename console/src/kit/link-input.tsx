/** Policies and roles that something is to hold, chosen by name from what the server has. */
import { TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { usePlace, type Place } from "../base/place.ts";
import { scopedKey } from "../base/queries.ts";
import type { Linked } from "./links.tsx";

const LISTS = { policies: "listPolicies", roles: "listRoles", "auth-methods": "listAuthMethods" } as const;

/** Names that may be chosen. */
const MOST = 50;

/** Names of what there is, by what was typed of them. */
export function namesQuery(place: Place, noun: Linked, search: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, noun, "names", search),
    queryFn: async ({ signal }) => {
      const query = { search: search === "" ? undefined : search, limit: MOST };
      const { body } = await place.client.request<readonly { Name: string }[]>(LISTS[noun], { query, signal });
      return body.map(({ Name }) => Name);
    },
    placeholderData: keepPreviousData,
  });
}

interface LinkInputProps {
  readonly noun: Linked;
  readonly label: string;
  readonly description?: string;
  /** Names; given by `form.getInputProps`. */
  readonly value?: readonly string[];
  readonly onChange: (names: string[]) => void;
  readonly error?: ReactNode;
}

/** Chooses several by name; one that is not in the choices may be typed. */
export function LinkInput({ noun, label, description, value = [], onChange, error }: LinkInputProps) {
  const place = usePlace();
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text, 150);
  const names = useQuery(namesQuery(place, noun, search));
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={value.length === 0 ? "Type to find one" : ""}
      data={names.data ?? []}
      value={[...value]}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      error={error}
      maxDropdownHeight={240}
      size="sm"
      clearable
    />
  );
}
