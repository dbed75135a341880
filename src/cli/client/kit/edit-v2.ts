/** Editing attributes under `/api/v2`, which knows no compare-and-set: what is written is looked at once more just before. */
import type { Call } from "../spec.ts";
import type { Editing } from "../edit.ts";
import type { Item } from "../output/types.ts";

type Members = Record<string, unknown>;

/** Attributes that are answered and not written. */
const COMPUTED =
  /^(?:created-at|updated-at|latest-change-at|actions|permissions|external-id|.*-count|.*-average|.*-failures|locked.*|is-.*|can-.*|tag-names|operations|source.*|environment|vcs-repo.*|no-code-.*|workspace-kpis.*|auto-destroy-status|delivery|has-token)$/;

/** How the attributes of an object are read and written. Two that write within the same instant are not told apart. */
export function attributeEditing(
  call: Call,
  type: string,
  operation: string,
  read: () => Promise<Item>,
  path: Record<string, string>,
): Omit<Editing, "title"> {
  return {
    async read() {
      const { attributes } = (await read()) as { attributes: Members };
      return { members: editable(attributes), mark: JSON.stringify(editable(attributes)) };
    },
    async write(members, before, mark) {
      const { attributes: now } = (await read()) as { attributes: Members };
      if (JSON.stringify(editable(now)) !== mark) return false;
      // Only what was changed is sent, so that nothing else is ever taken back.
      const attributes = Object.fromEntries(
        Object.entries(members).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
      );
      for (const name of Object.keys(before)) if (!(name in members)) attributes[name] = null;
      await call.write(operation, { path, body: { data: { type, attributes } } });
      return true;
    },
  };
}

function editable(attributes: Members): Members {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !COMPUTED.test(name)));
}
