import { readConfig } from "../../config.ts";
import { finishUpgrade } from "../../storage/postgres/finish-upgrade.ts";
import { tell } from "../with-database.ts";

/**
 * `tessera finish-upgrade`: the last step of a rolling upgrade, when no server of the older version runs any more.
 *
 * @param args as `serve` takes them @throws ConfigError, StartError
 */
export async function finishUpgradeCommand(args: readonly string[]): Promise<void> {
  const { url } = readConfig(args).database;
  if (url.startsWith("sqlite:")) {
    return tell("Nothing to do: with an embedded database, the server finishes an upgrade at startup");
  }
  const applied = await finishUpgrade(url);
  tell(applied.length === 0 ? "Nothing to do" : `Finished the upgrade: applied ${applied.join(", ")}`);
}
