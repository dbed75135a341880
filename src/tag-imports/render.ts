import type { Preview } from "./preview.ts";
import type { ImportMode } from "./plan.ts";

/** What an import would change, as a JSON:API resource that is shown once. */
export function renderPreview(id: string, mode: ImportMode, { refused, ...counts }: Preview) {
  return {
    id,
    type: "tag-import-previews" as const,
    attributes: { mode, ...counts, refused: Object.fromEntries(refused) },
  };
}
