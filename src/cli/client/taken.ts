/** A name that is taken: one text and one exit code, whatever the server answers for each kind. */
import { TesseraError, type RequestOptions } from "@tessera-server/client";
import { CliError, EXIT, withCause } from "./exit.ts";
import type { Call } from "./spec.ts";

/** Whether a server refused a name or an ID since something else has it. */
export function isTaken({ status, detail }: TesseraError): boolean {
  // Some kinds answer 500 to clients that know it as that.
  return [400, 409, 422, 500].includes(status) && /already (?:exists|been taken|in use)/i.test(detail);
}

/** The error of a write as it is told: of what is there already it says what that is, all else stays as it is. */
export function toldAsTaken(error: unknown, { words, verb }: Call, { body, query }: RequestOptions = {}): unknown {
  if (!(error instanceof TesseraError)) return error;
  // Written only if it is not there: nobody but the command named that index.
  const isThere = error.status === 409 && verb.name === "create" && query?.["cas"] === "0";
  if (!isThere && !isTaken(error)) return error;
  const named = namedBy(body, words);
  return named === undefined ? error : withCause(new CliError(EXIT.conflict, `${named} already exists`), error);
}

/** Names the object that a body makes, such as `namespace shed`; undefined where it makes several, or has no name. */
function namedBy(body: unknown, words: string): string | undefined {
  const { data, Name, AccessorID, SecretID } = membersOf(body);
  const { type, attributes } = membersOf(data);
  const { name, key } = membersOf(attributes);
  if (typeof type === "string" && typeof (name ?? key) === "string")
    return `${type.replace(/s$/, "").replaceAll("-", " ")} ${String(name ?? key)}`;
  const [noun = ""] = words.split(" ");
  // With both, it is only the server that knows which one is taken.
  const given = Name ?? (SecretID === undefined ? AccessorID : undefined);
  return noun !== "api" && typeof given === "string" ? `${noun.replaceAll("-", " ")} ${given}` : undefined;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
