/**
 * What every request of a family may be refused with is the same for all its operations: it stands once, as `4XX` and
 * `5XX`, with an example of each status. What only some operations answer stands at those.
 */
import { type Answer, type Media, mediasIn, type OpenApi, operationsIn, type Reference } from "./model.ts";

/** What operations of a family may be refused with, the longest first, and what that is called. */
const FAMILIES: readonly { prefix: string; failed: string; sets: readonly (readonly [name: string, ...string[]])[] }[] =
  [
    {
      prefix: "/api/v2/",
      failed: "Failed",
      sets: [
        ["RefusedWrite", "400", "401", "404", "415", "422"],
        ["RefusedRead", "400", "401", "404", "429"],
        ["Refused", "400", "401", "404"],
      ],
    },
    {
      prefix: "/v1/",
      failed: "V1Failed",
      sets: [
        ["V1RefusedWrite", "400", "403", "404", "409"],
        ["V1RefusedRead", "400", "403", "404", "429"],
        ["V1Refused", "400", "403", "404"],
      ],
    },
  ];

/** Puts one answer in the place of those that all such operations of a family have. */
export function gatherRefusals(document: OpenApi): void {
  for (const [path, item] of Object.entries(document.paths)) {
    const family = FAMILIES.find(({ prefix }) => path.startsWith(prefix));
    if (family === undefined) continue;
    for (const { responses } of operationsIn(item)) {
      // An operation without a token is refused with less.
      const set = family.sets.find(([, ...statuses]) => statuses.every((status) => status in responses));
      if (set !== undefined) gather(document, responses, "4XX", ...set);
      gather(document, responses, "5XX", family.failed, "500", "503");
    }
  }
}

function gather(
  { components }: OpenApi,
  responses: Record<string, Answer | Reference>,
  range: string,
  name: string,
  ...statuses: string[]
): void {
  components.responses[name] ??= together(
    statuses,
    statuses.map((status) => responses[status] as Answer),
  );
  for (const status of statuses) delete responses[status];
  responses[range] = { $ref: `#/components/responses/${name}` };
}

function together(statuses: readonly string[], answers: readonly Answer[]): Answer {
  const description = statuses.map((status, index) => `${status}: ${answers[index]?.description}`).join(" ");
  const [media] = mediasIn(answers[0] ?? { description });
  const [type = ""] = Object.keys(answers[0]?.content ?? {});
  const examples = Object.fromEntries(
    statuses.map((status, index) => [status, { value: mediasIn(answers[index] as Answer)[0]?.example }]),
  );
  const gathered: Media = { ...(media?.schema === undefined ? {} : { schema: media.schema }), examples };
  return { description, content: { [type]: gathered } };
}
