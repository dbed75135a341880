import { AppError } from "./errors.ts";

/**
 * Loads a part of the program that few servers need, when it is needed. An upgrade may have taken its file away under a server
 * that goes on from memory until it is started anew.
 *
 * @throws AppError `unavailable` when the part is not there any more
 */
export async function laterPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new AppError("unavailable", "the server was upgraded on disk while it was running. Restart it", {
      cause: error,
    });
  }
}
