/** Form of a new auth method: a provider with a few fields, the first binding rule, and a test with a token. */
import { PasswordInput, Select, SimpleGrid, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { usePlace } from "../../base/place.ts";
import { FormScreen } from "../../kit/form-screen.tsx";
import { NameInput } from "../../kit/name-input.tsx";
import { BIND_TYPES } from "../binding-rules/named.ts";
import {
  ADVANCED,
  EMPTY_METHOD,
  faultsOf,
  membersOf,
  methodPlan,
  providerOf,
  rulePlans,
  selectorOf,
  type NewMethodValues,
} from "./draft.ts";
import { ConfigurationField, DescriptionFields, NameField, TokenFields, TypeField } from "./fields.tsx";
import { PROVIDERS, redirectUri, type ProviderField } from "./providers.ts";
import { TestLogin } from "./test-login.tsx";
import type { AuthMethodValues } from "./values.ts";
import * as texts from "../../texts/auth-methods.ts";
import * as formTexts from "../../texts/kit-objects.ts";
import { screenNames } from "../../texts/names.ts";

type MethodForm = UseFormReturnType<NewMethodValues>;

/** The screen. */
export function NewAuthMethod() {
  const place = usePlace();
  const { singular, plural } = screenNames.authMethods;
  return (
    <FormScreen<NewMethodValues>
      title={formTexts.newTitle(singular)}
      about={texts.createAbout}
      up={{ to: place.path("auth-methods"), title: plural }}
      write={{ resource: "acl", access: "write" }}
      initial={EMPTY_METHOD}
      validate={(values) => faultsOf(values)}
      fields={(form) => <NewMethodFields form={form} />}
      secrets={["config", "answers"]}
      members={membersOf}
      plan={(members) => methodPlan(members)}
      following={rulePlans}
      saved={(answer) => place.path("auth-methods", (answer as { Name: string }).Name)}
      saveLabel={formTexts.create(singular)}
      failed={formTexts.createFailed(singular)}
      extra={(values) => values.provider !== "" && <TestLogin values={values} />}
    />
  );
}

const CHOICES = [
  ...Object.entries(PROVIDERS).map(([value, { label }]) => ({ value, label })),
  { value: ADVANCED, label: texts.advanced },
];

function NewMethodFields({ form }: { form: MethodForm }) {
  const provider = providerOf(form.values);
  const choose = (id: string | null) => {
    form.setFieldValue("provider", id ?? "");
    form.setFieldValue("selector", undefined);
    const type = PROVIDERS[id ?? ""]?.type;
    if (type !== undefined) form.setFieldValue("type", type);
  };
  // The general fields know their own values only.
  const general = form as unknown as UseFormReturnType<AuthMethodValues>;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={texts.providerLabel}
          description={texts.fixedLater}
          placeholder={texts.providerPlaceholder}
          data={CHOICES}
          allowDeselect={false}
          data-autofocus
          {...form.getInputProps("provider")}
          value={form.values.provider || null}
          onChange={choose}
        />
        <NameField form={general} isNew />
      </SimpleGrid>
      {provider?.fields.map((field) => (
        <AnswerField key={field.name} form={form} field={field} />
      ))}
      {provider?.type === "oidc" && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {texts.redirectNote(redirectUri())}
        </Text>
      )}
      {form.values.provider === ADVANCED && (
        <>
          <TypeField form={general} isNew />
          <ConfigurationField form={general} isNew />
        </>
      )}
      <DescriptionFields form={general} />
      {form.values.provider !== "" && (
        <>
          <TokenFields form={general} />
          <RuleFields form={form} />
        </>
      )}
    </>
  );
}

function AnswerField({ form, field }: { form: MethodForm; field: ProviderField }) {
  const { name, label, hint, example, isOptional, isSecret, isLong } = field;
  const shared = {
    label,
    description: hint,
    placeholder: example,
    withAsterisk: isOptional !== true,
    autoComplete: "off",
    spellCheck: false,
    value: form.values.answers[name] ?? "",
    error: form.errors[`answers.${name}`],
    onChange: (event: { currentTarget: { value: string } }) => {
      form.setFieldValue("answers", { ...form.values.answers, [name]: event.currentTarget.value });
      form.clearFieldError(`answers.${name}`);
    },
  };
  if (isSecret === true) return <PasswordInput {...shared} />;
  return isLong === true ? <Textarea autosize minRows={2} maxRows={10} {...shared} /> : <TextInput {...shared} />;
}

/** Nouns of the bind types whose names the form offers. */
const NOUNS: Readonly<Record<string, "roles" | "policies" | undefined>> = { role: "roles", policy: "policies" };

const TYPES = Object.entries(BIND_TYPES).flatMap(([value, label]) =>
  value === "templated-policy" ? [] : [{ value, label }],
);

function RuleFields({ form }: { form: MethodForm }) {
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Text component="legend" fw={600} size="sm">
        {texts.ruleTitle}
      </Text>
      <Text size="xs" c="dimmed" mb={8}>
        {texts.ruleHint}
      </Text>
      <Textarea
        label={texts.ruleSelector}
        description={texts.ruleSelectorHint}
        autosize
        minRows={1}
        maxRows={6}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        {...form.getInputProps("selector")}
        value={selectorOf(form.values)}
        onChange={(event) => form.setFieldValue("selector", event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm">
        <Select label={texts.ruleBindType} data={TYPES} allowDeselect={false} {...form.getInputProps("bindType")} />
        <NameInput
          noun={NOUNS[form.values.bindType]}
          label={texts.ruleBindName}
          description={texts.ruleBindNameHint}
          placeholder={texts.ruleBindNameExample}
          {...form.getInputProps("bindName")}
        />
      </SimpleGrid>
    </fieldset>
  );
}
