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

export const allProjectsOf = (key: string) => `All projects by ${key}`;

// Projects
export const projectOne = "project";
export const projectMany = "projects";
export const projectsAbout = "Projects by the number of workspaces without a required key.";
export const coverage = "Coverage";
export const key = "Key";
export const keyExample = "owner";

// Days
export const day = "Day";
export const driftOf = (of: string) => `Coverage of ${of} by day`;
/** Share on a day, after its date. */
export const onDay = (share: string) => `: ${share}.`;
export const dayTitle = (date: string, missingCount: number, workspaceCount: number) =>
  `${date}: ${missing} ${missingOf(missingCount, workspaceCount)}`;

// Bulk job
export const setKey = "Set key";
export const setKeyTitle = (key: string) => `Set key ${key}`;
export const setKeyEffect = "Workspaces of the project that lack the key get it with this value.";
export const start = "Set key";
