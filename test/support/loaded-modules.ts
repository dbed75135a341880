/** Preloaded by `--import`: notes every module that a program loads, a line each, in the file that LOADED_MODULES names. */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

const file = process.env["LOADED_MODULES"];
registerHooks({
  load(url, context, next) {
    if (file !== undefined) appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
