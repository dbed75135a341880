/** Texts of namespaces. */
// Kind and screens
export const about = "Each namespace has its own tokens, policies, roles and auth methods.";
export const emptyHint = "Create a namespace to isolate the tokens and policies of a team.";
export const createAbout = "The namespace starts empty. Permissions in other namespaces do not apply here.";

// Filters of the list
export const defaultsFilter = "Default permissions";
export const defaultsSome = "policies or roles";
export const defaultsNone = "none";

// Form
export const name = "Name";
export const nameExample = "payments";
export const nameInvalid = "Use 1 to 63 letters, digits and hyphens, with no hyphen at either end";
export const fixed = "Cannot be changed.";
export const fixedLater = "Cannot be changed later.";
export const defaultPolicies = "Default policies";
export const defaultPoliciesHint = "Policies of namespace default. Every token in this namespace gets them.";
export const defaultRoles = "Default roles";
export const defaultRolesHint = "Roles of namespace default. Every token in this namespace gets them.";
export const metadata = "Metadata";
export const metadataEntry = "metadata entry";
export const metadataKey = "Key";
export const metadataValue = "Value";
export const metadataInvalid = "Enter a key in each row";
export const metadataKeyExample = "owner";
export const metadataValueExample = "payments@example.com";

// Page of a namespace
export const switchHere = "Switch to this namespace";
export const defaultsTitle = "Default permissions";
export const detailsTitle = "Details";
export const deletingSince = "Deletion started";
