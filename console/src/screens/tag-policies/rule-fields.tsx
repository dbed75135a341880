/** The fields of one rule. */
import { ActionIcon, SimpleGrid, Stack, TagsInput, TextInput, Tooltip } from "@mantine/core";
import { Icon } from "../../kit/icons.tsx";
import { ProjectInput } from "../projects/project-input.tsx";
import type { RuleDraft } from "./rules.ts";
import classes from "./tag-policies.module.css";
import * as texts from "../../texts/tag-policies.ts";

interface RuleFieldsProps {
  readonly rule: RuleDraft;
  readonly index: number;
  /** By the paths of fields, such as `rules.0.name`. */
  readonly errors: Readonly<Record<string, React.ReactNode>>;
  onChange(rule: RuleDraft): void;
  onRemove(): void;
}

/** A rule as a group of fields; what is left empty is not asked. */
export function RuleFields({ rule, index, errors, onChange, onRemove }: RuleFieldsProps) {
  const set = (changed: Partial<RuleDraft>) => onChange({ ...rule, ...changed });
  const errorOf = (field: keyof RuleDraft) => errors[`rules.${index}.${field}`];
  const title = rule.name.trim() === "" ? texts.ruleNumber(index + 1) : rule.name;
  return (
    <fieldset className={classes.rule}>
      <legend>
        <bdi>{title}</bdi>
        <Tooltip label={texts.removeRule}>
          <ActionIcon variant="subtle" color="red" size="sm" aria-label={texts.remove(title)} onClick={onRemove}>
            <Icon name="trash" size={14} />
          </ActionIcon>
        </Tooltip>
      </legend>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={texts.name}
            placeholder={texts.ruleNameExample}
            value={rule.name}
            error={errorOf("name")}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <ProjectInput
            label={texts.project}
            placeholder={texts.allProjects}
            value={rule.project}
            onChange={(project) => set({ project })}
          />
        </SimpleGrid>
        <TagsInput
          label={texts.requiredKeys}
          description={texts.requiredKeysHint}
          placeholder={rule.required.length === 0 ? texts.keyExample : ""}
          value={[...rule.required]}
          error={errorOf("required")}
          onChange={(required) => set({ required })}
        />
        <ValueFields rule={rule} errorOf={errorOf} set={set} />
        <TextInput
          label={texts.namingPattern}
          description={texts.namingPatternHint}
          placeholder={texts.namingPatternExample}
          value={rule.naming}
          error={errorOf("naming")}
          onChange={(event) => set({ naming: event.currentTarget.value })}
        />
      </Stack>
    </fieldset>
  );
}

interface ValueFieldsProps {
  readonly rule: RuleDraft;
  errorOf(field: keyof RuleDraft): React.ReactNode;
  set(changed: Partial<RuleDraft>): void;
}

/** Fields for the values that a key may have. */
function ValueFields({ rule, errorOf, set }: ValueFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <TextInput
        label={texts.key}
        placeholder={texts.keyOfValuesExample}
        value={rule.key}
        error={errorOf("key")}
        onChange={(event) => set({ key: event.currentTarget.value })}
      />
      <TagsInput
        label={texts.allowedValues}
        placeholder={rule.values.length === 0 ? texts.allowedValuesExample : ""}
        value={[...rule.values]}
        error={errorOf("values")}
        onChange={(values) => set({ values })}
      />
      <TextInput
        label={texts.valuePattern}
        placeholder="[0-9]{4}"
        value={rule.pattern}
        error={errorOf("pattern")}
        onChange={(event) => set({ pattern: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}
