/** Proofs that a head or a cut of a chain was stored by a server: who can only write the database cannot make them. */
import { createHmac, type KeyObject } from "node:crypto";
import type { Keyring } from "../storage/keys/sealed.ts";

/** Proven fact about a chain: it had this record at that time. */
export interface ChainMark {
  chain: string;
  seq: number;
  hash: string;
  at: string;
}

export interface ChainMacs {
  /** Returns the MAC of a head: the chain reached this record. */
  head(mark: ChainMark): string;
  /** Returns the MAC of a cut: all records up to this one were pruned. */
  cut(mark: ChainMark): string;
}

/** @param keyring of the database, which gives each of the two a key of its own, so that no head passes for a cut */
export function createChainMacs({ derive }: Pick<Keyring, "derive">): ChainMacs {
  const heads = derive("audit heads");
  const cuts = derive("audit cuts");
  return { head: (mark) => macOf(heads, mark), cut: (mark) => macOf(cuts, mark) };
}

function macOf(key: KeyObject, { chain, seq, hash, at }: ChainMark): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([chain, seq, hash, at]))
    .digest("base64url");
}
