/** `npm run check:openapi`: the document of this checkout's server, as JSON and as YAML, through the linter of redocly.yaml. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { fetchDocument } from "../../packages/client/fetch-document.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "tessera-openapi-"));
try {
  const text = await fetchDocument();
  writeFileSync(join(folder, "openapi.json"), text);
  writeFileSync(join(folder, "openapi.yaml"), stringify(JSON.parse(text), { aliasDuplicateObjects: false }));
  const files = ["openapi.json", "openapi.yaml"].map((name) => join(folder, name));
  const linter = join(root, "node_modules/@redocly/cli/bin/cli.js");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [linter, "lint", "--config", join(root, "redocly.yaml"), "--max-problems", "1000", ...files],
    {
      encoding: "utf8",
      // It reports home and looks for its next version otherwise.
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    },
  );
  process.stdout.write(stdout + stderr);
  // Its status tells of errors alone.
  const isClean = status === 0 && !/warning/i.test(stdout + stderr);
  if (!isClean) throw new Error("the document has errors or warnings");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
