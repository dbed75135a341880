/** Texts of roles. */
// Kind and screens
export const about = "Reusable sets of policies. Changes apply to every token with the role.";
export const emptyHint = "Create a role to group policies for tokens and logins.";
export const createAbout = "After you create the role, add it to tokens or binding rules.";

// Filters of the list
export const policy = "Policy";
export const policyId = "ID";
export const grants = "Grants";
export const grantsPolicies = "policies";
export const grantsServices = "service identities";
export const grantsNodes = "node identities";
export const grantsTemplates = "templated policies";
export const grantsNothing = "nothing";

// Form
export const name = "Name";
export const nameExample = "web-team";
export const nameInvalid = "Use 1 to 256 letters, digits, hyphens and underscores";
export const policies = "Policies";
export const policiesHint = "Policies of every token with the role.";

// Page of a role
export const permissionsTitle = "Permissions";
export const services = "Services";
export const nodes = "Nodes";
export const templates = "Templates";
export const detailsTitle = "Details";

// Delete of selected rows
export const grantsNote =
  "The change applies to every token with the roles. Identities and templated policies stay unchanged.";
export const deleteManyWarning =
  "Tokens lose the permissions of these roles. You can restore the roles from the trash for 7 days.";
