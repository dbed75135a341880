/** Options that limit what callers do and how much they keep; part of `options.ts`. */
import type { Option } from "./option.ts";
import { rates } from "./rates.ts";
import * as values from "./values.ts";

export const LIMIT_OPTIONS = [
  {
    name: "rate-limit",
    ...rates,
    help: "Reads and writes a minute of one token, and of one address without a token, which all at once may use up; more are answered 429. 0 for no limit of one. Each process counts by itself, with --threads each thread.",
  },
  {
    name: "rate-limit-per-address",
    ...rates,
    help: "The same of one address with all its tokens, counted beside them; an IPv6 address stands for its network of 64 bits.",
  },
  {
    name: "rate-limit-exempt",
    ...values.choice("none", "management"),
    default: "none",
    help: "management leaves tokens with the policy global-management out of --rate-limit.",
  },
] as const satisfies readonly Option[];
