/** Texts of reserved-tag-keys. */
// Kind and navigation

// List
export const listHint = "Tag keys with a fixed precedence: project value or workspace value.";
export const emptyHint = "Reserve a tag key to fix its precedence, for example cost-center.";
export const key = "Key";
export const precedence = "Precedence";
export const projectValue = "project value";
export const workspaceValue = "workspace value";
export const changed = "Changed";
export const created = "Created";

// One reserved key
export const details = "Details";
export const precedenceText = (value: string) => `${value}, if it is set`;
export const usedBy = "Used by";
export const projects = "Projects";
export const workspaces = "Workspaces";
export const deleteWarning =
  "Projects and workspaces keep the key and its values. Workspace values then override project values.";

// Form
export const createHint = "You can reserve a key before its first use.";
export const keyExample = "cost-center";
export const keyInvalid = "Enter 1 to 128 characters.";
export const disableOverrides = "Disable workspace overrides";
export const disableOverridesHint = "A project value overrides the workspace value.";
