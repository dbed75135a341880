import { pipeline, type Readable } from "node:stream";
import { constants, createGzip, gzip, gzipSync } from "node:zlib";

/** Smaller answers are sent as they are, as clients know it. */
export const MIN_GZIP_BYTES = 1400;

/** Up to here, packing in place costs less than handing it to another thread. */
const MAX_SYNC_BYTES = 32 * 1024;

const OPTIONS = { level: constants.Z_BEST_SPEED };

/** Whether an `Accept-Encoding` header takes gzip; only its own name counts, with a weight above zero. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header === "gzip") return true;
  for (const part of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    if (coding !== "gzip") continue;
    return !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  }
  return false;
}

/** Packs a whole answer and calls back with it. */
export function compress(payload: string | Buffer, done: (error: Error | null, packed?: Buffer) => void): void {
  if (payload.length > MAX_SYNC_BYTES) gzip(payload, OPTIONS, done);
  else done(null, gzipSync(payload, OPTIONS));
}

/** Packs an answer while it is being made; a failure on either side ends both. */
export function compressStream(payload: NodeJS.ReadableStream): Readable {
  const packer = createGzip(OPTIONS);
  pipeline(payload, packer, () => {});
  return packer;
}
