import { createHmac, timingSafeEqual, type KeyObject } from "node:crypto";
import type { TouchedObject } from "../feed/feed.ts";

/** A write of some node, as it is told to the others. */
export interface ToldCommit {
  partition: string;
  index: number;
  /** Undefined when they were too many to tell: anything in the partition may have changed. */
  changes: readonly TouchedObject[] | undefined;
}

export interface FeedMessage {
  /** Name of the node that sends the message; nodes skip their own messages. */
  node: string;
  /** Time of sending by the clock of the database, in milliseconds since the epoch. */
  sent: number;
  commits: readonly ToldCommit[];
}

/** Proof that a node of this database has sent a message. */
export interface FeedSeal {
  /** Key that only the nodes know. */
  key: KeyObject;
  /**
   * Name of the database and of the run of its server: a message from elsewhere, or from before, proves nothing here.
   */
  place: string;
}

/** PostgreSQL takes payloads of less than 8,000 bytes. */
const PAYLOAD_BYTES = 7999;
/** A payload begins with its HMAC-SHA-256 in base64url, as a member that a node of before passes over. */
const MAC_BEGIN = '{"mac":"';
const MAC_LENGTH = 43;
const HEAD_LENGTH = MAC_BEGIN.length + MAC_LENGTH + '",'.length;

/**
 * The payload of a NOTIFY.
 *
 * @returns undefined when it is too long even without naming the changes; the others then find out by polling
 */
export function encodeMessage(message: FeedMessage, seal: FeedSeal): string | undefined {
  const commits = message.commits.map(({ partition, index }) => ({ partition, index, changes: undefined }));
  return encode(message, seal) ?? encode({ ...message, commits }, seal);
}

function encode({ node, sent, commits }: FeedMessage, seal: FeedSeal): string | undefined {
  const text = JSON.stringify({
    node,
    sent,
    commits: commits.map(({ partition, index, changes }) => ({
      partition,
      index,
      changes: changes?.map(({ table, namespace, key }) => [table, namespace, key]),
    })),
  });
  const payload = `${MAC_BEGIN}${macOf(text, seal)}",${text.slice(1)}`;
  return Buffer.byteLength(payload) > PAYLOAD_BYTES ? undefined : payload;
}

function macOf(text: string, { key, place }: FeedSeal): string {
  return createHmac("sha256", key).update(`${place}\n${text}`).digest("base64url");
}

/**
 * Reads a payload. Anybody who may connect to the database may send one, and a
 * node of another version may send another shape.
 *
 * @returns undefined for what no node of this version sent here
 */
export function decodeMessage(payload: string, seal: FeedSeal): FeedMessage | undefined {
  if (!payload.startsWith(MAC_BEGIN)) return undefined;
  const text = `{${payload.slice(HEAD_LENGTH)}`;
  const given = Buffer.from(payload.slice(MAC_BEGIN.length, HEAD_LENGTH - 2));
  const mac = Buffer.from(macOf(text, seal));
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) return undefined;
  return readMessage(text);
}

function readMessage(text: string): FeedMessage | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(parsed) || !Array.isArray(parsed["commits"])) return undefined;
  const { node, sent } = parsed;
  if (typeof node !== "string" || typeof sent !== "number") return undefined;
  const commits = parsed["commits"].map(decodeCommit);
  return commits.every((commit) => commit !== undefined) ? { node, sent, commits } : undefined;
}

function decodeCommit(told: unknown): ToldCommit | undefined {
  if (!isRecord(told)) return undefined;
  const { partition, index, changes } = told;
  if (typeof partition !== "string" || typeof index !== "number" || !Number.isSafeInteger(index)) return undefined;
  if (changes === undefined) return { partition, index, changes };
  if (!Array.isArray(changes) || !changes.every(isNames)) return undefined;
  return {
    partition,
    index,
    changes: changes.map(([table, namespace, key]) => ({ table, namespace, partition, key })),
  };
}

function isNames(change: unknown): change is [string, string, string] {
  return Array.isArray(change) && change.length === 3 && change.every((name) => typeof name === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
