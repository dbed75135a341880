import { createSecureContext, type SecureContext } from "node:tls";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";

/** Reading the system's authorities takes longer than a turn of the event loop may. */
const READ_SYSTEM = `
  const { getCACertificates } = require("node:tls");
  const system = getCACertificates("system");
  const all = system.length === 0 ? [] : [...system, ...getCACertificates("extra")];
  require("node:worker_threads").parentPort.postMessage([...new Set(all)]);
`;

/**
 * Whom to trust when a server shows its certificate.
 *
 * @param ca PEM: only the authorities in it, hence nobody where it holds none; undefined for those of the system
 */
export type Trust = (ca: string | undefined) => Promise<SecureContext>;

/** Contexts of pinned authorities that are kept. */
const MAX_PINNED = 100;

/** Creates the contexts and keeps them: reading certificates blocks the thread for milliseconds. */
export function createTrust(): Trust {
  let system: Promise<SecureContext> | undefined;
  const pinned = new LRUCache<string, SecureContext>({
    max: MAX_PINNED,
    // In a list even a text without certificates replaces the roots that are there otherwise.
    memoMethod: (ca) => createSecureContext({ ca: [ca], minVersion: "TLSv1.2" }),
  });
  return async (ca) => (ca === undefined ? (system ??= readSystem()) : pinned.memo(ca));
}

/** Reads the authorities of the system. Falls back to those of Node when it has none, or has unreadable ones. */
async function readSystem(): Promise<SecureContext> {
  try {
    const ca = await readAuthorities();
    if (ca.length > 0) return createSecureContext({ ca, minVersion: "TLSv1.2" });
  } catch {
    // As if there were none.
  }
  return createSecureContext({ minVersion: "TLSv1.2" });
}

function readAuthorities(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(READ_SYSTEM, { eval: true, execArgv: [] });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the CA certificates of the system could not be read")));
  });
}
