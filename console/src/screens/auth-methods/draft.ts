/** Values of the form of a new auth method, and the writes that follow from them. */
import { commandOf, flagsOf, textFlag, type Members, type Plan } from "../../kit/plan.ts";
import { terraformOf } from "../binding-rules/kind.tsx";
import { AUTH_METHOD_KIND } from "./kind.tsx";
import { createPlan } from "../../kit/kind.ts";
import { PROVIDERS, type Answers, type Provider } from "./providers.ts";
import type { AuthMethodValues } from "./values.ts";
import * as texts from "../../texts/auth-methods.ts";

/** Choice of the form for a configuration as JSON. */
export const ADVANCED = "advanced";

export interface NewMethodValues extends AuthMethodValues {
  /** ID of a provider, `advanced`, or empty. */
  readonly provider: string;
  readonly answers: Answers;
  /** Selector of the first binding rule, where it differs from the selector of the answers. */
  readonly selector: string | undefined;
  readonly bindType: string;
  readonly bindName: string;
}

export const EMPTY_METHOD: NewMethodValues = {
  ...AUTH_METHOD_KIND.empty,
  provider: "",
  answers: {},
  selector: undefined,
  bindType: "role",
  bindName: "",
};

/** Returns the provider of the form; undefined for a configuration as JSON. */
export function providerOf({ provider }: Pick<NewMethodValues, "provider">): Provider | undefined {
  return PROVIDERS[provider];
}

/** Returns the selector of the first binding rule. */
export function selectorOf(values: NewMethodValues): string {
  return values.selector ?? providerOf(values)?.selector(values.answers) ?? "";
}

/** Returns the values of the general form, with the configuration of the answers. */
function wholeOf(values: NewMethodValues): AuthMethodValues {
  const provider = providerOf(values);
  if (provider === undefined) return values;
  return { ...values, type: provider.type, config: JSON.stringify(provider.config(values.answers)) };
}

/** Returns the API members for the values. */
export function membersOf(values: NewMethodValues): Members {
  return AUTH_METHOD_KIND.members(wholeOf(values));
}

/** Returns the errors of the values before they are sent, by the names of fields. */
export function faultsOf(values: NewMethodValues): Readonly<Record<string, string>> {
  const faults = Object.entries(AUTH_METHOD_KIND.check(wholeOf(values), true));
  const missing = (providerOf(values)?.fields ?? []).flatMap(({ name, isOptional }) =>
    isOptional === true || (values.answers[name] ?? "").trim() !== ""
      ? []
      : [[`answers.${name}`, texts.answerRequired]],
  );
  const hasNoSelector = values.bindName.trim() !== "" && selectorOf(values).trim() === "";
  return {
    ...Object.fromEntries([...faults, ...missing]),
    ...(values.provider === "" ? { provider: texts.providerRequired } : {}),
    ...(hasNoSelector ? { selector: texts.ruleSelectorRequired } : {}),
  };
}

/** Secrets of a configuration, with the variables that declared files read them from. */
const SECRETS: Readonly<Record<string, string>> = {
  OIDCClientSecret: "env:OIDC_CLIENT_SECRET",
  ServiceAccountJWT: "env:SERVICE_ACCOUNT_JWT",
};

/** Returns the write that creates the method. */
export function methodPlan(members: Members): Plan {
  const config = Object.entries((members["Config"] ?? {}) as Members);
  const withoutSecrets = config.map(([name, value]) => [name, SECRETS[name] ?? value] as const);
  const declared = {
    kind: "auth-method",
    name: members["Name"],
    type: members["Type"],
    "display-name": members["DisplayName"],
    description: members["Description"],
    "max-token-ttl": members["MaxTokenTTL"],
    "token-locality": members["TokenLocality"],
    config: Object.fromEntries(withoutSecrets),
  };
  return { ...createPlan(AUTH_METHOD_KIND, members), declared };
}

/** Returns the drafted binding rule; undefined without a name. */
export function ruleOf(values: NewMethodValues): Members | undefined {
  const name = values.bindName.trim();
  if (name === "") return undefined;
  const Description = `${values.name}: ${name}`;
  return {
    AuthMethod: values.name,
    Description,
    Selector: selectorOf(values).trim(),
    BindType: values.bindType,
    BindName: name,
  };
}

/** Returns the write of the first binding rule, if the form has one. */
export function rulePlans(values: NewMethodValues): Plan[] {
  const body = ruleOf(values);
  if (body === undefined) return [];
  const flags = flagsOf(body, {
    AuthMethod: textFlag("auth-method"),
    Description: textFlag("description"),
    Selector: textFlag("selector"),
    BindType: textFlag("bind-type"),
    BindName: textFlag("bind-name"),
  });
  const declared = {
    kind: "binding-rule",
    "auth-method": body["AuthMethod"],
    description: body["Description"],
    selector: body["Selector"],
    "bind-type": body["BindType"],
    "bind-name": body["BindName"],
  };
  return [
    {
      operation: "createBindingRule",
      body,
      command: commandOf(["binding-rule", "create"], [], flags),
      terraform: terraformOf(body),
      declared,
    },
  ];
}
