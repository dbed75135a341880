/** A directory that `dpkg` takes for the root of a system: what it installs, and what its scripts change, lies below. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "./engines.ts";

const FILES: Readonly<Record<string, string>> = {
  "var/lib/dpkg/status": "",
  "etc/passwd": "root:x:0:0:root:/root:/bin/sh\n",
  "etc/group": "root:x:0:\n",
  "etc/shadow": "root:*:19000::::::\n",
  "etc/gshadow": "root:*::\n",
};

/** Scripts run outside of the directory and are told where it is; what the package needs of a system is this one's. */
const OPTIONS = ["--force-script-chrootless", "--force-depends", "--force-confdef"];

export interface DebianRoot {
  path: (...parts: string[]) => string;
  /** @returns what dpkg said @throws Error when it failed */
  dpkg(...args: string[]): string;
  /** Kills dpkg, and what it has started, as soon as it says this. */
  cutAt(words: string, ...args: string[]): Promise<void>;
}

/** Why no packages can be installed here; undefined when they can. */
export function missingDpkg(): string | undefined {
  if (process.getuid?.() !== 0) return "dpkg installs nothing without root";
  return spawnSync("dpkg-deb", ["--version"]).status === 0 ? undefined : "dpkg is not installed";
}

export function makeDebianRoot(): DebianRoot {
  const root = temporaryDirectory();
  for (const folder of ["var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers", "tmp", "var/log"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const all = (args: readonly string[]) => [`--root=${root}`, ...OPTIONS, ...args];
  return {
    path: (...parts) => join(root, ...parts),
    dpkg(...args) {
      const { status, stdout, stderr } = spawnSync("dpkg", all(args), { encoding: "utf8" });
      if (status !== 0) throw new Error(`dpkg ${args.join(" ")} ended with ${status}\n${stdout}${stderr}`);
      return stdout + stderr;
    },
    async cutAt(words, ...args) {
      const child = spawn("dpkg", all(args), { stdio: ["ignore", "pipe", "ignore"], detached: true });
      const ended = once(child, "exit");
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.includes(words) && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      });
      await ended;
      if (!said.includes(words)) throw new Error(`dpkg never said ${words}: ${said}`);
    },
  };
}
