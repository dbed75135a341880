import { Type } from "typebox";
import { formatDuration } from "../../go/duration.ts";
import { type Identity, type IdentityValue, isList } from "../../selectors/identity.ts";
import type { RenderScope } from "../scope.ts";
import { orUndefined, renderIdentities, renderLinks } from "../render.ts";
import { SHOWN_SCOPE } from "../answer-schema.ts";
import { SCOPE_MEMBERS } from "../schema.ts";
import type { ExplainedToken, Explanation } from "./explain.ts";

const text = Type.Optional(Type.String());
const meta = Type.Optional(Type.Record(Type.String(), Type.String()));

export const loginBody = Type.Object(
  { AuthMethod: text, BearerToken: text, Meta: meta, ...SCOPE_MEMBERS },
  { examples: [{ AuthMethod: "github-actions", BearerToken: "eyJhbGciOi…", Meta: { run: "4711" } }] },
);

export const explainBody = Type.Object(
  {
    AuthMethod: text,
    BearerToken: text,
    Identity: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
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

export const explainAnswer = Type.Object(
  {
    AuthMethod: Type.String(),
    Identity: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    Variables: Type.Optional(Type.Record(Type.String(), Type.String())),
    Rules: Type.Array(
      Type.Object(
        {
          ID: Type.String(),
          Verdict: Type.String({ description: "matched, not matched or failed." }),
          Reason: Type.String(),
        },
        { title: "ExplainedBindingRule" },
      ),
    ),
    Token: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "What a login would give." })),
    Refusal: Type.Optional(Type.String({ description: "What a login would be refused with." })),
  },
  {
    title: "LoginExplanation",
    description: "The identity, each binding rule with why it gives what it gives, and the outcome.",
    examples: [EXAMPLE],
  },
);

export function renderExplanation(explanation: Explanation, renderScope: RenderScope) {
  const { method, identity, bindingRules, token, refusal } = explanation;
  return {
    AuthMethod: method.name,
    Identity: identity && renderFields(identity.fields),
    Variables: identity && Object.fromEntries(identity.variables),
    Rules: bindingRules.map(({ id, verdict, reason }) => ({ ID: id, Verdict: verdict, Reason: reason })),
    Token: token && renderGiven(token, renderScope),
    Refusal: refusal,
  };
}

function renderFields(fields: Identity): Record<string, unknown> {
  return Object.fromEntries([...fields].map(([name, value]) => [name, renderValue(value)]));
}

function renderValue(value: IdentityValue): unknown {
  return typeof value === "string" || isList(value) ? value : renderFields(value);
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
    description: "Where the browser of who logs in has to go.",
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
