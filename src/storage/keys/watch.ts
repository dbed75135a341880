/** Watches the keys of a running server: it notices when they are replaced. */
import type { Database } from "../database.ts";
import { newHolder } from "../feed/lease.ts";
import { startBackground, type Background } from "../operator/removal.ts";
import { StartError } from "../start-error.ts";
import { listMasters } from "./masters.ts";
import { readReseal, type Reseal } from "./reseal.ts";
import { forgetUser, NOTE_SECONDS, noteUser, standingOf } from "./users.ts";

/** State of the keys, as of the last look. */
export interface KeyState {
  /** Whether the master key is being replaced, and whether this server runs with the old one. */
  isRotating: boolean;
  runsByOld: boolean;
  reseal: Reseal | undefined;
}

export interface KeyWatch extends Background {
  state(): KeyState;
}

interface WatchOptions {
  /** Told once when the master key of this server opens nothing any more: it must end. */
  onReplaced: (error: Error) => void;
  onError: (error: unknown) => void;
  onWarning: (message: string) => void;
}

/**
 * Looks once a second which master keys there are and whether all is to be sealed anew. Returns after the first look: a
 * server that runs by the key that is being replaced is known to whoever wants to drop it before it answers anybody.
 *
 * @throws StartError when the master key was replaced
 */
export async function startKeyWatch(db: Database, { onReplaced, onError, onWarning }: WatchOptions): Promise<KeyWatch> {
  const server = newHolder();
  const { masterId } = db.keyring;
  let state: KeyState = { isRotating: false, runsByOld: false, reseal: undefined };
  let lastNote = -Infinity;
  let renewedFor: number | undefined;
  let isReplaced = false;

  async function look(): Promise<void> {
    const [rows, reseal] = await Promise.all([listMasters(db), readReseal(db)]);
    let standing = standingOf(rows, masterId);
    if (standing === "replacing" && performance.now() - lastNote > NOTE_SECONDS * 1000) {
      standing = await noteUser(db, server, masterId);
      if (standing === "replacing") {
        if (!state.runsByOld) onWarning("master key rotation in progress. Restart this server with the new key");
        lastNote = performance.now();
      }
    }
    if (standing === "replaced") {
      isReplaced = true;
      throw new StartError("the master key of this server was replaced. Restart it with the new key");
    }
    if (reseal !== undefined && reseal.number !== renewedFor) {
      await db.keyring.renew();
      renewedFor = reseal.number;
    }
    state = { isRotating: rows.length > 1, runsByOld: standing === "replacing", reseal };
  }

  await look();
  const background = startBackground(async () => {
    if (isReplaced) return;
    try {
      await look();
    } catch (error) {
      if (isReplaced && error instanceof Error) onReplaced(error);
      else onError(error);
    }
  }, onError);
  return {
    state: () => state,
    async stop() {
      await background.stop();
      if (lastNote !== -Infinity) await forgetUser(db, server).catch(onError);
    },
  };
}
