/** Texts of tag-policies. */
import { counted } from "./counted.ts";

// Compliance: the list of non-compliant workspaces
export const complianceHint = "Workspaces that violate the tag policy of the organization.";
export const complianceEmptyHint = "All workspaces are compliant, or your token cannot read the tag policy.";
export const workspace = "workspace";
export const nonCompliant = "Non-compliant workspaces";
export const workspaceTitle = "Workspace";
export const violations = "Violations";
export const violationCount = "Count";
export const rule = "Tag policy rule";
export const anyRule = "Any";
export const violation = "Violation";
export const keyOrName = "Exact key or name";
export const keyExample = "owner";

// Violations
export const kindRequired = "missing key";
export const kindValue = "value not allowed";
export const kindName = "name not allowed";
export const kindLimit = "pattern timeout";

// Tag policy
export const policyHint = "Required keys, allowed values and naming pattern of tags.";
export const rules = "Rules";
export const history = "History";
export const edit = "Edit";
export const deleteLabel = "Delete";
export const policyToDelete = "tag policy";
export const deleteWarning =
  "All rules will be deleted. Workspaces will no longer be checked. Tags stay unchanged. The audit log keeps the rules.";
export const emptyTitle = "No tag policy yet";
export const emptyHint = "Require keys, restrict values or set a naming pattern for tags.";
export const createTagPolicy = "Create tag policy";
export const enforcement = "Enforcement";
export const warns = "warns";
export const blocks = "blocks";
export const warnEffect = "Warn: the write succeeds, and the response lists the violations.";
export const blockEffect =
  "Block: the server rejects writes that add violations. Other changes of non-compliant workspaces are allowed.";
export const changed = "Changed";

// A rule of the tag policy
export const appliesTo = "Applies to";
export const allWorkspaces = "all workspaces";
export const projectNamed = (project: string) => `workspaces of project ${project}`;
export const requiredKeys = "Required keys";
export const valuesOfKey = (key: string) => `Values of ${key}`;
export const namingPattern = "Naming pattern";

// Form
export const editHint = "The rules apply to writes after you save.";
export const enforceWarn = "Warn (allow the write)";
export const enforceBlock = "Block (reject the write)";
export const addRule = "Add rule";
export const removeRule = "Remove rule";
export const remove = (rule: string) => `Remove ${rule}`;
export const save = "Save";
export const ruleNumber = (number: number) => `Rule ${number}`;
export const name = "Name";
export const ruleNameExample = "owners";
export const project = "Project";
export const allProjects = "All projects";
export const requiredKeysHint = "Satisfied by a key of the workspace or project, or a tag with this name.";
export const namingPatternHint = "RE2 expression that matches whole names of tags and keys.";
export const namingPatternExample = "[a-z][a-z0-9-]*";
export const key = "Key";
export const keyOfValuesExample = "env";
export const allowedValues = "Allowed values";
export const allowedValuesExample = "prod";
export const valuePattern = "Value pattern";

// Errors of the form
export const ruleNameInvalid = "Enter 1 to 100 letters, digits, spaces or . _ - with a letter or digit at both ends.";
export const ruleNameTaken = "Another rule has this name. Enter a different name.";
export const ruleEmpty = "Enter required keys, a key with its values, or a naming pattern.";
export const valuesMissing = "Enter allowed values or a value pattern.";
export const valuesAndPattern = "Enter allowed values or a value pattern, not both.";
export const keyMissing = "Enter the key of these values.";

// Effect of the drafted rules
export const effectTitle = "Compliance";
export const effectLoading = "Checking workspaces";
export const wouldFail = (failing: number, workspaces: number) =>
  `${counted(failing, "workspace", "workspaces")} of ${workspaces.toLocaleString()} would be non-compliant.`;
export const newlyFailing = (count: number) =>
  `${count.toLocaleString()} of these ${count === 1 ? "is" : "are"} compliant now.`;
export const failedByRule = (rule: string, count: number) => `${rule}: ${counted(count, "workspace", "workspaces")}`;
