/** Policies and roles that something is to hold, chosen by name from what the server has. */
import { TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { usePlace, type Place } from "../base/place.ts";
import { scopedKey } from "../base/queries.ts";
import { useClosing } from "./closing.ts";
import type { Linked } from "./links.tsx";
import * as texts from "../texts/kit-lists.ts";

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

/** Chooses several by name. Enter takes the first suggestion; a name that does not exist is marked. */
export function LinkInput({ noun, label, description, value = [], onChange, error }: LinkInputProps) {
  const place = usePlace();
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text, 150);
  const names = useQuery(namesQuery(place, noun, search));
  const missing = useMissing(place, noun, value);
  const closing = useClosing();
  return (
    <TagsInput
      {...closing}
      label={label}
      description={description}
      placeholder={value.length === 0 ? texts.typeToSearch : ""}
      data={names.data ?? []}
      value={[...value]}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      error={error ?? (missing === undefined ? undefined : texts.doesNotExist(texts.linkKinds[noun], missing))}
      selectFirstOptionOnChange
      maxDropdownHeight={240}
      size="sm"
      clearable
    />
  );
}

/** Returns the first name that was chosen here and does not exist. Names that the object already had are not asked for. */
function useMissing(place: Place, noun: Linked, value: readonly string[]): string | undefined {
  const [known] = useState(() => new Set(value));
  const chosen = value.filter((name) => !known.has(name));
  const found = useQueries({ queries: chosen.map((name) => namesQuery(place, noun, name)) });
  // More matches than a page: the name can be behind it.
  return chosen.find((name, index) => {
    const { data, isPlaceholderData } = found[index] ?? {};
    return data !== undefined && isPlaceholderData !== true && data.length < MOST && !data.includes(name);
  });
}
