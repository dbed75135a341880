import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ConfigError, readConfig } from "../config.ts";

it("warns of an environment variable that it does not know, but not of a service link's", () => {
  const env = {
    TESSERA_LISEN: "x",
    TESSERA_ADDR: "http://x",
    TESSERA_TOKEN: "x",
    TESSERA_SERVICE_HOST: "10.0.0.1",
    TESSERA_PORT_80_TCP: "x",
    TESSERA_PORT: "tcp://x",
  };
  expect(readConfig([], env).warnings).toEqual([expect.stringContaining("TESSERA_LISEN")]);
});

it("refuses an option that was removed, in each place and with each value, in one line that says what to do instead", () => {
  const folder = mkdtempSync(join(tmpdir(), "tessera-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "tessera.json");
  const inFile = (threads: unknown) => {
    writeFileSync(file, JSON.stringify({ threads }));
    return ["--config", file];
  };
  const instead = "remove it. For more CPU cores, use PostgreSQL with --processes or several servers";
  const cases: [string, () => unknown][] = [
    ...["4", "auto", "1", "none"].flatMap((value): [string, () => unknown][] => [
      ["--threads", () => readConfig(["--threads", value], {})],
      ["--threads", () => readConfig([`--threads=${value}`], {})],
      ["TESSERA_THREADS", () => readConfig([], { TESSERA_THREADS: value })],
      [`"threads" in ${file}`, () => readConfig(inFile(value), {})],
    ]),
    ["--threads", () => readConfig(["--threads"], {})],
    [`"threads" in ${file}`, () => readConfig(inFile(4), {})],
    ["--threads", () => readConfig(["--database", "postgres://localhost/x", "--threads", "2"], {})],
  ];
  for (const [origin, read] of cases)
    expect(read).toThrow(new ConfigError(`${origin} was removed from the server; ${instead}`));
  // An empty one asks for nothing.
  expect(readConfig([], { TESSERA_THREADS: "" }).warnings).toEqual([expect.stringContaining("TESSERA_THREADS")]);
});
