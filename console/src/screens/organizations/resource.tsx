/** Operations, form and texts for organizations. */
import { NumberInput, Select, Switch, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { textFlag, textIn } from "../../kit/plan.ts";
import type { Resource } from "../../kit/resource.ts";
import { ORGANIZATION, type OrganizationRow } from "./named.ts";
import * as texts from "../../texts/organizations.ts";

/** Settings that are on or off. They are kept for clients, and do nothing here. */
export const SWITCHES = {
  "allow-force-delete-workspaces": texts.allowForceDelete,
  "assessments-enforced": texts.assessmentsEnforced,
  "cost-estimation-enabled": texts.costEstimation,
  "stacks-enabled": texts.stacks,
  "user-tokens-enabled": texts.userTokens,
  "aggregated-commit-status-enabled": texts.aggregatedCommitStatus,
  "send-passing-statuses-for-untriggered-speculative-plans": texts.passingSpeculativePlans,
  "speculative-plan-management-enabled": texts.cancelOutdatedPlans,
  "max-ttl-enabled": texts.maxTtl,
  "enforce-hyok": texts.holdYourOwnKey,
} as const;

type SwitchName = keyof typeof SWITCHES;
const NAMES = Object.keys(SWITCHES) as SwitchName[];
/** Switches that are on in a new organization. */
const ON: readonly SwitchName[] = ["user-tokens-enabled", "aggregated-commit-status-enabled"];

interface OrganizationValues {
  readonly name: string;
  readonly email: string;
  readonly mode: string;
  readonly timeout: number | "";
  readonly remember: number | "";
  readonly auth: string;
  readonly saml: string;
  readonly switches: Readonly<Record<SwitchName, boolean>>;
}

export const ORGANIZATION_RESOURCE: Resource<OrganizationRow, OrganizationValues> = {
  named: ORGANIZATION,
  type: "organizations",
  record: "organization",
  why: ({ attributes }) => ({ tab: "who", access: "write", resource: "organization", name: attributes.name }),
  recordId: ({ attributes }) => attributes["external-id"] ?? "",
  create: "createOrganization",
  update: "updateOrganization",
  delete: "deleteOrganization",
  command: "organization",
  flags: { email: textFlag("email") },
  empty: {
    name: "",
    email: "",
    mode: "remote",
    timeout: "",
    remember: "",
    auth: "password",
    saml: "",
    switches: switchesOf((name) => ON.includes(name)),
  },
  valuesOf: ({ attributes }) => ({
    name: attributes.name,
    email: attributes.email ?? "",
    mode: attributes["default-execution-mode"] ?? "remote",
    timeout: attributes["session-timeout"] ?? "",
    remember: attributes["session-remember"] ?? "",
    auth: attributes["collaborator-auth-policy"] ?? "password",
    saml: attributes["owners-team-saml-role-id"] ?? "",
    switches: switchesOf((name) => attributes[name] === true),
  }),
  members: ({ name, email, mode, timeout, remember, auth, saml, switches }) => ({
    name: name.trim(),
    email: email.trim(),
    "default-execution-mode": mode === "" ? "remote" : mode,
    "session-timeout": timeout === "" ? null : timeout,
    "session-remember": remember === "" ? null : remember,
    "collaborator-auth-policy": auth,
    "owners-team-saml-role-id": saml.trim() === "" ? null : saml.trim(),
    ...switches,
  }),
  newMembers: ({ name, email }) => ({ name: name.trim(), email: email.trim() }),
  check: ({ name, email }) => ({
    ...(/^[\w-]{1,90}$/.test(name.trim()) ? {} : { name: texts.nameInvalid }),
    ...(/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? {} : { email: texts.emailInvalid }),
  }),
  terraform: (attributes) => ({
    type: "tfe_organization",
    name: textIn(attributes, "name") ?? "organization",
    attributes: { name: textIn(attributes, "name"), email: textIn(attributes, "email") },
  }),
  aboutNew: texts.createHint,
  fields: (form, isNew) => (
    <>
      <TextInput
        label={texts.name}
        description={isNew ? texts.nameHint : texts.renameHint}
        placeholder={texts.nameExample}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label={texts.email}
        description={texts.emailHint}
        placeholder={texts.emailExample}
        {...form.getInputProps("email")}
      />
      {!isNew && <SettingFields form={form} />}
    </>
  ),
};

/** Fields of an organization that exists: a new one begins with defaults. */
function SettingFields({ form }: { form: UseFormReturnType<OrganizationValues> }) {
  return (
    <>
      <Select
        label={texts.executionMode}
        description={texts.executionModeOverrides}
        data={["remote", "local"]}
        allowDeselect={false}
        {...form.getInputProps("mode")}
      />
      <Text size="xs" c="dimmed">
        {texts.storedSettings}
      </Text>
      {NAMES.map((name) => (
        <Switch
          key={name}
          label={SWITCHES[name]}
          checked={form.values.switches[name]}
          onChange={({ currentTarget }) => form.setFieldValue(`switches.${name}`, currentTarget.checked)}
        />
      ))}
      <NumberInput
        label={texts.sessionTimeoutMinutes}
        placeholder="20160"
        min={1}
        max={2_147_483_647}
        allowDecimal={false}
        {...form.getInputProps("timeout")}
      />
      <NumberInput
        label={texts.sessionLifetimeMinutes}
        placeholder="20160"
        min={1}
        max={2_147_483_647}
        allowDecimal={false}
        {...form.getInputProps("remember")}
      />
      <Select
        label={texts.authentication}
        data={[
          { value: "password", label: texts.password },
          { value: "two_factor_mandatory", label: texts.twoFactors },
        ]}
        allowDeselect={false}
        {...form.getInputProps("auth")}
      />
      <TextInput label={texts.ownersSamlRole} maxLength={255} {...form.getInputProps("saml")} />
    </>
  );
}

function switchesOf(isOn: (name: SwitchName) => boolean): Record<SwitchName, boolean> {
  return Object.fromEntries(NAMES.map((name) => [name, isOn(name)])) as Record<SwitchName, boolean>;
}
