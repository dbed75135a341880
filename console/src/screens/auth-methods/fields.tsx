/** Form fields of an auth method. */
import { JsonInput, Select, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { TYPES } from "./named.ts";
import type { AuthMethodValues } from "./values.ts";

interface FieldsProps {
  readonly form: UseFormReturnType<AuthMethodValues>;
  readonly isNew: boolean;
  /** Returns the initial configuration for a new method of a type. */
  beginning(type: string): string;
}

const MONO = { input: { fontFamily: "var(--mantine-font-family-monospace)" } };

const LOCALITIES = [
  { value: "", label: "as usual" },
  { value: "local", label: "local" },
  { value: "global", label: "global" },
];

/** The fields of the form. */
export function AuthMethodFields({ form, isNew, beginning }: FieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name"
          description={isNew ? "It cannot be changed later." : "It cannot be changed."}
          placeholder="github-actions"
          readOnly={!isNew}
          {...form.getInputProps("name")}
        />
        <TypeField form={form} isNew={isNew} beginning={beginning} />
      </SimpleGrid>
      <TextInput
        label="Display name"
        description="People choose it by this where they sign in."
        placeholder="Our company"
        {...form.getInputProps("displayName")}
      />
      <TextInput
        label="Description"
        placeholder="Workflows of our repositories"
        {...form.getInputProps("description")}
      />
      <JsonInput
        label="Configuration"
        description={
          isNew ? "As JSON. Secrets are sealed and not shown again." : "As JSON. What is <kept> stays as it is."
        }
        autosize
        minRows={8}
        maxRows={30}
        spellCheck={false}
        styles={MONO}
        {...form.getInputProps("config")}
      />
      <TokenFields form={form} />
    </>
  );
}

function TypeField({ form, isNew, beginning }: FieldsProps) {
  const choose = (type: string | null) => {
    if (type === null) return;
    const isUntouched = form.values.config === beginning(form.values.type);
    form.setFieldValue("type", type);
    if (isUntouched) form.setFieldValue("config", beginning(type));
  };
  return isNew ? (
    <Select
      label="Type"
      description="Who vouches. It cannot be changed later."
      data={Object.entries(TYPES).map(([value, label]) => ({ value, label }))}
      allowDeselect={false}
      value={form.values.type}
      onChange={choose}
      error={form.errors["type"]}
    />
  ) : (
    <TextInput
      label="Type"
      description="It cannot be changed."
      readOnly
      value={new Map(Object.entries<string>(TYPES)).get(form.values.type) ?? form.values.type}
    />
  );
}

/** Fields about the tokens that logins get. */
function TokenFields({ form }: Pick<FieldsProps, "form">) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Tokens live for"
          description="Of each login, such as 15m."
          placeholder="until somebody logs out"
          {...form.getInputProps("ttl")}
        />
        <Select
          label="Tokens count"
          description="What Consul’s clients read as Local."
          data={LOCALITIES}
          allowDeselect={false}
          {...form.getInputProps("locality")}
        />
      </SimpleGrid>
      <Textarea
        label="Where tokens lie"
        description="One in a line: a namespace, and behind a colon for whom. The first that fits counts; otherwise here."
        placeholder={'payments: "payments" in list.groups\ndata'}
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
