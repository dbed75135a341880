/** The built console: its files, read once, as they are sent. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** A file as it is sent. */
export interface ConsoleFile {
  type: string;
  etag: string;
  /** Whether its name changes with what it holds. */
  isHashed: boolean;
  plain: Buffer;
  /** Packed by gzip; undefined where that saves nothing. */
  packed: Buffer | undefined;
  /** Packed by Brotli, as the build does it for the largest files of the first load; undefined for the others. */
  brotli: Buffer | undefined;
}

export interface ConsoleFiles {
  /** The page that every address of the console is, with where it lies and a nonce put in. */
  page(base: string, nonce: string): string;
  /** A file by its path below `/ui/`. */
  find(path: string): ConsoleFile | undefined;
}

/** In the page, where the path comes that all its links are relative to, and the nonce of its styles. */
const MARKS = { base: "__TESSERA_BASE__", nonce: "__TESSERA_NONCE__" } as const;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Folder of the build whose file names contain a digest. */
const HASHED = "assets/";

/**
 * Reads a built console. What has no type that is known, such as source maps, is left out.
 *
 * @param folder that the build has written
 * @throws Error when there is no page in it, or it lacks its marks
 */
export async function readConsole(folder: string): Promise<ConsoleFiles> {
  const parts = pageParts(readFileSync(join(folder, "index.html"), "utf8"));
  const files = new Map<string, ConsoleFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/");
    const type = TYPES[extname(path)];
    if (entry.isFile() && type !== undefined && path !== "index.html") {
      files.set(path, await load(join(folder, path), type, path.startsWith(HASHED)));
    }
  }
  return {
    page: (base, nonce) =>
      parts.map((part) => (part === MARKS.base ? base : part === MARKS.nonce ? nonce : part)).join(""),
    find: (path) => files.get(path),
  };
}

/** @throws Error */
function pageParts(page: string): string[] {
  for (const mark of Object.values(MARKS)) {
    if (!page.includes(mark)) throw new Error(`the console's page has no ${mark}`);
  }
  return page.split(new RegExp(`(${Object.values(MARKS).join("|")})`));
}

async function load(path: string, type: string, isHashed: boolean): Promise<ConsoleFile> {
  const plain = readFileSync(path);
  const packed = await promisify(gzip)(plain, { level: 9 });
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  const brotli = existsSync(`${path}.br`) ? readFileSync(`${path}.br`) : undefined;
  // Compressed formats, such as fonts, would only grow.
  return { type, etag, isHashed, plain, packed: packed.length < plain.length * 0.9 ? packed : undefined, brotli };
}
