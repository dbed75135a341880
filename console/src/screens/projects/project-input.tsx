/** Chooses a project by name. */
import { Select } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { usePlace, type Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";
import * as texts from "../../texts/projects.ts";

/** Projects that can be chosen. */
const MOST = 500;

/** Names of projects by their IDs. */
export function projectNamesQuery(place: Place) {
  return queryOptions({
    queryKey: organizationKey(place.organization ?? "", "projects", "names"),
    queryFn: async ({ signal }) => {
      const found: { value: string; label: string }[] = [];
      const pages = place.client.projects.list({ organization: place.organization ?? "", "page[size]": 100, signal });
      for await (const { id, attributes } of pages.items()) {
        found.push({ value: id, label: attributes.name });
        if (found.length >= MOST) break;
      }
      return found;
    },
    staleTime: 60_000,
  });
}

interface ProjectInputProps {
  readonly value: string;
  onChange(id: string): void;
  readonly label?: string;
  readonly description?: string;
  /** Text for an empty choice. */
  readonly placeholder?: string;
  readonly size?: "xs" | "sm";
  /** False within what closes when something outside of it is clicked. */
  readonly isInPortal?: boolean;
}

/** The field; empty for none in particular. */
export function ProjectInput(props: ProjectInputProps) {
  const {
    value,
    onChange,
    label = texts.projectTitle,
    placeholder = texts.anyProject,
    isInPortal = true,
    ...rest
  } = props;
  const place = usePlace();
  const names = useQuery(projectNamesQuery(place));
  return (
    <Select
      {...rest}
      comboboxProps={{ withinPortal: isInPortal }}
      label={label}
      placeholder={placeholder}
      data={names.data ?? []}
      value={value === "" ? null : value}
      onChange={(id) => onChange(id ?? "")}
      searchable
      clearable
    />
  );
}

/** The name of a project; its ID until that is known, and of one that may not be seen. */
export function ProjectName({ id }: { id: string }) {
  const names = useQuery(projectNamesQuery(usePlace()));
  return <bdi>{names.data?.find(({ value }) => value === id)?.label ?? id}</bdi>;
}
