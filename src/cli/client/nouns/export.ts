import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exportServer } from "../../../declared/export.ts";
import { inWords, serverOf } from "../declared.ts";
import { usage } from "../exit.ts";
import type { Verb } from "../spec.ts";
import { counted } from "../output/counted.ts";

/** The server as files. */
export const verb: Verb = {
  name: "export",
  summary: "Export the objects of a server to files for plan and apply.",
  description:
    "Exports everything that the token may read: access control of every namespace, and organizations with their tags. Secrets are not exported. The files reference environment variables instead. Login tokens and built-in objects are not exported.",
  operations: [],
  args: [{ name: "directory", help: "Target directory, which must be empty or not exist.", complete: "file" }],
  flags: [
    { name: "force", help: "Overwrite existing files. Other files are kept." },
    { name: "parallel", value: "N", help: "Maximum number of parallel requests. Default: 8." },
  ],
  examples: ["tessera export access/"],
  async run(call) {
    const directory = call.arg("directory");
    if (!call.isSet("force") && existsSync(directory) && readdirSync(directory).length > 0) {
      throw usage(`${directory} is not empty`, "use another directory, or pass --force");
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
    await call.out.note(`Exported ${counted(objects, "object")} to ${counted(files.length, "file")} in ${directory}.`);
    if (secrets.length === 0) return;
    await call.out.warn(`Secrets were not exported. To apply the files, set: ${[...new Set(secrets)].join(", ")}`);
  },
};
