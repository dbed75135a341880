/** Made before tests that start servers: the program as it is published. */
import { join } from "node:path";
import { PROGRAM_VARIABLE, writeProgram } from "../program.ts";
import { keptFolder } from "./kept.ts";

/** Once a run, whichever project comes first. */
export async function setup(): Promise<void> {
  process.env[PROGRAM_VARIABLE] ??= join(await keptFolder("program", writeProgram), "dist/main.js");
}
