/** Texts of tag-governance. */
import { counted } from "./counted.ts";

export const about = "Share of workspaces that have each tag key of the tag policy.";
export const project = "Project";
export const allProjects = "All projects";
export const nonCompliant = "Non-compliant workspaces";
export const duplicates = "Duplicates";
export const unusedTags = "Unused tags";
export const noKeys = "No required keys yet";
export const noKeysHint = "Add a rule with required keys to the tag policy.";
export const loadMore = "Load more";
export const incomplete = "The organization has more values or projects than the limit. Other includes the rest.";

// A required key
export const covered = (share: string, workspaces: number) =>
  `Coverage: ${share} of ${counted(workspaces, "workspace", "workspaces")}`;
export const requiredBy = (rules: readonly string[]) => `Required by ${rules.join(", ")}`;
export const noWorkspaces = "No workspace must have this key.";
export const value = "Value";
export const workspaces = "Workspaces";
export const missing = "Missing";
export const emptyValue = "(empty)";
export const withoutValue = "Tag without value";
export const other = (values: number) => `Other (${counted(values, "value", "values")})`;
export const othersUncounted = "Other";
export const valuesOf = (key: string) => `Values of ${key}`;
export const projectsOf = (key: string) => `Projects without ${key}`;
export const projectTitle = "Project";
export const missingOf = (missingCount: number, workspaceCount: number) =>
  `${missingCount.toLocaleString()} of ${workspaceCount.toLocaleString()}`;

// Bulk job
export const setKey = "Set key";
export const setKeyTitle = (key: string) => `Set key ${key}`;
export const setKeyEffect = "Workspaces of the project that lack the key get it with this value.";
export const start = "Set key";
