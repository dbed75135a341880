import { readConfig } from "../config.ts";
import { finishUpgrade } from "../storage/postgres/finish-upgrade.ts";

/**
 * `tessera finish-upgrade`: the last step of a rolling upgrade, when no server of the older version runs any more.
 *
 * @throws ConfigError or StartError, one line each
 */
export async function finishUpgradeCommand(args: readonly string[]): Promise<void> {
  const { url } = readConfig(args).database;
  if (url.startsWith("sqlite:")) {
    process.stdout.write(
      "There is nothing to do: a server with an embedded database finishes an upgrade when it starts\n",
    );
    return;
  }
  const applied = await finishUpgrade(url);
  process.stdout.write(
    applied.length === 0 ? "There is nothing to do\n" : `The upgrade is finished: applied ${applied.join(", ")}\n`,
  );
}
