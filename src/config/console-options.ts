/** Options of the console; part of `options.ts`. */
import type { Option } from "./option.ts";
import * as values from "./values.ts";

export const CONSOLE_OPTIONS = [
  {
    name: "console",
    ...values.choice("on", "off"),
    default: "on",
    help: "off leaves out the console: /ui, its sessions, and the way there from /.",
  },
  {
    name: "console-methods",
    ...values.choice("on", "off"),
    default: "on",
    help: "off keeps the names of auth methods from who has not signed in: the console then asks for the name of one.",
  },
] as const satisfies readonly Option[];
