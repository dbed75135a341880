/** Options of traces; part of `options.ts`. */
import { ConfigError, quote, type GivenOption } from "./given.ts";
import type { Option } from "./option.ts";
import * as values from "./values.ts";

/** A part of a whole. */
const part: values.OptionKind<number> & { value: string } = {
  type: "text",
  value: "PART",
  parse({ text, origin }: GivenOption) {
    const number = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
    if (number >= 0 && number <= 1) return number;
    throw new ConfigError(`${origin} is ${quote(text)}; write a part from 0 to 1, such as 0.05`);
  },
};

export const TRACE_OPTIONS = [
  {
    name: "otlp-endpoint",
    ...values.webhook,
    help: "Send traces to this collector, by OpenTelemetry's protocol over http or https, below /v1/traces. Headers are taken from OTEL_EXPORTER_OTLP_HEADERS.",
  },
  {
    name: "otlp-sample",
    ...part,
    default: "1",
    help: "Part of the requests that are traced, from 0 to 1; of those that come with a traceparent, what that says.",
  },
] as const satisfies readonly Option[];
