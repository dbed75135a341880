import { readConfig, type Config } from "../config.ts";
import { describeFailure } from "./failure.ts";
import { openLog, takeWarnings, type ProcessLog } from "./logger.ts";
import { isChild, joinParent, type Parent } from "./parent.ts";
import { takeSupervisor } from "./supervisor.ts";

/**
 * `tessera serve`: starts the server and returns when it answers. From then on SIGTERM and SIGINT end the process, and
 * SIGHUP reads the certificate again. With `--processes`, this process is the parent of those that answer.
 *
 * @throws ConfigError or StartError, one line each, when it must not or cannot start; of a child its parent is told
 */
export async function serve(args: readonly string[]): Promise<void> {
  const parent = isChild() ? joinParent() : undefined;
  const supervisor = takeSupervisor();
  try {
    const config = readConfig(args);
    const processLog = openLog(config.logLevel, config.processes > 1);
    try {
      logWarnings(processLog, parent === undefined ? config.warnings : []);
      const url = await start(config, processLog, parent);
      if (url !== undefined) supervisor?.ready(processLog.log, url);
    } catch (error) {
      // The reason is said in one line elsewhere.
      processLog.log.debug({ err: error }, "startup failed");
      processLog.flush();
      throw error;
    }
  } catch (error) {
    if (parent === undefined) throw error;
    await parent.refuse(describeFailure(error).message);
  }
}

/**
 * Starts the parent of several processes, or one process that answers requests. Only the module that is needed is
 * loaded: either one costs memory.
 *
 * @returns listen URL; undefined when it was stopped before it listened
 */
async function start(config: Config, processLog: ProcessLog, parent: Parent | undefined): Promise<string | undefined> {
  if (parent === undefined && config.processes > 1) {
    const { startProcesses } = await import("./processes.ts");
    return startProcesses(config, processLog);
  }
  const { startProcess } = await import("./start-process.ts");
  return startProcess(config, processLog, parent);
}

function logWarnings(processLog: ProcessLog, warnings: readonly string[]): void {
  for (const warning of warnings) processLog.log.warn(warning);
  takeWarnings(processLog);
}
