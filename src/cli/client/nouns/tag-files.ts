/** Tags as files: export and import. */
import { createReadStream } from "node:fs";
import { fullTextOfFile } from "../body.ts";
import { usage } from "../exit.ts";
import { objectOf } from "../kit/answers.ts";
import { followJob, NO_WAIT } from "../kit/jobs.ts";
import { at, plain } from "../output/values.ts";
import type { Verb } from "../spec.ts";

const FORMATS = ["ndjson", "csv"] as const;

const exportTags: Verb = {
  name: "export",
  summary: "Export tags, tag keys, tag values and tag policy to stdout.",
  operations: ["exportTags"],
  flags: [{ name: "format", value: "FORMAT", choices: FORMATS, help: "File format. Default: ndjson." }],
  examples: ["tessera tag export > tags.ndjson"],
  async run(call) {
    const query = { format: call.flag("format") };
    const path = { organization_name: call.organization() };
    const response = await call.client.open("exportTags", { path, query, signal: call.io.signal });
    if (response.body === null) return;
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) await call.out.text(part);
  },
};

const importTags: Verb = {
  name: "import",
  summary: "Import the tags of an organization from a file.",
  operations: ["importTags", "readTagJob"],
  args: [{ name: "file", help: "File with JSON lines or CSV. Use - to read stdin.", complete: "file" }],
  flags: [
    {
      name: "format",
      value: "FORMAT",
      choices: FORMATS,
      help: "File format. Default: csv for files that end in .csv, otherwise ndjson.",
    },
    {
      name: "mode",
      value: "MODE",
      choices: ["merge", "replace"],
      help: "merge: add and change. replace: for each object in the file, also remove the tags that the file does not list. Default: merge.",
    },
    NO_WAIT,
  ],
  async run(call) {
    const file = call.arg("file");
    const format = call.flag("format") ?? (file.endsWith(".csv") ? "csv" : "ndjson");
    const text = file === "-" ? await fullTextOfFile(call, file) : await readWhole(file);
    const headers = { "content-type": format === "csv" ? "text/csv" : "application/x-ndjson" };
    const input = { path: { organization_name: call.organization() }, body: text, headers };
    const mode = call.flag("mode");
    const query = mode === undefined ? {} : { mode };
    if (call.flags.dryRun === true || (mode === "replace" && call.flags.yes !== true)) {
      const preview = objectOf(await call.read("importTags", { ...input, query: { ...query, preview: "true" } }));
      if (call.flags.dryRun === true) return call.out.value(preview["attributes"]);
      const count = (name: string) => plain(at(preview, `attributes.${name}`), "0");
      await call.confirm("Replace tags with the contents of the file?", [
        `${count("create")} to create, ${count("change")} to change, ${count("remove")} to remove`,
      ]);
    }
    await followJob(call, objectOf(await call.read("importTags", { ...input, query })));
  },
};

async function readWhole(path: string): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of createReadStream(path)) parts.push(part as Buffer);
  } catch (error) {
    throw usage(`cannot read ${path} (${String((error as NodeJS.ErrnoException).code)})`);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The commands. */
export const tagFileVerbs: readonly Verb[] = [exportTags, importTags];
