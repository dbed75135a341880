/** Links to policies and roles, as people type them, and as the API has them. */

/** Names of links. */
export function namesOf(links: readonly { ID?: string; Name?: string }[] | null | undefined): readonly string[] {
  return (links ?? []).map(({ Name, ID }) => Name || (ID ?? ""));
}

/** A link by what was typed: an ID, or a name. */
export function linkOf(name: string): { Name: string } | { ID: string } {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name) ? { ID: name } : { Name: name };
}
