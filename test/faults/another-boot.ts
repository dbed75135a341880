/** Loaded into a server with `--import`: it runs, for all it knows, on a machine that is started anew before the next server is. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const read = fs.readFileSync;

fs.readFileSync = ((file: fs.PathOrFileDescriptor, ...rest: []) =>
  file === "/proc/sys/kernel/random/boot_id"
    ? "00000000-0000-4000-8000-000000000001\n"
    : read(file, ...rest)) as typeof fs.readFileSync;
syncBuiltinESMExports();
