/** Position of the next page of a list of subjects, in the form that clients carry. */
import { AppError } from "../../errors.ts";
import { SUBJECTS, type AccessPlace, type SubjectKind } from "./find.ts";

/** Encodes a position. It contains data that the page has shown and nothing else. */
export function writePlace({ kind, partition, after }: AccessPlace): string {
  return Buffer.from(JSON.stringify([kind, partition, after])).toString("hex");
}

const LONGEST = 2048;

/** @throws AppError `bad_parameter` */
export function openPlace(text: string): AccessPlace | undefined {
  if (text === "") return undefined;
  let read: unknown;
  try {
    read =
      text.length > LONGEST || !/^(?:[0-9a-f]{2})+$/.test(text)
        ? undefined
        : JSON.parse(Buffer.from(text, "hex").toString());
  } catch {
    read = undefined;
  }
  const [kind, partition, after] = Array.isArray(read) ? (read as unknown[]) : [];
  const known = SUBJECTS.find((each): each is SubjectKind => each === kind);
  const isText = typeof partition === "string" && typeof after === "string" && !after.includes("\0");
  if (known !== undefined && isText && after.isWellFormed()) return { kind: known, partition, after };
  throw new AppError("bad_parameter", "Invalid cursor for this list");
}
