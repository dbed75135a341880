import type { ImportPreview } from "./preview.ts";
import type { ImportMode } from "./plan.ts";

/** Renders the preview of an import as a JSON:API resource that is shown once. */
export function renderPreview(id: string, mode: ImportMode, { refused, ...counts }: ImportPreview) {
  return {
    id,
    type: "tag-import-previews" as const,
    attributes: { mode, ...counts, refused: Object.fromEntries(refused) },
  };
}
