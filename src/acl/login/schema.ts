import { Type, type Static } from "typebox";
import { formatDuration } from "../../go/duration.ts";
import { oneOf } from "../../http/v1/body-schema.ts";
import { type Identity, type IdentityValue, isList } from "../../selectors/identity.ts";
import type { RenderScope } from "../../rights/scope.ts";
import { orUndefined, renderIdentities, renderLinks } from "../kit/render.ts";
import { SHOWN_SCOPE } from "../kit/answer-schema.ts";
import { typeNames } from "../auth-methods/validators.ts";
import { BIND_TYPES, type BindingRuleContent } from "../bindings/binding.ts";
import type { BindingRuleExplanation } from "../bindings/explain-binding-rule.ts";
import { SCOPE_MEMBERS } from "../kit/schema.ts";
import type { SelectorConditions } from "../bindings/conditions.ts";
import type { ExplainedToken, ExplainedLogin } from "./explain.ts";

const text = Type.Optional(Type.String());
const meta = Type.Optional(Type.Record(Type.String(), Type.String()));

export const loginBody = Type.Object(
  { AuthMethod: text, BearerToken: text, Meta: meta, ...SCOPE_MEMBERS },
  { examples: [{ AuthMethod: "github-actions", BearerToken: "eyJhbGciOi…", Meta: { run: "4711" } }] },
);

const draft = Type.Object(
  {
    Selector: text,
    BindType: Type.Optional(oneOf(BIND_TYPES)),
    BindName: text,
    BindVars: Type.Optional(Type.Object({ Name: text })),
  },
  {
    title: "BindingRuleDraft",
    description: "Unsaved binding rule. Without `BindName`, only its selector is evaluated.",
    examples: [{ Selector: 'value.repository == "example/web"', BindType: "role", BindName: "web-deployers" }],
  },
);

/** Returns the draft of a rule in a body, in the form that writes of rules take. */
export function draftFrom({ Selector, BindType, BindName, BindVars }: Static<typeof draft>): BindingRuleContent {
  return {
    selector: Selector ?? "",
    bindType: BindType ?? "",
    bindName: BindName ?? "",
    bindVars: BindVars && { name: BindVars.Name },
  };
}

const draftMethod = Type.Object(
  {
    Type: Type.Optional(oneOf(typeNames("enterprise"))),
    Config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  {
    title: "AuthMethodDraft",
    description: "Unsaved auth method, in place of `AuthMethod`. Requires acl:write.",
    examples: [{ Type: "jwt", Config: { JWKSURL: "https://issuer.example/keys" } }],
  },
);

export const explainBody = Type.Object(
  {
    AuthMethod: text,
    Method: Type.Optional(draftMethod),
    BearerToken: text,
    Identity: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    BindingRule: Type.Optional(draft),
    ...SCOPE_MEMBERS,
  },
  { examples: [{ AuthMethod: "github-actions", Identity: { value: { repository: "example/web" } } }] },
);

const EXAMPLE = {
  AuthMethod: "github-actions",
  Identity: { value: { repository: "example/web" }, list: {} },
  Variables: { "value.repository": "example/web" },
  Rules: [
    {
      ID: "000ed53c-e2d3-e7e6-31a5-c19bc3518a3d",
      Verdict: "matched",
      Reason: 'value.repository == "example/web" is true: value.repository is "example/web"',
    },
  ],
  Token: {
    AuthMethod: "github-actions",
    Local: true,
    ExpirationTTL: "15m0s",
    Roles: [{ ID: "237be9ef-e3af-4c08-a0c8-2d294a0f5598", Name: "web-deployers" }],
    Namespace: "default",
  },
};

const conditions = Type.Object(
  {
    Total: Type.Integer(),
    Met: Type.Integer(),
    Unmet: Type.Array(
      Type.Object({
        Name: Type.String({ description: "Path that the first test of the condition is about." }),
        Reason: Type.String(),
        Start: Type.Integer({ description: "First character in the selector." }),
        End: Type.Integer({ description: "Character after the last one." }),
      }),
      { description: "The first 5 false conditions." },
    ),
  },
  {
    title: "SelectorConditions",
    description: "Conditions of a selector that does not match: the operands of its outermost `and`.",
  },
);

/** Members of what a binding rule that matches grants. */
const BOUND = {
  BindType: Type.Optional(oneOf(BIND_TYPES)),
  BindName: Type.Optional(Type.String({ description: "Name that the template of the rule returns." })),
};

export const explainAnswer = Type.Object(
  {
    AuthMethod: Type.String(),
    Identity: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    Variables: Type.Optional(Type.Record(Type.String(), Type.String())),
    Rules: Type.Array(
      Type.Object(
        {
          ID: Type.String(),
          Verdict: oneOf(["matched", "not matched", "failed"]),
          Reason: Type.String(),
          ...BOUND,
          Conditions: Type.Optional(conditions),
        },
        { title: "ExplainedBindingRule" },
      ),
    ),
    BindingRule: Type.Optional(
      Type.Object(
        {
          Verdict: oneOf(["matched", "not matched", "failed"]),
          Reason: Type.String(),
          ...BOUND,
        },
        { title: "ExplainedDraft", description: "Result for the binding rule in the request." },
      ),
    ),
    Token: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "Token that a login would create." }),
    ),
    Refusal: Type.Optional(Type.String({ description: "Reason why a login would be denied." })),
  },
  {
    title: "LoginExplanation",
    description: "Identity, each binding rule with its explanation, and the result.",
    examples: [EXAMPLE],
  },
);

/** @param explanation with an empty name for a method that is not written */
export function renderExplanation(
  explanation: Omit<ExplainedLogin, "method"> & { method: { name: string } },
  renderScope: RenderScope,
) {
  const { method, identity, bindingRules, conditions: counted, draft: asked, token, refusal } = explanation;
  return {
    AuthMethod: method.name,
    Identity: identity && renderFields(identity.fields),
    Variables: identity && Object.fromEntries(identity.variables),
    Rules: bindingRules.map((rule) => ({
      ID: rule.id,
      ...renderOutcome(rule),
      Conditions: renderConditions(counted.get(rule.id)),
    })),
    BindingRule: asked && renderOutcome(asked),
    Token: token && renderGiven(token, renderScope),
    Refusal: refusal,
  };
}

function renderOutcome({ verdict, reason, bound }: Pick<BindingRuleExplanation, "verdict" | "reason" | "bound">) {
  return { Verdict: verdict, Reason: reason, BindType: bound?.bindType, BindName: bound?.name };
}

function renderFields(fields: Identity): Record<string, unknown> {
  return Object.fromEntries([...fields].map(([name, value]) => [name, renderValue(value)]));
}

function renderValue(value: IdentityValue): unknown {
  return typeof value === "string" || isList(value) ? value : renderFields(value);
}

function renderConditions(conditionsOfRule: SelectorConditions | undefined) {
  if (conditionsOfRule === undefined) return undefined;
  const { total, met, unmet } = conditionsOfRule;
  return {
    Total: total,
    Met: met,
    Unmet: unmet.map((each) => ({ Name: each.name, Reason: each.reason, Start: each.start, End: each.end })),
  };
}

function renderGiven({ scope, given, grants, method, ttl }: ExplainedToken, renderScope: RenderScope) {
  return {
    AuthMethod: method.name,
    Local: method.tokenLocality !== "global",
    ExpirationTTL: ttl === 0n ? undefined : formatDuration(ttl),
    Policies: orUndefined(renderLinks(given.policies)),
    Roles: orUndefined(renderLinks(given.roles)),
    ...renderIdentities(grants),
    ...renderScope(scope),
  };
}

export const oidcUrlBody = Type.Object(
  { AuthMethod: text, RedirectURI: text, ClientNonce: text, Meta: meta, ...SCOPE_MEMBERS },
  { examples: [{ AuthMethod: "people", RedirectURI: "http://localhost:8550/oidc/callback" }] },
);

export const oidcUrlAnswer = Type.Object(
  { AuthURL: Type.String() },
  {
    description: "URL of the identity provider for the browser.",
    examples: [{ AuthURL: "https://idp.example.com/authorize?client_id=tessera&response_type=code&state=…" }],
  },
);

export const oidcCallbackBody = Type.Object(
  { AuthMethod: text, State: text, Code: text, ClientNonce: text, ...SCOPE_MEMBERS },
  { examples: [{ AuthMethod: "people", State: "…", Code: "…" }] },
);

export const oidcMethodsAnswer = Type.Array(
  Type.Object({
    Name: Type.String(),
    DisplayName: text,
    Type: Type.String(),
    Kind: Type.String(),
    ...SHOWN_SCOPE,
  }),
  { description: "Auth methods of type oidc.", examples: [[{ Name: "people", Type: "oidc", Kind: "oidc" }]] },
);
