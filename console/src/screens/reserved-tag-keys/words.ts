/** Returns the words for the value that wins for a reserved tag key. */
import * as texts from "../../texts/reserved-tag-keys.ts";
export function winnerOf(disablesOverrides: boolean): string {
  return disablesOverrides ? texts.projectValue : texts.workspaceValue;
}
