/** Form fields of an auth method. */
import { JsonInput, Select, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDefaultTtl } from "./default-ttl.ts";
import { exampleOf } from "./examples.ts";
import { TYPES } from "./named.ts";
import type { AuthMethodValues } from "./values.ts";
import * as texts from "../../texts/auth-methods.ts";

interface FieldsProps {
  readonly form: UseFormReturnType<AuthMethodValues>;
  readonly isNew: boolean;
}

const MONO = { input: { fontFamily: "var(--mantine-font-family-monospace)" } };

const LOCALITIES = [
  { value: "", label: texts.localityDefault },
  { value: "local", label: texts.local },
  { value: "global", label: texts.global },
];

/** The fields of the form. */
export function AuthMethodFields({ form, isNew }: FieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NameField form={form} isNew={isNew} />
        <TypeField form={form} isNew={isNew} />
      </SimpleGrid>
      <DescriptionFields form={form} />
      <ConfigurationField form={form} isNew={isNew} />
      <TokenFields form={form} />
    </>
  );
}

/** Field for the name, which is fixed later. */
export function NameField({ form, isNew }: FieldsProps) {
  return (
    <TextInput
      label={texts.name}
      description={isNew ? texts.fixedLater : texts.fixed}
      placeholder={texts.nameExample}
      readOnly={!isNew}
      {...form.getInputProps("name")}
    />
  );
}

/** Fields for the display name and the description. */
export function DescriptionFields({ form }: Pick<FieldsProps, "form">) {
  return (
    <>
      <TextInput
        label={texts.displayName}
        description={texts.displayNameHint}
        placeholder={texts.displayNameExample}
        {...form.getInputProps("displayName")}
      />
      <TextInput
        label={texts.description}
        placeholder={texts.descriptionExample}
        {...form.getInputProps("description")}
      />
    </>
  );
}

/** Field for the whole configuration, with an example of the type as its placeholder. */
export function ConfigurationField({ form, isNew }: FieldsProps) {
  return (
    <JsonInput
      label={texts.configuration}
      description={isNew ? texts.configurationNewHint : texts.configurationEditHint}
      autosize
      minRows={8}
      maxRows={30}
      spellCheck={false}
      styles={MONO}
      placeholder={exampleOf(form.values.type)}
      {...form.getInputProps("config")}
    />
  );
}

/** Field for the type, which is fixed later. */
export function TypeField({ form, isNew }: FieldsProps) {
  return isNew ? (
    <Select
      label={texts.typeLabel}
      description={texts.fixedLater}
      data={Object.entries(TYPES).map(([value, label]) => ({ value, label }))}
      allowDeselect={false}
      {...form.getInputProps("type")}
    />
  ) : (
    <TextInput
      label={texts.typeLabel}
      description={texts.fixed}
      readOnly
      value={new Map(Object.entries<string>(TYPES)).get(form.values.type) ?? form.values.type}
    />
  );
}

/** Fields about the tokens that logins get. */
export function TokenFields({ form }: Pick<FieldsProps, "form">) {
  const standard = useDefaultTtl(form.values.type);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={texts.ttl}
          description={texts.ttlHint(form.values.type === "oidc" ? undefined : standard)}
          placeholder={form.values.type === "oidc" ? texts.ttlExample : standard || texts.ttlDefault}
          {...form.getInputProps("ttl")}
        />
        <Select
          label={texts.locality}
          description={texts.localityHint}
          data={LOCALITIES}
          allowDeselect={false}
          {...form.getInputProps("locality")}
        />
      </SimpleGrid>
      <Textarea
        label={texts.mapping}
        description={texts.mappingHint}
        placeholder={texts.mappingExample}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        styles={MONO}
        {...form.getInputProps("namespaces")}
      />
    </>
  );
}
