/** Whose value of a reserved key counts. */
export function winnerOf(disablesOverrides: boolean): string {
  return disablesOverrides ? "the project’s value" : "the workspace’s value";
}
