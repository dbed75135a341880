import { findEarlierMethods, tellEarlierMethods } from "../acl/auth-methods/earlier.ts";
import { findRewritten, tellRewritten } from "../acl/policies/rewritten.ts";
import type { Config } from "../config.ts";
import type { Database } from "../storage/database.ts";
import type { Background } from "../storage/operator/removal.ts";

/** Tells the log at the start which policies would decide otherwise once they are written again, and which auth methods. */
export function startTellingRewritten(
  db: Database,
  { edition }: Pick<Config, "edition">,
  { onWarning, onError }: { onWarning: (message: string) => void; onError: (error: unknown) => void },
): Background {
  let isStopped = false;
  async function* untilStopped<T>(found: AsyncIterable<T>) {
    for await (const each of found) {
      if (isStopped) return;
      yield each;
    }
  }
  const tell = (message: string | undefined) => message !== undefined && !isStopped && onWarning(message);
  async function tellAll(): Promise<void> {
    tell(await tellRewritten(untilStopped(findRewritten(db.long, edition))));
    const methods = findEarlierMethods({ ...db.long, keyring: db.keyring });
    tell(await tellEarlierMethods(untilStopped(methods), { isBrief: true }));
  }
  const told = tellAll().catch((error: unknown) => void (isStopped || onError(error)));
  return {
    async stop() {
      isStopped = true;
      await told;
    },
  };
}
