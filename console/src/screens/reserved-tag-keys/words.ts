/** Returns the words for the value that wins for a reserved tag key. */
export function winnerOf(disablesOverrides: boolean): string {
  return disablesOverrides ? "the project’s value" : "the workspace’s value";
}
