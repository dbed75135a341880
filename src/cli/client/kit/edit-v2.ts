/** Editing attributes under `/api/v2`: written over what was read and nothing else, by its ETag. */
import { TesseraError, type Answer } from "@tessera-server/client";
import type { Call } from "../spec.ts";
import type { Editing } from "../edit.ts";
import { objectOf } from "./answers.ts";

type Members = Record<string, unknown>;

/** Attributes that are answered and not written. */
const COMPUTED =
  /^(?:created-at|updated-at|latest-change-at|actions|permissions|external-id|.*-count|.*-average|.*-failures|locked.*|is-.*|can-.*|tag-names|operations|source.*|environment|vcs-repo.*|no-code-.*|workspace-kpis.*|auto-destroy-status|delivery|has-token)$/;

/** How often something else of the object may have changed while it is written. */
const MOST_ATTEMPTS = 5;

/**
 * How the attributes of an object are read and written.
 *
 * @param operation writes it, at the URL at which `read` reads it
 */
export function attributeEditing(
  call: Call,
  type: string,
  operation: string,
  read: () => Promise<Answer>,
  path: Record<string, string>,
): Omit<Editing, "title"> {
  return {
    async read() {
      const { members, etag } = stateIn(await read());
      return { members, mark: etag };
    },
    async write(members, before, mark) {
      // Only what was changed is sent, so that nothing else is ever taken back.
      const attributes = Object.fromEntries(
        Object.entries(members).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
      );
      for (const name of Object.keys(before)) if (!(name in members)) attributes[name] = null;
      let etag = String(mark);
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        try {
          await call.write(operation, { path, headers: { "if-match": etag }, body: { data: { type, attributes } } });
          return true;
        } catch (error) {
          if (!(error instanceof TesseraError && error.status === 412)) throw error;
        }
        const now = stateIn(await read());
        if (JSON.stringify(now.members) !== JSON.stringify(before)) return false;
        // Its tags, say, which are not what is edited.
        ({ etag } = now);
      }
      return false;
    },
  };
}

function stateIn(answer: Answer): { members: Members; etag: string } {
  const { attributes } = objectOf(answer) as { attributes: Members };
  const members = Object.fromEntries(Object.entries(attributes).filter(([name]) => !COMPUTED.test(name)));
  // One without fits nothing that is there.
  return { members, etag: answer.headers.get("etag") ?? '""' };
}
