/** What changed between two texts, by lines. */
import type { Output } from "./output/types.ts";
import { visibleLines } from "./output/values.ts";

/** A unified diff without its header; empty when nothing changed. */
export async function diffOf(before: string, after: string, out: Output): Promise<string> {
  if (before === after) return "";
  const { structuredPatch } = await import("diff");
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: 3 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    out.colour(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, 36),
    ...changed.map((line) => coloured(visibleLines(line), out)),
  ]);
  return `${lines.join("\n")}\n`;
}

function coloured(line: string, out: Output): string {
  if (line.startsWith("+")) return out.colour(line, 32);
  if (line.startsWith("-")) return out.colour(line, 31);
  return line;
}
