import type { Change } from "../feed.ts";

/** A write of some node, as it is told to the others. */
export interface ToldCommit {
  partition: string;
  index: number;
  /** Undefined when they were too many to tell: anything in the partition may have changed. */
  changes: readonly Change[] | undefined;
}

export interface FeedMessage {
  /** Who sends it; nodes pass over what they sent themselves. */
  node: string;
  commits: readonly ToldCommit[];
}

/** PostgreSQL takes payloads of less than 8,000 bytes. */
const PAYLOAD_BYTES = 7999;

/**
 * The payload of a NOTIFY.
 *
 * @returns undefined when it is too long even without naming the changes; the others then find out by polling
 */
export function encodeMessage({ node, commits }: FeedMessage): string | undefined {
  const whole = encode(node, commits);
  if (whole !== undefined) return whole;
  return encode(
    node,
    commits.map(({ partition, index }) => ({ partition, index, changes: undefined })),
  );
}

function encode(node: string, commits: readonly ToldCommit[]): string | undefined {
  const text = JSON.stringify({
    node,
    commits: commits.map(({ partition, index, changes }) => ({
      partition,
      index,
      changes: changes?.map(({ table, namespace, key }) => [table, namespace, key]),
    })),
  });
  return Buffer.byteLength(text) > PAYLOAD_BYTES ? undefined : text;
}

/**
 * Reads a payload. Anybody who may connect to the database may send one, and a
 * node of another version may send another shape.
 *
 * @returns undefined for what no node of this version sent
 */
export function decodeMessage(payload: string): FeedMessage | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (!isRecord(parsed) || typeof parsed["node"] !== "string" || !Array.isArray(parsed["commits"])) return undefined;
  const commits = parsed["commits"].map(decodeCommit);
  return commits.every((commit) => commit !== undefined) ? { node: parsed["node"], commits } : undefined;
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
