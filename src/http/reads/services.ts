import type { FastifyInstance } from "fastify";
import type { Database } from "../../storage/database.ts";
import { createWaitLimits, type WaitLimitOptions, type WaitLimits } from "../../watch/wait-limits.ts";
import { createWatches, type ReadGuarded, type Watches } from "../../watch/watches.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createSharedLists, type SharedLists } from "../v1/reads/shared-lists.ts";
import { createOpenExports, type OpenExports } from "../../limits/open-exports.ts";
import { createSharedAnswers, type SharedAnswers } from "./shared-answers.ts";

/** Services that all reads of a server share. */
export interface ReadServices {
  watches: Watches;
  limits: WaitLimits;
  answers: SharedAnswers;
  lists: SharedLists;
  exports: OpenExports;
}

/** Each may hold a slice and some of its text, and be read on in turns with the others. */
const EXPORTS = { ofOwner: 8, all: 64 };

/**
 * Gives both families what their reads share.
 *
 * @param waits how many reads may wait at once
 * @param readGuarded see `createWatches`
 */
export function addReadServices(
  app: FastifyInstance,
  db: Database,
  waits: WaitLimitOptions,
  { gauge }: Pick<Metrics, "gauge">,
  readGuarded: ReadGuarded,
): void {
  const watches = createWatches(db, readGuarded);
  const answers = createSharedAnswers();
  const lists = createSharedLists();
  const exports = createOpenExports(EXPORTS);
  app.decorate("reads", { watches, limits: createWaitLimits(waits), answers, lists, exports });
  gauge("tessera_open_exports", "Number of running audit exports", exports.count);
  gauge("tessera_waiting_requests", "Number of waiting blocking queries and event streams", () => watches.count());
  gauge("tessera_shared_answers_bytes", "Memory of the response cache", () => answers.stats().bytes);
  gauge("tessera_shared_lists_bytes", "Memory of lists shared by concurrent requests", () => lists.stats().bytes);
  // Requests that wait are answered before the server stops.
  app.addHook("preClose", (done) => {
    watches.close();
    done();
  });
}
