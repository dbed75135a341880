/** A name of something that there is; another one, or a template for names, may be typed. */
import { Autocomplete } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePlace } from "../base/place.ts";
import { namesQuery } from "./link-input.tsx";
import type { Linked } from "./links.tsx";

interface NameInputProps {
  /** Kind of objects whose names are offered; undefined offers no names. */
  readonly noun: Linked | undefined;
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly readOnly?: boolean;
  readonly value?: string;
  readonly onChange: (name: string) => void;
  readonly error?: ReactNode;
}

/** Field that offers names while the user types. */
export function NameInput({ noun, value = "", ...rest }: NameInputProps) {
  const place = usePlace();
  const [search] = useDebouncedValue(value, 150);
  const names = useQuery({ ...namesQuery(place, noun ?? "roles", search), enabled: noun !== undefined });
  return <Autocomplete data={noun === undefined ? [] : (names.data ?? [])} value={value} size="sm" {...rest} />;
}
