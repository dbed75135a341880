/** Loaded into a node in front of the program, by `node --import`: at SIGUSR2 its wall clock jumps to what a file says. */
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { CLOCK_VARIABLE } from "./clock-variable.ts";

const file = process.env[CLOCK_VARIABLE] ?? "";
const real = Date.now;
let offset = 0;

// Date is what a program sees of the system's clock; timers and the monotonic clock stay as they are.
Date.now = () => real() + offset;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [target.now()] : given, made) as Date,
});
if (isMainThread) process.on("SIGUSR2", () => (offset = Number(readFileSync(file, "utf8"))));
