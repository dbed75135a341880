/**
 * Makes every artefact of a release, of the checkout that this file lies in: `node packaging/release/make.ts FOLDER`. The same commit
 * gives the same bytes, in whatever folder and time zone: everything is dated by `SOURCE_DATE_EPOCH`.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { makeContext } from "../container.ts";
import { makeDeb } from "../deb.ts";
import { packFolder, sumOf } from "./archive.ts";
import { billOfMaterials } from "./bill.ts";
import { settleImage } from "./image.ts";

const root = resolve(import.meta.dirname, "../..");

/** Makes them. @param target an empty folder @param epoch seconds since 1970, of the commit @throws Error when one cannot be made */
async function makeAll(target: string, epoch: number): Promise<void> {
  // Files from git and the build must be readable by all users, whatever the umask of the releaser is.
  process.umask(0o022);
  mkdirSync(target, { recursive: true });
  run("npm", "run", "--silent", "package");
  run("npm", "run", "--silent", "package:client");
  for (const name of readdirSync(join(root, "dist")).filter((each) => each.endsWith(".tgz"))) {
    cpSync(join(root, "dist", name), join(target, name));
  }
  const program = join(root, "dist/package");
  const { version } = JSON.parse(readFileSync(join(program, "package.json"), "utf8")) as { version: string };
  const node = join(root, `node_modules/node-linux-${process.arch}/bin/node`);
  await makeDeb({ version, program, node, target, epoch: String(epoch) });
  const context = join(root, "dist/container");
  makeContext({ program, node, target: context });
  packFolder(context, ["."], join(target, `tessera-container-${version}-${process.arch}.tar.gz`), epoch);
  makeImage(context, target, `tessera-image-${version}-${process.arch}.tar.gz`, epoch);
  packFolder(join(root, "deploy"), ["helm"], join(target, `tessera-${version}.tgz`), epoch, "s,^helm,tessera,");
  writeFileSync(join(target, `tessera-${version}.cdx.json`), billOfMaterials(root, epoch));
  const names = readdirSync(target).toSorted();
  writeFileSync(join(target, "SHA256SUMS"), names.map((name) => `${sumOf(join(target, name))}  ${name}\n`).join(""));
}

/** Makes the image of the context, and its digest, where there is a buildah that may build here; nothing else. */
function makeImage(context: string, target: string, name: string, epoch: number): void {
  const may = process.env["TESSERA_RELEASE_IMAGE"] !== "off" && process.getuid?.() === 0;
  if (!may || spawnSync("buildah", ["--version"]).status !== 0) return;
  const store = mkdtempSync(join(tmpdir(), "tessera-store-"));
  try {
    const places = ["--storage-driver", "vfs", "--root", join(store, "root"), "--runroot", join(store, "run")];
    const build = ["bud", "--quiet", "--format", "docker", "--isolation", "chroot", "--timestamp", String(epoch)];
    run("buildah", ...places, ...build, "--tag", "tessera", context);
    const image = join(store, "tessera-image");
    run("buildah", ...places, "push", "--quiet", "tessera", `dir:${image}`);
    writeFileSync(join(target, "image-digest.txt"), `${settleImage(image)}\n`);
    packFolder(store, ["tessera-image"], join(target, name), epoch);
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}

function run(command: string, ...args: string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${basename(command)} ${args.join(" ")} failed`, { cause: error });
}

const [target] = process.argv.slice(2);
const epoch = Number(process.env["SOURCE_DATE_EPOCH"]);
if (target === undefined || existsSync(target) || !Number.isSafeInteger(epoch)) {
  throw new Error("node packaging/release/make.ts FOLDER, which must not exist, with SOURCE_DATE_EPOCH set");
}
await makeAll(resolve(target), epoch);
