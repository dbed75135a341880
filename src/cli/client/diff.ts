/** Computes the changes between two texts, by lines. */
import type { OutputLine } from "./output/types.ts";

/** The lines of a unified diff without its header; none when nothing changed. */
export async function diffOf(before: string, after: string): Promise<OutputLine[]> {
  if (before === after) return [];
  const { structuredPatch } = await import("diff");
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: 3 });
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }): OutputLine[] => [
    { text: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, colour: 36 },
    ...lines.map(coloured),
  ]);
}

function coloured(text: string): OutputLine {
  if (text.startsWith("+")) return { text, colour: 32 };
  return text.startsWith("-") ? { text, colour: 31 } : { text };
}
