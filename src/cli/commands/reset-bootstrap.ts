import { resetBootstrap } from "../../acl/tokens/bootstrap.ts";
import { readConfig } from "../../config.ts";
import { tell, withDatabase } from "../with-database.ts";

/**
 * `tessera reset-bootstrap`: lets the server be bootstrapped once more. Whoever may run it has the database and its key,
 * so nothing else is asked.
 *
 * @param args as `serve` takes them @throws ConfigError, StartError
 */
export async function resetBootstrapCommand(args: readonly string[]): Promise<void> {
  await withDatabase(readConfig(args), resetBootstrap);
  tell("Allowed a new bootstrap: at the next startup, or with --bootstrap manual by PUT /v1/acl/bootstrap");
}
