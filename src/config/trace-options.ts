/** Options of traces; part of `options.ts`. */
import { ConfigError, quote, type GivenOption } from "./given.ts";
import type { Option } from "./option.ts";
import * as values from "./values.ts";

/** A part of a whole. */
const part: values.OptionKind<number> & { value: string } = {
  type: "text",
  value: "RATIO",
  parse({ text, origin }: GivenOption) {
    const number = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
    if (number >= 0 && number <= 1) return number;
    throw new ConfigError(`${origin} is ${quote(text)}; use a number from 0 to 1, such as 0.05`);
  },
};

export const TRACE_OPTIONS = [
  {
    name: "otlp-endpoint",
    ...values.webhook,
    help: "OTLP collector URL (http or https). Traces are sent to URL/v1/traces. Set request headers with OTEL_EXPORTER_OTLP_HEADERS.",
  },
  {
    name: "otlp-sample",
    ...part,
    default: "1",
    help: "Sampling ratio, from 0 to 1. Requests with a traceparent header keep their sampling decision.",
  },
] as const satisfies readonly Option[];
