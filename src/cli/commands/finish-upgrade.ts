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
    return tell("There is nothing to do: a server with an embedded database finishes an upgrade when it starts");
  }
  const applied = await finishUpgrade(url);
  tell(applied.length === 0 ? "There is nothing to do" : `The upgrade is finished: applied ${applied.join(", ")}`);
}
