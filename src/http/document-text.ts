/** Documents with long lists, put in words a group of entries at a time. */
import { createTurns } from "../turns.ts";

/** Entries that are written at once: few enough that the longest ones do not hold the event loop. */
const GROUP = 8;
/** What is so long is handed out as bytes, which all who share it send from the same place. */
const LONG = 64 * 1024;

const writing = createTurns();

/**
 * The JSON text of a document, as JSON.stringify makes it. Where its lists are long, other work comes between their groups,
 * and the text is returned as UTF-8.
 */
export function textOf(document: unknown): Promise<string | Buffer> {
  return writing.run(inGroups(document));
}

function* inGroups(document: unknown): Generator<void, string | Buffer> {
  if (!isRecord(document) || !Object.values(document).some(isLong)) return JSON.stringify(document);
  const done: Buffer[] = [];
  let text = "";
  let mark = "{";
  for (const [key, value] of Object.entries(document)) {
    if (value === undefined) continue;
    text += `${mark}${JSON.stringify(key)}:`;
    mark = ",";
    if (!isLong(value)) {
      text += JSON.stringify(value);
      continue;
    }
    for (let at = 0; at < value.length; at += GROUP) {
      text += (at === 0 ? "[" : ",") + JSON.stringify(value.slice(at, at + GROUP)).slice(1, -1);
      if (text.length < LONG) continue;
      done.push(Buffer.from(text));
      text = "";
      yield;
    }
    text += "]";
  }
  text += "}";
  return done.length === 0 ? text : Buffer.concat([...done, Buffer.from(text)]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > GROUP;
}
