import { pino, type Logger } from "pino";
import type { Config } from "../config.ts";

/** Lines kept in memory while standard output does not take them; beyond this, new ones are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Lines are written together: each by itself would be a call of the system for each request (docs/performance.md). */
const CHUNK_BYTES = 8 * 1024;
const FLUSH_MS = 50;

/** A pipe takes so many bytes from one writer in one piece (`PIPE_BUF` of Linux); more may end up between another's. */
const WHOLE_BYTES = 4096;

export interface ProcessLog {
  log: Logger;
  /** Writes out what is still buffered; for the end of the process. */
  flush(): void;
}

/**
 * The log of the process: JSON lines on standard output, written without making requests wait.
 *
 * @param isShared whether other processes write to the same output: each line then names its process, and lines that a pipe takes in
 * one piece are never torn
 */
export function openLog(level: Config["logLevel"], isShared = false): ProcessLog {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    maxLength: MAX_BUFFERED_BYTES,
    periodicFlush: FLUSH_MS,
    ...(isShared ? { minLength: WHOLE_BYTES / 2, maxWrite: WHOLE_BYTES } : { minLength: CHUNK_BYTES }),
  });
  const log = pino(
    {
      level,
      base: isShared ? { pid: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
    },
    destination,
  );
  return { log, flush: () => destination.flushSync() };
}

/** Makes warnings of libraries lines of the log like any other, not text in between. */
export function takeWarnings({ log }: ProcessLog): void {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn(warning.message));
}

/** Only these members: drivers hang statements, values and connection settings on their errors. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    type: error.name,
    message: error.message,
    code: "code" in error ? error.code : undefined,
    stack: error.stack,
    cause: error.cause === undefined ? undefined : serializeError(error.cause),
  };
}
