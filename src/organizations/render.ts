/** Organizations as JSON:API resources. */
import type { Actor } from "../rights/actor.ts";
import { authorize, unnoted } from "../rights/authorize.ts";
import { ATTRIBUTES } from "./attributes.ts";
import type { Organization } from "./store.ts";

/** Attributes that answer the same for every organization; docs/api/organizations.md says so. */
const FIXED = {
  "saml-enabled": false,
  "two-factor-conformant": false,
  "is-unified": false,
  "trial-expires-at": null,
  // Clients that know trials take 1 and less for an organization that is about to be locked.
  "remaining-testable-count": 1000,
  "plan-expired": false,
  "plan-expires-at": null,
  "plan-is-trial": false,
  "plan-is-enterprise": true,
  "plan-identifier": "tessera",
};

/** Permissions for features that are not served here, so nobody has them. */
const NOT_SERVED = [
  "can-access-via-teams",
  "can-create-module",
  "can-create-provider",
  "can-create-team",
  "can-create-workspace-migration",
  "can-deploy-no-code-modules",
  "can-enable-stacks",
  "can-manage-auditing",
  "can-manage-no-code-modules",
  "can-manage-public-modules",
  "can-manage-public-providers",
  "can-manage-run-tasks",
  "can-manage-sso",
  "can-manage-subscription",
  "can-manage-users",
  "can-read-run-tasks",
  "can-start-trial",
  "can-update-agent-pools",
  "can-update-api-token",
  "can-update-oauth",
  "can-update-sentinel",
  "can-update-ssh-keys",
] as const;

function permissions(write: boolean, createWorkspace: boolean): Record<string, boolean> {
  return {
    "can-traverse": true,
    "can-update": write,
    "can-destroy": write,
    "can-create-project": write,
    "can-create-workspace": createWorkspace,
    "can-manage-tags": write,
    ...Object.fromEntries(NOT_SERVED.map((name) => [name, false])),
  };
}

/** Every combination, made once. */
const PERMISSIONS = {
  writer: { any: permissions(true, true), none: permissions(true, false) },
  reader: { any: permissions(false, true), none: permissions(false, false) },
};

function permissionsOf(actor: Actor, name: string): Record<string, boolean> {
  const byWorkspaces = PERMISSIONS[authorize(unnoted(actor), "organization", name, "write") ? "writer" : "reader"];
  // The rule that would decide on a workspace whose name nobody has thought of yet.
  return byWorkspaces[authorize(unnoted(actor), "workspace", `${name}/`, "write") ? "any" : "none"];
}

/** For an organization of which somebody may read workspaces alone. */
const OF_OTHERS = Object.fromEntries(Object.keys(PERMISSIONS.reader.none).map((name) => [name, false]));

/** As the actor may know it: without the right to read it, its name and nothing else. */
export function renderSeenOrganization(actor: Actor, organization: Organization) {
  const { name } = organization;
  if (authorize(actor, "organization", name, "read")) return renderOrganization(actor, organization);
  const attributes = { name, permissions: OF_OTHERS };
  return { id: name, type: "organizations", attributes, links: { self: organizationPath(name) } };
}

/** The resource of an organization, with what this actor may do to it. */
export function renderOrganization(actor: Actor, organization: Organization) {
  const { id, name } = organization;
  const path = organizationPath(name);
  return {
    id: name,
    type: "organizations",
    attributes: {
      name,
      email: organization.email,
      "external-id": id,
      "created-at": organization.createdAt,
      "default-execution-mode": organization.defaultExecutionMode,
      ...ATTRIBUTES.read(organization.settings),
      ...FIXED,
      permissions: permissionsOf(actor, name),
    },
    relationships: {
      "default-project": { data: { id: organization.defaultProjectId, type: "projects" } },
      "default-agent-pool": { data: null },
      "entitlement-set": {
        data: { id, type: "entitlement-sets" },
        links: { related: `${path}/entitlement-set` },
      },
      subscription: { links: { related: `${path}/subscription` } },
      "oauth-tokens": { links: { related: `${path}/oauth-tokens` } },
      "authentication-token": { links: { related: `${path}/authentication-token` } },
    },
    links: { self: path },
  };
}

function organizationPath(name: string): string {
  return `/api/v2/organizations/${name}`;
}

/** None of these is served here. Without `operations` Terraform runs locally. */
const ENTITLEMENTS = {
  operations: false,
  "state-storage": false,
  agents: false,
  "audit-logging": false,
  "cost-estimation": false,
  "global-run-tasks": false,
  "private-module-registry": false,
  "private-run-tasks": false,
  "run-tasks": false,
  sentinel: false,
  sso: false,
  teams: false,
  "vcs-integrations": false,
  "waypoint-actions": false,
  "waypoint-templates-and-addons": false,
};

/** Renders the features that an organization may use. They are equal for all organizations. */
export function renderEntitlementSet(organization: Organization) {
  return {
    id: organization.id,
    type: "entitlement-sets",
    attributes: ENTITLEMENTS,
    links: { self: `${organizationPath(organization.name)}/entitlement-set` },
  };
}
