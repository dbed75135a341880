/**
 * Makes a Debian package of what `npm run build` left in `dist/package`, for the kind of processor that this machine has: the program
 * with its own Node.js, the unit, and scripts that make a user and a key. Whoever makes it from the same tree gets the same bytes.
 *
 *     npm run package:deb
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { SCRIPTS } from "../src/cli/client/nouns/completion.ts";
import { manualText } from "./man.ts";

const root = resolve(import.meta.dirname, "..");
const scripts = join(import.meta.dirname, "debian");

export interface DebOptions {
  /** Version of the npm package, such as `1.0.0-rc.1`. */
  version: string;
  /** Folder with `package.json` and `dist/` of the program. */
  program: string;
  /** Path of the Node.js binary in the package. */
  node: string;
  /** The folder that the package is written to. */
  target: string;
  /** `gzip` is read by every dpkg; `none` is fast. */
  compression?: "gzip" | "none";
  /** Seconds since 1970 that every file in it is dated by. */
  epoch?: string;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Debian packages that the program requires, including the C library that its Node.js is linked with. */
const DEPENDS = "libc6 (>= 2.28), libatomic1, libstdc++6 (>= 9), passwd";

/** Path of the completion script in the package, by shell. */
const COMPLETIONS: Readonly<Record<string, string>> = {
  bash: "usr/share/bash-completion/completions/tessera",
  zsh: "usr/share/zsh/vendor-completions/_tessera",
  fish: "usr/share/fish/vendor_completions.d/tessera.fish",
};

const PAPERS = ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE"];

/** Makes the package. @returns its path @throws Error when `dpkg-deb` cannot */
export async function makeDeb(options: DebOptions): Promise<string> {
  const { version, program, node, target, compression = "gzip", epoch = commitTime() } = options;
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined) throw new Error(`there is no Debian package for ${process.arch}`);
  const tree = mkdtempSync(join(tmpdir(), "tessera-deb-"));
  try {
    // Debian takes what stands behind a tilde for older, as npm does with what stands behind a hyphen.
    const debVersion = version.replace("-", "~");
    fill(tree, program, node);
    write(tree, "usr/share/man/man1/tessera.1.gz", gzipSync(await manualText(version, epoch), { level: 9 }));
    control(tree, debVersion, architecture);
    const file = join(target, `tessera_${debVersion}_${architecture}.deb`);
    mkdirSync(target, { recursive: true });
    const args = ["--root-owner-group", `-Z${compression}`, "--build", tree, file];
    const env = { ...process.env, SOURCE_DATE_EPOCH: epoch };
    const { status, stderr, error } = spawnSync("dpkg-deb", args, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`dpkg-deb failed: ${error?.message ?? stderr}`);
    return file;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Copies the files to their paths in the system. */
function fill(tree: string, program: string, node: string): void {
  // The file modes of a checkout may be stricter or less strict.
  process.umask(0o022);
  // The mode of a temporary folder is not suitable for the root of a system.
  chmodSync(tree, 0o755);
  const lib = "usr/lib/tessera";
  put(tree, join(program, "package.json"), `${lib}/package.json`);
  cpSync(join(program, "dist"), join(tree, lib, "dist"), { recursive: true });
  put(tree, node, `${lib}/bin/node`, 0o755);
  put(tree, join(scripts, "tessera"), "usr/bin/tessera", 0o755);
  put(tree, join(root, "deploy/systemd/tessera.service"), "usr/lib/systemd/system/tessera.service");
  put(tree, join(scripts, "config.json"), "etc/tessera/config.json");
  for (const [shell, path] of Object.entries(COMPLETIONS)) write(tree, path, SCRIPTS[shell] ?? "");
  put(tree, join(scripts, "copyright"), "usr/share/doc/tessera/copyright");
  for (const paper of PAPERS) put(tree, join(root, paper), `usr/share/doc/tessera/${paper}`);
  // Made by the build, of what it put into the bundle.
  const licences = join(program, "THIRD-PARTY-LICENSES");
  if (existsSync(licences)) put(tree, licences, "usr/share/doc/tessera/THIRD-PARTY-LICENSES");
}

function write(tree: string, to: string, content: string | Uint8Array): void {
  const path = join(tree, to);
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, content, { mode: 0o644 });
}

function put(tree: string, from: string, to: string, mode = 0o644): void {
  const path = join(tree, to);
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  copyFileSync(from, path);
  chmodSync(path, mode);
}

function control(tree: string, version: string, architecture: string): void {
  const folder = join(tree, "DEBIAN");
  mkdirSync(folder, { mode: 0o755 });
  const lines = {
    Package: "tessera",
    Version: version,
    Architecture: architecture,
    Maintainer: "The authors of Tessera <tessera@tessera-server.example>",
    Section: "admin",
    Priority: "optional",
    Depends: DEPENDS,
    Recommends: "systemd",
    Homepage: "https://github.com/tessera-server/tessera",
    Description:
      "organization tags and access control in one server\n The embedded database needs nothing else; PostgreSQL 14 or newer can be used instead.",
  };
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(join(folder, "control"), text.join(""));
  writeFileSync(join(folder, "conffiles"), "/etc/tessera/config.json\n");
  for (const script of ["postinst", "prerm", "postrm"]) put(tree, join(scripts, script), `DEBIAN/${script}`, 0o755);
}

/**
 * Returns `SOURCE_DATE_EPOCH`, or else the time of the commit, in seconds since 1970. Each build of a commit therefore
 * gives an identical package.
 */
function commitTime(): string {
  const given = process.env["SOURCE_DATE_EPOCH"];
  if (given !== undefined) return given;
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  return stdout.trim() === "" ? "0" : stdout.trim();
}

if (process.argv[1] === import.meta.filename) {
  const program = join(root, "dist/package");
  const { version } = JSON.parse(readFileSync(join(program, "package.json"), "utf8")) as { version: string };
  const node = join(root, `node_modules/node-linux-${process.arch}/bin/node`);
  console.log(await makeDeb({ version, program, node, target: join(root, "dist") }));
}
