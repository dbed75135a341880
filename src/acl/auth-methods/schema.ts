import { Type, type Static } from "typebox";
import { formatDuration } from "../../go/duration.ts";
import { freeText, goDuration, oneOf, READ_ONLY_INDEXES } from "../../http/v1/body-schema.ts";
import type { MergePatch } from "../../http/v1/body.ts";
import { SHOWN_INDEXES, SHOWN_SCOPE } from "../kit/answer-schema.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { orUndefined } from "../kit/render.ts";
import { SCOPE_MEMBERS } from "../kit/schema.ts";
import { unsupportedText } from "../kit/unsupported.ts";
import { patchedBy } from "../kit/object-routes.ts";
import { patchConfig } from "./config.ts";
import type { NamespaceRule } from "./store.ts";
import { typeNames } from "./validators.ts";
import type { ListedMethod, MethodInput, OpenMethod } from "./service.ts";

const EXAMPLE = {
  Name: "github-actions",
  Type: "jwt",
  Description: "Workflows of our repositories",
  MaxTokenTTL: "15m0s",
  Config: {
    OIDCDiscoveryURL: "https://token.actions.githubusercontent.com",
    BoundAudiences: ["tessera"],
    ClaimMappings: { repository: "repository" },
  },
  Namespace: "default",
  Partition: "default",
  CreateIndex: 12,
  ModifyIndex: 12,
};

/** Token localities; an empty text sets nothing. */
const LOCALITIES = ["local", "global"];
const text = Type.Optional(Type.String());
const LISTED = {
  Name: text,
  Type: Type.Optional(oneOf(["", ...typeNames("enterprise")], "Empty: the configuration of the stored auth method.")),
  DisplayName: Type.Optional(freeText()),
  Description: Type.Optional(freeText()),
  MaxTokenTTL: Type.Optional(goDuration()),
  TokenLocality: Type.Optional(oneOf(["", ...LOCALITIES])),
  TokenNameFormat: unsupportedText,
  ...SCOPE_MEMBERS,
  ...READ_ONLY_INDEXES,
};

const namespaceRules = Type.Array(Type.Object({ Selector: text, BindNamespace: text }, { title: "NamespaceRuleBody" }));
const OF_ALL_EDITIONS = { ...LISTED, Config: Type.Optional(Type.Record(Type.String(), Type.Unknown())) };
const MEMBERS = { ...OF_ALL_EDITIONS, NamespaceRules: Type.Optional(namespaceRules) };
const BODY_OPTIONS = {
  title: "AuthMethodBody",
  examples: [{ Name: EXAMPLE.Name, Type: EXAMPLE.Type, MaxTokenTTL: "15m", Config: EXAMPLE.Config }],
};

export const methodBody = Type.Object(MEMBERS, BODY_OPTIONS);

/** Without namespaces there are no rules that choose one. */
export const communityMethodBody = Type.Object(
  { ...OF_ALL_EDITIONS, Type: Type.Optional(oneOf(["", ...typeNames("community")])) },
  BODY_OPTIONS,
);

const SHOWN_LISTED = {
  Name: Type.String(),
  Type: oneOf(typeNames("enterprise")),
  DisplayName: text,
  Description: text,
  MaxTokenTTL: text,
  TokenLocality: Type.Optional(oneOf(LOCALITIES)),
  ...SHOWN_SCOPE,
  ...SHOWN_INDEXES,
};
const shownRules = Type.Array(
  Type.Object({ Selector: text, BindNamespace: Type.String() }, { title: "NamespaceRule" }),
);
const SHOWN = {
  ...SHOWN_LISTED,
  Config: Type.Record(Type.String(), Type.Unknown()),
  NamespaceRules: Type.Optional(shownRules),
};

export const methodAnswer = Type.Object(SHOWN, {
  title: "AuthMethod",
  description: "Auth method. Secrets of its configuration are `<hidden>` without acl:write.",
  examples: [EXAMPLE],
});

const { Config: _config, ...EXAMPLE_LISTED } = EXAMPLE;

export const methodListAnswer = Type.Array(Type.Object(SHOWN_LISTED, { title: "ListedAuthMethod" }), {
  description: "Auth methods, without their configurations.",
  examples: [[EXAMPLE_LISTED]],
});

type Body = Static<typeof methodBody>;

export function inputFrom(body: Body): MethodInput {
  return {
    type: body.Type ?? "",
    displayName: body.DisplayName ?? "",
    description: body.Description ?? "",
    maxTokenTtl: body.MaxTokenTTL ?? 0n,
    tokenLocality: body.TokenLocality ?? "",
    config: body.Config ?? {},
    tokenNameFormat: body.TokenNameFormat ?? "",
    namespaceRules: rulesFrom(body.NamespaceRules),
  };
}

function rulesFrom(rules: Body["NamespaceRules"]): NamespaceRule[] {
  return (rules ?? []).map(({ Selector = "", BindNamespace = "" }) => ({
    selector: Selector,
    bindNamespace: BindNamespace,
  }));
}

/** Applies a JSON Merge Patch, also inside `Config`. */
export function patched(current: MethodInput, patch: MergePatch<Body>): MethodInput {
  const { Config } = patch;
  const input = patchedBy(inputFrom)(current, patch);
  // An identical object means that the request did not change it.
  if (Config === undefined) return { ...input, config: current.config };
  return { ...input, config: Config === null ? {} : patchConfig(current.config, Config) };
}

function renderListedMembers(method: ListedMethod, renderScope: RenderScope) {
  return {
    DisplayName: method.displayName || undefined,
    Description: method.description || undefined,
    MaxTokenTTL: method.maxTokenTtl === 0n ? undefined : formatDuration(method.maxTokenTtl),
    TokenLocality: method.tokenLocality || undefined,
    ...renderScope(method.scope),
    CreateIndex: method.createIndex,
    ModifyIndex: method.modifyIndex,
  };
}

export function renderListedMethod(method: ListedMethod, renderScope: RenderScope) {
  return { Name: method.name, Type: method.type, ...renderListedMembers(method, renderScope) };
}

export function renderMethod(method: OpenMethod, renderScope: RenderScope) {
  const { name, type, config } = method;
  const rules = method.namespaceRules.map(({ selector, bindNamespace }) => ({
    Selector: selector || undefined,
    BindNamespace: bindNamespace,
  }));
  return {
    Name: name,
    Type: type,
    Config: config,
    NamespaceRules: orUndefined(rules),
    ...renderListedMembers(method, renderScope),
  };
}
