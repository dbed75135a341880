/** Reads objects and lists from answers. */
import { TesseraError, type Answer } from "@tessera-server/client";
import { CliError, EXIT, withCause } from "../exit.ts";
import type { Item } from "../output/types.ts";

/** The object that an answer holds, of either family. @throws CliError when it holds none */
export function objectOf({ body }: Answer): Item {
  const value = isRecord(body) && "data" in body && isRecord(body["data"]) ? body["data"] : body;
  if (!isRecord(value))
    throw new CliError(
      EXIT.failed,
      "the response of the server does not contain an object",
      "check that the address is a Tessera server of this version",
    );
  return value;
}

/** The list that an answer holds, of either family. */
export function listOf({ body }: Answer): readonly Item[] {
  const value = isRecord(body) && "data" in body ? body["data"] : body;
  if (!Array.isArray(value))
    throw new CliError(
      EXIT.failed,
      "the response of the server does not contain a list",
      "check that the address is a Tessera server of this version",
    );
  return value as Item[];
}

/** Whether a write found another state than the one that it was for. */
export function isConflict(error: unknown): boolean {
  return error instanceof TesseraError && error.status === 409;
}

/** Whether what was asked for is not there, or may not be seen. */
export function isMissing(error: unknown): boolean {
  return error instanceof TesseraError && error.status === 404;
}

/** Reads the object that a word names. @throws CliError that says which word leads to nothing */
export async function foundAs<T>(noun: string, text: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw withCause(missing(noun, text), error);
  }
}

/** Returns the error for a name that is not found. @param where the place of the search, such as an organization */
export function missing(noun: string, text: string, where?: string): CliError {
  const place = where === undefined ? "" : ` in ${where}`;
  const words = noun.replaceAll("-", " ");
  return new CliError(EXIT.notFound, `${words} ${JSON.stringify(text)} not found${place}, or you may not read it`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list that is there as one that comes. */
export async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
