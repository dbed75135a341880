/** Operations, form and texts for auth methods. */
import { durationFault } from "../../kit/identities.ts";
import { isRecord, type Kind } from "../../kit/kind.ts";
import { type Members, textFlag, textIn, textFlags } from "../../kit/plan.ts";
import { AuthMethodFields } from "./fields.tsx";
import { AUTH_METHOD, KEPT, type AuthMethod } from "./named.ts";
import type { AuthMethodValues } from "./values.ts";
import * as texts from "../../texts/auth-methods.ts";

export const AUTH_METHOD_KIND: Kind<AuthMethod, AuthMethodValues> = {
  named: AUTH_METHOD,
  record: "auth-method",
  why: { query: (name) => ({ as: "method", of: name }) },
  isRecordedByName: true,
  uses: "auth-method",
  write: { resource: "acl", access: "write" },
  create: "createAuthMethod",
  update: "updateAuthMethod",
  delete: "deleteAuthMethod",
  command: "auth-method",
  isNamed: true,
  secrets: ["config"],
  flags: {
    Type: textFlag("type"),
    DisplayName: textFlag("display-name"),
    ...textFlags("auth-method"),
    MaxTokenTTL: textFlag("max-token-ttl"),
    TokenLocality: textFlag("token-locality"),
    Config: (value) => ["--config", JSON.stringify(value)],
  },
  aboutNew: texts.createAbout,
  empty: {
    name: "",
    type: "jwt",
    displayName: "",
    description: "",
    ttl: "",
    locality: "",
    config: "",
    namespaces: "",
  },
  valuesOf: (method) => ({
    name: method.Name,
    type: method.Type,
    displayName: method.DisplayName ?? "",
    description: method.Description ?? "",
    ttl: method.MaxTokenTTL ?? "",
    locality: method.TokenLocality ?? "",
    config: JSON.stringify(method.Config, undefined, 2),
    namespaces: (method.NamespaceRules ?? [])
      .map(({ BindNamespace, Selector = "" }) => (Selector === "" ? BindNamespace : `${BindNamespace}: ${Selector}`))
      .join("\n"),
  }),
  // A copy has no secrets: they were never shown.
  copyOf: (values) => ({
    ...values,
    name: `${values.name}-copy`,
    config: values.config.replaceAll(JSON.stringify(KEPT), '""'),
  }),
  members: (values) => ({
    Name: values.name,
    Type: values.type,
    DisplayName: values.displayName,
    Description: values.description,
    MaxTokenTTL: values.ttl.trim() === "" ? undefined : values.ttl.trim(),
    TokenLocality: values.locality,
    Config: configOf(values.config) ?? {},
    NamespaceRules: rulesOf(values.namespaces),
  }),
  check: ({ name, ttl, config, type }) => {
    const parsed = configOf(config);
    const fault = durationFault(ttl);
    return {
      ...(/^[A-Za-z0-9_-]{1,128}$/.test(name) ? {} : { name: texts.nameInvalid }),
      ...(type === "oidc" && ttl.trim() === "" ? { ttl: texts.ttlRequired } : {}),
      ...(fault === undefined ? {} : { ttl: fault }),
      ...(parsed === undefined ? { config: texts.configurationInvalid } : {}),
      ...(type === "" ? { type: texts.typeRequired } : {}),
    };
  },
  terraform: (body: Members) => ({
    type: "consul_acl_auth_method",
    name: textIn(body, "Name") ?? "method",
    attributes: {
      name: textIn(body, "Name"),
      type: textIn(body, "Type"),
      display_name: textIn(body, "DisplayName"),
      description: textIn(body, "Description"),
      max_token_ttl: textIn(body, "MaxTokenTTL"),
      token_locality: textIn(body, "TokenLocality"),
      config_json: JSON.stringify(body["Config"] ?? {}),
    },
    blocks: ((body["NamespaceRules"] ?? []) as ReturnType<typeof rulesOf>).map((rule) => ({
      name: "namespace_rule",
      attributes: { selector: rule.Selector, bind_namespace: rule.BindNamespace },
    })),
  }),
  fields: (form, isNew) => <AuthMethodFields form={form} isNew={isNew} />,
};

/** The configuration in a text; undefined while it is none. */
function configOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function rulesOf(text: string): readonly { Selector?: string; BindNamespace: string }[] {
  return text.split("\n").flatMap((line) => {
    const found = /^\s*([^:\s]+)\s*(?::\s*(.*?)\s*)?$/.exec(line);
    if (found === null) return [];
    const [, namespace = "", selector = ""] = found;
    return [{ ...(selector === "" ? {} : { Selector: selector }), BindNamespace: namespace }];
  });
}
