/** The fields by which workspaces are found for a job. */
import { SegmentedControl, SimpleGrid, TextInput } from "@mantine/core";
import { ProjectInput } from "../projects/project-input.tsx";
import { TagsByName } from "../tags/tags-by-name.tsx";
import { BindingFields } from "./binding-fields.tsx";
import type { FilterFields } from "./filter.ts";
import * as texts from "../../texts/workspaces.ts";

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
        aria-label={texts.action}
        value={action}
        onChange={(next) => onAction(next === "remove" ? "remove" : "add")}
        data={[
          { value: "add", label: texts.add },
          { value: "remove", label: texts.remove },
        ]}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          label={texts.namePattern}
          placeholder={texts.namePatternExample}
          value={value.wildcard}
          onChange={(event) => set({ wildcard: event.currentTarget.value })}
        />
        <TextInput
          label={texts.nameContains}
          placeholder={texts.nameContainsExample}
          value={value.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TagsByName label={texts.withTags} value={value.tags} onChange={(tags) => set({ tags })} />
        <TagsByName label={texts.withoutTags} value={value.excluded} onChange={(excluded) => set({ excluded })} />
        <ProjectInput value={value.project} onChange={(project) => set({ project })} />
      </SimpleGrid>
      <BindingFields label={texts.effectiveKeys} value={value.keys} onChange={(keys) => set({ keys })} />
    </>
  );
}
