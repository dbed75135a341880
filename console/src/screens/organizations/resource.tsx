/** Operations, form and texts for organizations. */
import { NumberInput, Select, Switch, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { textFlag, textIn } from "../../kit/plan.ts";
import type { Resource } from "../../kit/resource.ts";
import { ORGANIZATION, type OrganizationRow } from "./named.ts";

/** Settings that are on or off. They are kept for clients, and do nothing here. */
export const SWITCHES = {
  "allow-force-delete-workspaces": "Workspaces with resources may be deleted by force",
  "assessments-enforced": "All workspaces are assessed",
  "cost-estimation-enabled": "Costs are estimated",
  "stacks-enabled": "Stacks may be used",
  "user-tokens-enabled": "Tokens of users count",
  "aggregated-commit-status-enabled": "Statuses of commits are put together",
  "send-passing-statuses-for-untriggered-speculative-plans": "Untriggered speculative plans count as passed",
  "speculative-plan-management-enabled": "Outdated speculative plans are cancelled",
  "max-ttl-enabled": "Tokens have a longest life",
  "enforce-hyok": "Keys are held by the organization",
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
    ...(/^[\w-]{1,90}$/.test(name.trim()) ? {} : { name: "Letters, digits, hyphens and underscores, 90 at most" }),
    ...(/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? {} : { email: "An address, such as platform@acme.example" }),
  }),
  terraform: (attributes) => ({
    type: "tfe_organization",
    name: textIn(attributes, "name") ?? "organization",
    attributes: { name: textIn(attributes, "name"), email: textIn(attributes, "email") },
  }),
  aboutNew: "It begins with a project, Default Project, and without tags.",
  fields: (form, isNew) => (
    <>
      <TextInput
        label="Name"
        description={
          isNew ? "It is in all addresses." : "With another one all addresses change, also those in clients."
        }
        placeholder="acme"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Email"
        description="Of who answers for it."
        placeholder="platform@acme.example"
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
        label="Where workspaces run"
        description="Unless they or their projects say otherwise. Nothing runs on this server: clients ask what is said here."
        data={["remote", "local"]}
        allowDeselect={false}
        {...form.getInputProps("mode")}
      />
      <Text size="xs" c="dimmed">
        What follows is kept for clients, which read and write it, and does nothing here.
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
        label="Minutes without activity until members sign in anew"
        placeholder="20160"
        min={1}
        max={2_147_483_647}
        allowDecimal={false}
        {...form.getInputProps("timeout")}
      />
      <NumberInput
        label="Minutes until members sign in anew in any case"
        placeholder="20160"
        min={1}
        max={2_147_483_647}
        allowDecimal={false}
        {...form.getInputProps("remember")}
      />
      <Select
        label="How members sign in"
        data={[
          { value: "password", label: "password" },
          { value: "two_factor_mandatory", label: "two factors" },
        ]}
        allowDeselect={false}
        {...form.getInputProps("auth")}
      />
      <TextInput label="SAML role of its owners" maxLength={255} {...form.getInputProps("saml")} />
    </>
  );
}

function switchesOf(isOn: (name: SwitchName) => boolean): Record<SwitchName, boolean> {
  return Object.fromEntries(NAMES.map((name) => [name, isOn(name)])) as Record<SwitchName, boolean>;
}
