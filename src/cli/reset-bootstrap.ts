import { resetBootstrap } from "../acl/tokens/bootstrap.ts";
import { readConfig } from "../config.ts";
import { openForCommand } from "./open-for-command.ts";

/**
 * `tessera reset-bootstrap`: lets the server be bootstrapped once more. Whoever
 * may run it has the database and its key, so nothing else is asked. An
 * embedded database must not be in use by a running server.
 *
 * @throws ConfigError or StartError, one line each
 */
export async function resetBootstrapCommand(args: readonly string[]): Promise<void> {
  const db = await openForCommand(readConfig(args));
  try {
    await resetBootstrap(db);
  } finally {
    await db.close();
  }
  process.stdout.write(
    "The server can be bootstrapped once more: at its next start, or with --bootstrap manual by PUT /v1/acl/bootstrap\n",
  );
}
