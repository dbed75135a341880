/** Texts of partitions. */
// Kind and screens
export const about = "Partitions isolate tenants. Each partition has its own namespaces.";
export const emptyHint = "Create a partition to isolate a tenant.";
export const createAbout = "A new partition contains one empty namespace, default.";

// Form
export const name = "Name";
export const nameExample = "subsidiary";
export const nameInvalid = "Use 1 to 63 letters, digits and hyphens, with no hyphen at either end";
export const fixed = "Cannot be changed.";
export const fixedLater = "Cannot be changed later.";

// Page of a partition
export const namespaces = "Namespaces";
export const deleteWarning = (names: readonly string[], more: number) =>
  `All namespaces of the partition${names.length === 0 ? "" : ` (${names.join(", ")}${more > 0 ? ` and ${more.toLocaleString()} more` : ""})`} and their contents are deleted. This cannot be undone.`;
export const detailsTitle = "Details";
export const deletingSince = "Deletion started";
