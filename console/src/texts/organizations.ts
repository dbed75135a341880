/** Texts of organizations. */
import { counted } from "./counted.ts";

const countOf = (count: number | undefined, singular: string, plural: string) =>
  count === undefined ? plural : counted(count, singular, plural);

// Kind and navigation

// List
export const listHint = "Each organization has its own workspaces, projects and tags.";
export const emptyHint = "Create an organization for workspaces, projects and tags.";
export const name = "Name";
export const email = "Email";
export const open = "Open";
export const tags = "Tags";
export const tagsOf = (organization: string) => `Tags of ${organization}`;
export const workspaces = "Workspaces";
export const workspacesOf = (organization: string) => `Workspaces of ${organization}`;
export const created = "Created";
export const id = "ID";
export const nameContains = "Name contains";
export const nameExample = "acme";
export const emailContains = "Email contains";
export const emailContainsExample = "@acme.example";

// Contents; the plural alone while the count is unknown
export const contents = "Contents";
export const tagCount = (count: number | undefined) => countOf(count, "tag", "tags");
export const workspaceCount = (count: number | undefined) => countOf(count, "workspace", "workspaces");
export const projectCount = (count: number | undefined) => countOf(count, "project", "projects");
export const tagPolicy = "Tag policy";
export const reservedKeys = "Reserved tag keys";
export const webhooks = "Webhooks";
export const auditLog = "Audit log";

// Settings
export const settings = "Settings";
export const executionMode = "Execution mode";
export const executionModeHint = "Stored for Terraform clients. This server does not run Terraform.";
export const enabled = "Enabled";
export const sessionTimeout = "Session timeout";
export const sessionTimeoutHint = "Time without activity until the next login.";
export const minutes = (minutes: number) => `${minutes.toLocaleString()} min`;
export const settingsHint = "Stored for API clients. Console sessions do not use these settings.";

// Switches
export const allowForceDelete = "Force delete of workspaces with resources";
export const assessmentsEnforced = "Health assessments of all workspaces";
export const costEstimation = "Cost estimation";
export const stacks = "Stacks";
export const userTokens = "User tokens";
export const aggregatedCommitStatus = "Aggregated commit status";
export const passingSpeculativePlans = "Passing status for untriggered speculative plans";
export const cancelOutdatedPlans = "Cancel outdated speculative plans";
export const maxTtl = "Maximum TTL of tokens";
export const holdYourOwnKey = "Hold your own key (HYOK)";

// Form
export const createHint = "A new organization contains one project, Default Project, and no tags.";
export const nameHint = "Part of all URLs of the organization.";
export const renameHint = "A new name changes all URLs. Update your clients.";
export const nameInvalid = "Enter 1 to 90 letters, digits, hyphens or underscores.";
export const emailHint = "Contact address of the organization.";
export const emailExample = "platform@acme.example";
export const emailInvalid = "Enter an email address, for example platform@acme.example.";
export const executionModeOverrides = "Default for projects and workspaces. This server does not run Terraform.";
export const storedSettings = "Stored for API clients. These settings have no effect on this server.";
export const sessionTimeoutMinutes = "Session timeout (minutes)";
export const sessionLifetimeMinutes = "Session lifetime (minutes)";
export const authentication = "Authentication";
export const password = "password";
export const twoFactors = "two-factor";
export const ownersSamlRole = "SAML role of owners";

// Delete
export const deleteWarning = (parts: readonly string[]) =>
  `This also deletes ${parts.join(", ")}, the tag policy, the reserved tag keys and the webhooks.`;
export const deleteHint = "The name becomes available immediately. This cannot be undone.";
