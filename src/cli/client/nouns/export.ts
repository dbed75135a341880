import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exportServer } from "../../../declared/export.ts";
import { inWords, serverOf } from "../declared.ts";
import { usage } from "../exit.ts";
import type { Verb } from "../spec.ts";

/** The server as files. */
export const verb: Verb = {
  name: "export",
  summary: "Write what a server has as a directory of files, which plan and apply read.",
  description:
    "All that the token may see: access control of every namespace, and organizations with their tags. Secrets are not written: the files name variables that are to hold them. Tokens of logins, and what the server makes itself, are left out.",
  operations: [],
  args: [{ name: "directory", help: "To write to; it must be empty, or not there yet.", complete: "file" }],
  flags: [
    { name: "force", help: "Write over files of the same names. Others stay." },
    { name: "parallel", value: "N", help: "Requests at once; 8 when left out." },
  ],
  examples: ["tessera export access/"],
  async run(call) {
    const directory = call.arg("directory");
    if (!call.isSet("force") && existsSync(directory) && readdirSync(directory).length > 0) {
      throw usage(`${directory} is not empty`, "give another one, or --force");
    }
    const server = await serverOf(call);
    await call.out.progress("reading…");
    const { files, objects, secrets } = await inWords(() => exportServer(server));
    if (call.flags.dryRun === true) {
      await call.out.text(
        files
          .map(({ path }) => `${path}\n`)
          .toSorted()
          .join(""),
      );
      return;
    }
    for (const { path, text } of files) {
      const file = join(directory, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    await call.out.note(`${objects} objects are in ${files.length} files in ${directory}.`);
    if (secrets.length === 0) return;
    await call.out.warn(`Secrets are not in them. To apply the files, set: ${[...new Set(secrets)].join(", ")}`);
  },
};
