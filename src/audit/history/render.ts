/** Versions as answers show them: their content is a body of the write that restores them. */
import { restoringPatch } from "../../acl/auth-methods/config.ts";
import type { Grants } from "../../acl/grants.ts";
import { renderIdentities } from "../../acl/kit/render.ts";
import { formatDuration } from "../../go/duration.ts";
import type { HistoryKind, Recorded } from "./kinds.ts";
import type { ObjectVersion } from "./service.ts";

type Members = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const entries = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
type Names = ObjectVersion["names"];
/** A link to a deleted object has no name. */
const links = (value: unknown, names: Names) =>
  entries(value).map((id) => ({ ID: text(id), Name: names.get(text(id)) }));

/** Members of a version, as `PATCH` takes them: all that a write can change. */
const CONTENTS: Readonly<Record<HistoryKind["kind"], (version: Recorded, names: Names) => Members>> = {
  policy: ({ Name, Description, Rules, Datacenters }) => ({
    Name,
    Description: text(Description),
    Rules: text(Rules),
    Datacenters: entries(Datacenters),
  }),
  role: ({ Name, Description, Policies, ...version }, names) => ({
    Name,
    Description: text(Description),
    Policies: links(Policies, names),
    ...identitiesOf(version),
  }),
  "binding-rule": ({ Description, Selector, BindType, BindName, BindVars }) => ({
    Description: text(Description),
    Selector: text(Selector),
    BindType: text(BindType),
    BindName: text(BindName),
    BindVars: BindVars === undefined ? null : { Name: (BindVars as { name?: string }).name ?? null },
  }),
  "auth-method": ({ DisplayName, Description, MaxTokenTTL, TokenLocality, NamespaceRules, Config }) => ({
    DisplayName: text(DisplayName),
    Description: text(Description),
    MaxTokenTTL: text(MaxTokenTTL) === "" || MaxTokenTTL === "0" ? null : formatDuration(BigInt(text(MaxTokenTTL))),
    TokenLocality: text(TokenLocality),
    NamespaceRules: entries(NamespaceRules).map((each) => {
      const { selector, bindNamespace } = each as { selector?: string; bindNamespace?: string };
      return { Selector: text(selector), BindNamespace: text(bindNamespace) };
    }),
    Config: Config ?? {},
  }),
  namespace({ DefaultPolicies, DefaultRoles }, names) {
    const [policies, roles] = [links(DefaultPolicies, names), links(DefaultRoles, names)];
    const isEmpty = policies.length + roles.length === 0;
    return { ACLs: isEmpty ? null : { PolicyDefaults: policies, RoleDefaults: roles } };
  },
};

/** A version with its content. */
function renderContent({ kind, content, present, names }: ObjectVersion): { Content: Members; Patch: Members } {
  const Content = CONTENTS[kind](content, names);
  return { Content, Patch: kind === "auth-method" ? { ...Content, Config: configPatch(Content, present) } : Content };
}

/** Members of a configuration are merged, so those that the version lacks are taken away. */
function configPatch(content: Members, present: Recorded): Members {
  return restoringPatch((present["Config"] ?? {}) as Record<string, unknown>, content["Config"] as Members);
}

/** @param isWhole whether the content is shown */
export function renderVersion(found: ObjectVersion, isWhole: boolean) {
  const { version, record } = found;
  return {
    Version: version,
    Time: record.at,
    Action: record.action,
    AccessorID: record.accessorId,
    RequestID: record.requestId,
    ...(isWhole && renderContent(found)),
  };
}

/** Empty lists are said, since a patch leaves absent ones as they are. */
function identitiesOf({ ServiceIdentities, NodeIdentities, TemplatedPolicies }: Recorded) {
  const grants = {
    serviceIdentities: entries(ServiceIdentities),
    nodeIdentities: entries(NodeIdentities),
    templatedPolicies: entries(TemplatedPolicies),
  } as Omit<Grants, "policies">;
  const shown = renderIdentities(grants);
  return {
    ServiceIdentities: shown.ServiceIdentities ?? [],
    NodeIdentities: shown.NodeIdentities ?? [],
    TemplatedPolicies: shown.TemplatedPolicies ?? [],
  };
}
