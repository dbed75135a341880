/**
 * Places in lists of records as cursors hold them: sealed, since a record's number and its chain would tell who sees a part of
 * them how much there is of the rest.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual, type KeyObject } from "node:crypto";
import { AppError } from "../errors.ts";
import type { AuditPlace } from "./record.ts";

const IV_BYTES = 16;

/** @param keys of the database, so that a cursor counts at every server */
export function createPlaces(keys: { derive(purpose: string): KeyObject }) {
  const secret = keys.derive("audit places");
  const key = Buffer.from(hkdfSync("sha256", secret, "", "cipher", 32));
  // The same for the same text: it says no more than that a cursor is the one that was given before.
  const ivOf = (text: string) => createHmac("sha256", secret).update(text).digest().subarray(0, IV_BYTES);

  /** In hexadecimal, as cursors have to be. */
  function seal({ at, chain, seq }: AuditPlace): string {
    const text = `${Date.parse(at)}/${seq}/${chain}`;
    const iv = ivOf(text);
    const cipher = createCipheriv("aes-256-ctr", key, iv);
    return Buffer.concat([iv, cipher.update(text), cipher.final()]).toString("hex");
  }

  /** @throws AppError `bad_parameter` */
  function open(sealed: string): AuditPlace | undefined {
    if (sealed === "") return undefined;
    const bytes = Buffer.from(sealed, "hex");
    if (bytes.length <= IV_BYTES || bytes.toString("hex") !== sealed) throw noCursor();
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv("aes-256-ctr", key, iv);
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString();
    if (!timingSafeEqual(iv, ivOf(text))) throw noCursor();
    const [milliseconds = "", seq = "", ...chain] = text.split("/");
    return { at: new Date(Number(milliseconds)).toISOString(), seq: Number(seq), chain: chain.join("/") };
  }

  return { seal, open };
}

function noCursor(): AppError {
  return new AppError("bad_parameter", "Invalid cursor for this list");
}
