/** The fields by which workspaces are found for a job. */
import { SegmentedControl, SimpleGrid, TextInput } from "@mantine/core";
import { ProjectInput } from "../projects/project-input.tsx";
import { TagsByName } from "../tags/tags-by-name.tsx";
import { BindingFields } from "./binding-fields.tsx";
import type { FilterFields } from "./filter.ts";

interface FieldsProps {
  readonly value: FilterFields;
  onChange(value: FilterFields): void;
  readonly action: "add" | "remove";
  onAction(action: "add" | "remove"): void;
}

/**
 * Fields for the action and for the workspaces it applies to. Empty fields match all workspaces of the organization.
 */
export function WorkspaceFilterFields({ value, onChange, action, onAction }: FieldsProps) {
  const set = (changed: Partial<FilterFields>) => onChange({ ...value, ...changed });
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="What is done"
        value={action}
        onChange={(next) => onAction(next === "remove" ? "remove" : "add")}
        data={[
          { value: "add", label: "Put on" },
          { value: "remove", label: "Take off" },
        ]}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          label="Whole name, with * for any text"
          placeholder="prod-*"
          value={value.wildcard}
          onChange={(event) => set({ wildcard: event.currentTarget.value })}
        />
        <TextInput
          label="Part of the name"
          placeholder="network"
          value={value.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TagsByName label="Has all of these tags" value={value.tags} onChange={(tags) => set({ tags })} />
        <TagsByName label="Has none of these" value={value.excluded} onChange={(excluded) => set({ excluded })} />
        <ProjectInput value={value.project} onChange={(project) => set({ project })} />
      </SimpleGrid>
      <BindingFields label="Keys that apply" value={value.keys} onChange={(keys) => set({ keys })} />
    </>
  );
}
