import { findRewritten, tellRewritten } from "../acl/policies/rewritten.ts";
import type { Config } from "../config.ts";
import type { Database } from "../storage/database.ts";
import type { Background } from "../storage/removal.ts";

/** Tells the log at the start which policies would decide otherwise once they are written again. */
export function startTellingRewritten(
  db: Database,
  { edition }: Pick<Config, "edition">,
  { onWarning, onError }: { onWarning: (message: string) => void; onError: (error: unknown) => void },
): Background {
  let isStopped = false;
  async function* untilStopped() {
    for await (const each of findRewritten(db.long, edition)) {
      if (isStopped) return;
      yield each;
    }
  }
  const told = tellRewritten(untilStopped()).then(
    (message) => message !== undefined && !isStopped && onWarning(message),
    (error: unknown) => void (isStopped || onError(error)),
  );
  return {
    async stop() {
      isStopped = true;
      await told;
    },
  };
}
