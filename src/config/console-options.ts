/** Options of the console; part of `options.ts`. */
import type { Option } from "./option.ts";
import * as values from "./values.ts";

export const CONSOLE_OPTIONS = [
  {
    name: "console",
    ...values.choice("on", "off"),
    default: "on",
    help: "off: disable /ui, console sessions and the redirect from /.",
  },
  {
    name: "console-methods",
    ...values.choice("on", "off"),
    default: "on",
    help: "off: do not list auth methods on the sign-in page. Users type the name.",
  },
  {
    name: "impact-reason",
    ...values.limit,
    default: "100",
    help: "Prompt for a reason when a change affects more than this number of tokens, roles and binding rules. 0: never.",
  },
] as const satisfies readonly Option[];
