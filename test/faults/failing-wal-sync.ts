/** Loaded into a server with `--import`: the sync of the log fails from the moment on that a file appears. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const sign = process.env["LOG_SYNC_FAILS_WHEN"] ?? "";
const sync = fs.fdatasyncSync;

fs.fdatasyncSync = (file: number) => {
  if (fs.existsSync(sign)) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
  sync(file);
};
syncBuiltinESMExports();
