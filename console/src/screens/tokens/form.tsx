/** Form of a token, for new tokens and for edits. */
import { Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { LinkInput } from "../../kit/link-input.tsx";
import type { HclResource } from "../../kit/hcl.ts";
import {
  durationFault,
  endOf,
  identityBlocks,
  nodesFault,
  nodesOf,
  nodesText,
  servicesOf,
  servicesText,
  templatesOf,
  templatesText,
} from "../../kit/identities.ts";
import { linkOf, namesOf } from "../../kit/links.ts";
import { DEFAULT_TTL, UNCHOSEN } from "./expiry.ts";
import { ExpiryField } from "./expiry-field.tsx";
import { IdentityFields } from "../../kit/identity-fields.tsx";
import { flagsOf, linkFlags, textFlag, textIn, type Members, type Plan } from "../../kit/plan.ts";
import type { Token } from "./queries.ts";
import * as texts from "../../texts/tokens.ts";

export interface TokenValues {
  readonly description: string;
  readonly policies: readonly string[];
  readonly roles: readonly string[];
  /** One in a line: `NAME` or `NAME:DC1,DC2`. */
  readonly services: string;
  /** One in a line: `NAME:DC`. */
  readonly nodes: string;
  /** One in a line: `TEMPLATE`, `TEMPLATE:NAME` or `TEMPLATE:NAME:DC1,DC2`. */
  readonly templates: string;
  readonly ttl: string;
  readonly isLocal: boolean;
}

export const EMPTY: TokenValues = {
  description: "",
  policies: [],
  roles: [],
  services: "",
  nodes: "",
  templates: "",
  ttl: DEFAULT_TTL,
  isLocal: false,
};

/** The values of a token. */
export function valuesOf(token: Token): TokenValues {
  return {
    description: token.Description,
    policies: namesOf(token.Policies),
    roles: namesOf(token.Roles),
    services: servicesText(token.ServiceIdentities),
    nodes: nodesText(token.NodeIdentities),
    templates: templatesText(token.TemplatedPolicies),
    ttl: "",
    isLocal: token.Local,
  };
}

/** Returns the API members for the form values. */
export function membersOf(values: TokenValues): Members {
  return {
    Description: values.description,
    Policies: values.policies.map(linkOf),
    Roles: values.roles.map(linkOf),
    ServiceIdentities: servicesOf(values.services),
    NodeIdentities: nodesOf(values.nodes),
    TemplatedPolicies: templatesOf(values.templates),
    ...(values.ttl.trim() === "" || values.ttl === UNCHOSEN ? {} : { ExpirationTTL: values.ttl.trim() }),
    ...(values.isLocal ? { Local: true } : {}),
  };
}

/** Returns the errors of the form values before they are sent. */
export function checkValues({ nodes, ttl }: TokenValues): Partial<Record<keyof TokenValues, string>> {
  const [wrongNodes, wrongTtl] = [nodesFault(nodes), ttl === UNCHOSEN ? texts.dateMissing : durationFault(ttl)];
  return {
    ...(wrongNodes === undefined ? {} : { nodes: wrongNodes }),
    ...(wrongTtl === undefined ? {} : { ttl: wrongTtl }),
  };
}

const FLAGS = {
  Description: textFlag("description"),
  Policies: linkFlags("policy"),
  Roles: linkFlags("role"),
  ExpirationTTL: textFlag("ttl"),
};

/** Returns the write that creates a token. Empty members are omitted: empty is their default. */
export function createPlan(members: Members): Plan {
  const body = Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
  return {
    operation: "createToken",
    body,
    command: ["token", "create", ...flagsOf(body, FLAGS)],
    terraform: terraformOf(body),
  };
}

/** Returns the write that changes a token from the state that was read. */
export function updatePlan(accessor: string, changed: Members, mark: string): Plan {
  return {
    operation: "updateToken",
    path: { accessor },
    query: { cas: mark },
    body: changed,
    command: ["token", "update", accessor, ...flagsOf(changed, FLAGS), "--cas", mark],
  };
}

function terraformOf(body: Members): HclResource {
  const names = (links: unknown) => (links as readonly { Name: string }[] | undefined)?.map(({ Name }) => Name);
  return {
    type: "consul_acl_token",
    name: typeof body["Description"] === "string" ? body["Description"] : "token",
    attributes: {
      description: body["Description"] as string | undefined,
      policies: names(body["Policies"]),
      roles: names(body["Roles"]),
      local: body["Local"] as boolean | undefined,
      // The provider has no duration.
      expiration_time: endOf(textIn(body, "ExpirationTTL") ?? ""),
    },
    blocks: identityBlocks(body),
  };
}

/** The fields of the form. */
export function TokenFields({ form, isNew }: { form: UseFormReturnType<TokenValues>; isNew: boolean }) {
  return (
    <>
      <TextInput
        label={texts.description}
        description={texts.descriptionHint}
        placeholder={texts.descriptionExample}
        data-autofocus
        {...form.getInputProps("description")}
      />
      <LinkInput noun="roles" label={texts.roles} description={texts.rolesHint} {...form.getInputProps("roles")} />
      <LinkInput
        noun="policies"
        label={texts.policies}
        description={texts.policiesHint}
        {...form.getInputProps("policies")}
      />
      <IdentityFields
        services={form.getInputProps("services")}
        nodes={form.getInputProps("nodes")}
        templates={form.getInputProps("templates")}
      />
      {isNew && (
        <>
          <ExpiryField
            value={form.values.ttl}
            error={form.errors["ttl"]}
            onChange={form.getInputProps("ttl").onChange}
          />
          <Switch
            label={texts.local}
            description={texts.localHint}
            {...form.getInputProps("isLocal", { type: "checkbox" })}
          />
        </>
      )}
    </>
  );
}

function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}
