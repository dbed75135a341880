/**
 * Makes `dist/container`, the context of `deploy/container/Containerfile`, of what `npm run build` left in `dist/package`. There is no base
 * image: the few libraries that Node.js is linked with are taken out of Debian's packages, whose signatures apt checks.
 *
 *     npm run package:container && buildah bud -t tessera dist/container
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Debian packages with the libraries and the certificates of the authorities. */
const PACKAGES = ["libc6", "libatomic1", "libgcc-s1", "libstdc++6", "ca-certificates"];

/**
 * Files from these packages that Node.js loads: the parts of the C library, the loader, and the libraries that the
 * resolver opens by name.
 */
const LIBRARIES = /\/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|nss_dns|nss_files|gcc_s|atomic|stdc\+\+)\.so\.\d+)$/;

/** Nobody's number on any machine, as images of this kind have it. */
const USERS = "root:x:0:0:root:/:/sbin/nologin\ntessera:x:65532:65532:Tessera:/data:/sbin/nologin\n";
const GROUPS = "root:x:0:\ntessera:x:65532:\n";

/** There is no shell to start it by. */
const COMMAND = '#!/usr/lib/tessera/bin/node\nimport("/usr/lib/tessera/dist/main.js");\n';

export interface ContextOptions {
  /** Folder with `package.json` and `dist/` of the program. */
  program: string;
  node: string;
  target: string;
}

/** Makes the context. @throws Error when apt gives no packages */
export function makeContext({ program, node, target }: ContextOptions): void {
  rmSync(target, { recursive: true, force: true });
  const image = join(target, "rootfs");
  for (const folder of ["data", "rootfs/tmp", "rootfs/etc/ssl/certs", "rootfs/usr/lib/tessera/bin", "rootfs/data"]) {
    mkdirSync(join(target, folder), { recursive: true });
  }
  const { version } = JSON.parse(readFileSync(join(program, "package.json"), "utf8")) as { version: string };
  const steps = readFileSync(join(root, "deploy/container/Containerfile"), "utf8");
  writeFileSync(join(target, "Containerfile"), steps.replaceAll("@VERSION@", version));
  const lib = join(image, "usr/lib/tessera");
  copyFileSync(node, join(lib, "bin/node"));
  chmodSync(join(lib, "bin/node"), 0o755);
  copyFileSync(join(program, "package.json"), join(lib, "package.json"));
  cpSync(join(program, "dist"), join(lib, "dist"), { recursive: true });
  mkdirSync(join(image, "usr/bin"));
  writeFileSync(join(image, "usr/bin/tessera"), COMMAND, { mode: 0o755 });
  writeFileSync(join(image, "etc/passwd"), USERS);
  writeFileSync(join(image, "etc/group"), GROUPS);
  writeFileSync(join(image, "etc/nsswitch.conf"), "hosts: files dns\n");
  takeFromDebian(image);
}

/** Copies libraries, licenses and certificates. `etc/debian-packages` contains the versions of their packages. */
function takeFromDebian(image: string): void {
  const scratch = mkdtempSync(join(tmpdir(), "tessera-image-"));
  try {
    chmodSync(scratch, 0o755);
    run("apt-get", ["download", "-qq", ...PACKAGES], scratch);
    const files = readdirSync(scratch).filter((name) => name.endsWith(".deb"));
    for (const file of files) run("dpkg-deb", ["-x", file, "all"], scratch);
    const all = join(scratch, "all");
    for (const name of readdirSync(all, { recursive: true, encoding: "utf8" })) {
      if (LIBRARIES.test(name) || /^usr\/share\/doc\/[^/]+\/copyright$/.test(name)) place(join(all, name), name, image);
    }
    const authorities = join(all, "usr/share/ca-certificates/mozilla");
    const texts = readdirSync(authorities)
      .toSorted()
      .map((name) => readFileSync(join(authorities, name), "utf8"));
    writeFileSync(join(image, "etc/ssl/certs/ca-certificates.crt"), texts.join(""));
    writeFileSync(join(image, "etc/debian-packages"), `${files.toSorted().join("\n")}\n`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Copies a file into the image, links as files. The loader is also copied to the paths that programs name. */
function place(from: string, name: string, image: string): void {
  const places = basename(name).startsWith("ld-linux")
    ? [name, join("lib64", basename(name)), join("lib", basename(name))]
    : [name];
  for (const each of places) {
    const to = join(image, each);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
    chmodSync(to, 0o755);
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
}

if (process.argv[1] === import.meta.filename) {
  const target = join(root, "dist/container");
  const node = join(root, `node_modules/node-linux-${process.arch}/bin/node`);
  makeContext({ program: join(root, "dist/package"), node, target });
  console.log(target);
}
