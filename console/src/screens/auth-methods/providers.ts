/** Identity providers that the form of a new auth method knows: their fields, and the configuration of the answers. */
import { SERVER_ADDRESS } from "../../base/address.ts";
import type { Members } from "../../kit/plan.ts";
import type { AuthMethod } from "./named.ts";
import * as texts from "../../texts/auth-methods.ts";

/** Answers by the names of the fields. */
export type Answers = Readonly<Record<string, string>>;

export interface ProviderField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** Shown as a placeholder, never as content. */
  readonly example: string;
  readonly isOptional?: true;
  readonly isSecret?: true;
  /** Text of several lines. */
  readonly isLong?: true;
}

export interface Provider {
  readonly label: string;
  readonly type: AuthMethod["Type"];
  readonly fields: readonly ProviderField[];
  config(answers: Answers): Members;
  /** Returns the selector of the first binding rule; empty while its answer is missing. */
  selector(answers: Answers): string;
}

const audience: ProviderField = {
  name: "audience",
  label: texts.audience,
  hint: texts.audienceHint,
  example: "https://tessera.example.com",
};
const issuer = (example: string): ProviderField => ({
  name: "issuer",
  label: texts.issuer,
  hint: texts.issuerHint,
  example,
});
const client: readonly ProviderField[] = [
  { name: "clientId", label: texts.clientId, example: "0oa1b2c3d4" },
  { name: "clientSecret", label: texts.clientSecret, hint: texts.secretHint, example: "", isSecret: true },
];
const group: ProviderField = {
  name: "group",
  label: texts.group,
  hint: texts.groupHint,
  example: "platform",
  isOptional: true,
};

const text = (answers: Answers, name: string) => (answers[name] ?? "").trim();
const equals = (path: string, value: string) => (value === "" ? "" : `${path} == ${JSON.stringify(value)}`);
const inGroups = (answers: Answers) => {
  const name = text(answers, "group");
  return name === "" ? "" : `${JSON.stringify(name)} in list.groups`;
};

/** Returns the URL to which a provider of sign-ins sends users back. */
export function redirectUri(): string {
  return `${SERVER_ADDRESS}/ui/oidc/callback`;
}

function signIn(answers: Answers, issuerUrl: string, more: Members = {}): Members {
  return {
    OIDCDiscoveryURL: issuerUrl,
    OIDCClientID: text(answers, "clientId"),
    OIDCClientSecret: text(answers, "clientSecret"),
    AllowedRedirectURIs: [redirectUri()],
    ClaimMappings: { email: "email" },
    ListClaimMappings: { groups: "groups" },
    ...more,
  };
}

function workload(answers: Answers, issuerUrl: string, claims: readonly string[]): Members {
  return {
    OIDCDiscoveryURL: issuerUrl,
    BoundAudiences: [text(answers, "audience")],
    ClaimMappings: Object.fromEntries(claims.map((claim) => [claim, claim])),
  };
}

const GITHUB: Provider = {
  label: texts.github,
  type: "jwt",
  fields: [
    { name: "owner", label: texts.githubOwner, hint: texts.ruleOnlyHint, example: "acme" },
    audience,
    { ...issuer("https://token.actions.githubusercontent.com"), isOptional: true, hint: texts.githubIssuerHint },
  ],
  config: (answers) =>
    workload(answers, text(answers, "issuer") || "https://token.actions.githubusercontent.com", [
      "repository",
      "repository_owner",
      "ref",
      "environment",
      "job_workflow_ref",
    ]),
  selector: (answers) => equals("value.repository_owner", text(answers, "owner")),
};

const GITLAB: Provider = {
  label: texts.gitlab,
  type: "jwt",
  fields: [
    issuer("https://gitlab.com"),
    { name: "path", label: texts.gitlabPath, hint: texts.ruleOnlyHint, example: "acme/platform" },
    audience,
  ],
  config: (answers) =>
    workload(answers, text(answers, "issuer"), ["namespace_path", "project_path", "ref", "ref_protected"]),
  selector: (answers) => equals("value.namespace_path", text(answers, "path")),
};

const KUBERNETES: Provider = {
  label: texts.kubernetes,
  type: "kubernetes",
  fields: [
    { name: "host", label: texts.kubernetesHost, example: "https://192.0.2.10:6443" },
    { name: "ca", label: texts.kubernetesCa, example: "-----BEGIN CERTIFICATE-----", isLong: true },
    { name: "jwt", label: texts.kubernetesJwt, hint: texts.secretHint, example: "", isSecret: true },
    { name: "namespace", label: texts.kubernetesNamespace, hint: texts.ruleOnlyHint, example: "payments" },
  ],
  config: (answers) => ({
    Host: text(answers, "host"),
    CACert: text(answers, "ca"),
    ServiceAccountJWT: text(answers, "jwt"),
  }),
  selector: (answers) => equals("serviceaccount.namespace", text(answers, "namespace")),
};

const OKTA: Provider = {
  label: texts.okta,
  type: "oidc",
  fields: [issuer("https://acme.okta.com"), ...client, group],
  config: (answers) => signIn(answers, text(answers, "issuer"), { OIDCScopes: ["profile", "email", "groups"] }),
  selector: inGroups,
};

const ENTRA: Provider = {
  label: texts.entra,
  type: "oidc",
  fields: [
    { name: "tenant", label: texts.tenant, example: "2b3c4d5e-0000-0000-0000-1a2b3c4d5e6f" },
    ...client,
    { ...group, hint: texts.entraGroupHint, example: "8f1c2d3e-0000-0000-0000-9a8b7c6d5e4f" },
  ],
  config: (answers) =>
    signIn(answers, `https://login.microsoftonline.com/${text(answers, "tenant")}/v2.0`, {
      OIDCScopes: ["profile", "email"],
    }),
  selector: inGroups,
};

const AWS: Provider = {
  label: texts.aws,
  type: "aws-iam",
  fields: [
    {
      name: "arns",
      label: texts.arns,
      hint: texts.arnsHint,
      example: "arn:aws:iam::123456789012:role/deploy",
      isLong: true,
    },
    { name: "entity", label: texts.entity, hint: texts.ruleOnlyHint, example: "deploy", isOptional: true },
    {
      name: "header",
      label: texts.serverId,
      hint: texts.serverIdHint,
      example: "tessera.example.com",
      isOptional: true,
    },
  ],
  config: (answers) => ({
    BoundIAMPrincipalARNs: linesOf(text(answers, "arns")),
    ...(text(answers, "header") === "" ? {} : { ServerIDHeaderValue: text(answers, "header") }),
  }),
  selector: (answers) => equals("entity_name", text(answers, "entity")),
};

const SIGN_IN: Provider = {
  label: texts.anyOidc,
  type: "oidc",
  fields: [issuer("https://login.example.com"), ...client, group],
  config: (answers) => signIn(answers, text(answers, "issuer")),
  selector: inGroups,
};

const WORKLOAD: Provider = {
  label: texts.anyJwt,
  type: "jwt",
  fields: [
    issuer("https://issuer.example.com"),
    audience,
    { name: "subject", label: texts.subject, hint: texts.ruleOnlyHint, example: "system:ci:web" },
  ],
  config: (answers) => workload(answers, text(answers, "issuer"), ["sub"]),
  selector: (answers) => equals("value.sub", text(answers, "subject")),
};

/** Providers by ID, in the order of the form. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  github: GITHUB,
  gitlab: GITLAB,
  kubernetes: KUBERNETES,
  okta: OKTA,
  entra: ENTRA,
  aws: AWS,
  oidc: SIGN_IN,
  jwt: WORKLOAD,
};

function linesOf(lines: string): string[] {
  return lines.split(/[\s,]+/).filter((line) => line !== "");
}
