/**
 * Where a stream goes on. Whoever may read the organization is told positions. Others would learn from them how much
 * happens that they may not see, so their cursors are sealed, each in another way.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Keyring } from "../storage/sealed.ts";

export interface Cursor {
  position: number;
  /** Of a sealed one: when it was told, in milliseconds since the epoch. */
  toldAt: number | undefined;
}

export interface Cursors {
  seal(position: number, now: number): string;
  /** @returns undefined for what is no cursor of this organization */
  read(text: string): Cursor | undefined;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PLAIN_BYTES = 16;

/** The cursors of one organization, the same on every server of a database. */
export function createCursors(keyring: Pick<Keyring, "derive">, organization: string): Cursors {
  const key = keyring.derive(`cursor/changes/${organization}`);

  function open(sealed: Buffer): Cursor | undefined {
    if (sealed.length !== NONCE_BYTES + PLAIN_BYTES + TAG_BYTES) return undefined;
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const plain = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      return { position: Number(plain.readBigUInt64BE(0)), toldAt: Number(plain.readBigUInt64BE(8)) };
    } catch {
      return undefined;
    }
  }

  return {
    seal(position, now) {
      const nonce = randomBytes(NONCE_BYTES);
      const plain = Buffer.alloc(PLAIN_BYTES);
      plain.writeBigUInt64BE(BigInt(position), 0);
      plain.writeBigUInt64BE(BigInt(now), 8);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64url");
    },
    read(text) {
      if (!/^\d{1,16}$/.test(text)) return open(Buffer.from(text, "base64url"));
      const position = Number(text);
      return Number.isSafeInteger(position) ? { position, toldAt: undefined } : undefined;
    },
  };
}
