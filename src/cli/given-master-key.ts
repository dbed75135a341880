import type { Config } from "../config.ts";
import { runKeyCommand } from "../storage/keys/key-command.ts";

/** The master key of `--key-command`; undefined where a file has it. @throws StartError when the command gives none */
export async function givenMasterKey({ keyCommand }: Pick<Config, "keyCommand">): Promise<Buffer | undefined> {
  return keyCommand === undefined ? undefined : runKeyCommand(keyCommand, "--key-command");
}
