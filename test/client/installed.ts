/** The client as people install it: packed, and installed into an empty folder beside a program that uses it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** Everything that the README shows, as one program. */
export function readmeProgram(): string {
  const text = readFileSync(join(root, "packages/client/README.md"), "utf8");
  return Array.from(text.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = ""]) => code).join("\n");
}

/**
 * Packs the client, installs it in a folder below the one that is given, and compiles a program there against its types.
 *
 * @returns the compiled program's file
 * @throws Error with what the compiler says
 */
export function installClient(folder: string, program: string): string {
  run(folder, process.execPath, join(root, "packages/client/pack.ts"), folder);
  const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const home = join(folder, "program");
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), JSON.stringify({ type: "module", private: true }));
  run(home, "npm", "install", "--no-audit", "--no-fund", "--offline", join(folder, tarball));
  writeFileSync(join(home, "program.ts"), program);
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  run(home, join(root, "node_modules/.bin/tsc"), "-p", ".");
  return join(home, "program.js");
}

/** Settings of the compiler with which other people's projects meet the client's types, by a name each. */
export const USERS_SETTINGS: ReadonlyMap<string, { readonly skipLibCheck: boolean }> = new Map(
  [
    { module: "nodenext", lib: ["es2022"] },
    { module: "esnext", moduleResolution: "bundler" },
  ].flatMap((modules) =>
    [true, false].flatMap((exactOptionalPropertyTypes) =>
      [true, false].map((skipLibCheck) => {
        const options = { ...modules, exactOptionalPropertyTypes, skipLibCheck };
        return [JSON.stringify(options), { ...options, target: "es2022", strict: true, noEmit: true }] as const;
      }),
    ),
  ),
);

/**
 * Compiles files beside an installed client by settings of `USERS_SETTINGS`.
 *
 * @param compiler the script of the TypeScript that does it
 * @param typeRoots where the types of Node.js are
 * @throws Error with what the compiler says
 */
export function compileWith(
  home: string,
  options: object,
  files: readonly string[],
  compiler: string,
  typeRoots: string,
): void {
  const compilerOptions = { ...options, types: ["node"], typeRoots: [typeRoots] };
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  run(home, process.execPath, compiler, "-p", ".");
}

/**
 * Runs a command.
 *
 * @returns what it printed
 * @throws Error when it fails, with what it said
 */
export function run(cwd: string, command: string, ...given: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, given, { cwd, encoding: "utf8" });
  if (status !== 0)
    throw new Error(`${command} ${given.join(" ")} ended with ${status}\n${stdout}${stderr}`, { cause: error });
  return stdout;
}
