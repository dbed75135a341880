/** Loaded into a server with `--import`: the sync of the log does nothing, in every thread, and says that all went well. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

fs.fdatasyncSync = () => undefined;
syncBuiltinESMExports();
