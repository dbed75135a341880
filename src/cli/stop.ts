import type { FastifyInstance } from "fastify";

/** How long running requests may take after the server was asked to stop. */
const GRACE_MS = 10_000;
/** How often connections that have become idle are closed meanwhile. */
const IDLE_CHECK_MS = 50;

/** Stops accepting connections and lets running requests finish; after the grace period the rest is cut. */
export async function closeGracefully(app: FastifyInstance, graceMs = GRACE_MS): Promise<void> {
  // Node closes what is idle now; a connection whose request ends later would be kept for the next one.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  const grace = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(grace);
  }
}
