import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const LOGGER = resolve(import.meta.dirname, "logger.ts");
const LINES = 4000;

it("lines of several processes that share an output are whole, also when the pipe is full", () => {
  const program = `import { openLog } from ${JSON.stringify(LOGGER)};
    const { log, flush } = openLog("info", true);
    for (let n = 0; n < ${LINES}; n++) log.info({ n, text: "x".repeat(n % 300) }, "line");
    process.on("exit", flush);`;
  // A pipe of the shell's: what Node makes for a child's output is a socket, which never tears a write of this size.
  const command =
    'w() { "$0" --input-type=module -e "$1"; }; { w "$@" & w "$@" & wait; } | { sleep 1; dd bs=100 2>/dev/null; }';
  const { stdout: text, status } = spawnSync("sh", ["-c", command, process.execPath, program], {
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
  });
  expect(status).toBe(0);
  const lines = text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { pid: number; n: number });
  expect(lines).toHaveLength(2 * LINES);
  expect(new Set(lines.map(({ pid }) => pid)).size).toBe(2);
});
