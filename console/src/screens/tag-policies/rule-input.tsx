/** Chooses a rule of the organization by its name. */
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import { policyQuery } from "./rules.ts";
import * as texts from "../../texts/tag-policies.ts";

/** The field; empty for any. */
export function RuleInput({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { data } = useQuery(policyQuery(usePlace()));
  const names = data?.policy?.attributes.rules.map(({ name }) => name) ?? [];
  return (
    <Select
      size="xs"
      label={texts.rule}
      placeholder={texts.anyRule}
      data={names}
      value={value === "" ? null : value}
      onChange={(name) => onChange(name ?? "")}
      clearable
      comboboxProps={{ withinPortal: false }}
    />
  );
}
