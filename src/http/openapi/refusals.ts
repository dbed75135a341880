/**
 * Error responses that every request of a family may get are equal for all its operations of one kind. The document
 * contains them once, as their `default` response, with an example for each status. Error responses of only some
 * operations are at those operations.
 */
import { type ResponseObject, type Media, mediasIn, type OpenApi, operationsIn } from "./model.ts";

/** Error statuses of the operations of a family, the longest set first, each with the name of the set. */
const FAMILIES: readonly { prefix: string; sets: readonly (readonly [name: string, ...string[]])[] }[] = [
  {
    prefix: "/api/v2/",
    sets: [
      ["Write", "400", "401", "404", "412", "415", "422", "429", "500", "503"],
      ["Read", "400", "401", "404", "429", "500", "503"],
      ["Open", "400", "429", "500", "503"],
    ],
  },
  { prefix: "/access/v1/", sets: [["Evaluation", "400", "401", "403", "429", "500", "503"]] },
  {
    prefix: "/v1/",
    sets: [
      ["V1Write", "400", "403", "404", "409", "429", "500", "503"],
      ["V1Read", "400", "403", "404", "429", "500", "503"],
    ],
  },
];

/** Puts one answer in the place of those that all such operations of a family have. */
export function gatherRefusals({ paths, components }: OpenApi): void {
  for (const [path, item] of Object.entries(paths)) {
    const sets = FAMILIES.find(({ prefix }) => path.startsWith(prefix))?.sets ?? [];
    for (const { responses } of operationsIn(item)) {
      // An operation without a token is refused with less.
      const set = sets.find(([, ...each]) => each.every((status) => status in responses));
      if (set === undefined) continue;
      const [name, ...statuses] = set;
      const answers = statuses.map((status) => responses[status] as ResponseObject);
      components.responses[name] ??= together(statuses, answers);
      for (const status of statuses) delete responses[status];
      responses["default"] = { $ref: `#/components/responses/${name}` };
    }
  }
}

function together(statuses: readonly string[], answers: readonly ResponseObject[]): ResponseObject {
  const description = statuses.map((status, index) => `${status}: ${answers[index]?.description}`).join(" ");
  const [media] = mediasIn(answers[0] ?? { description });
  const [type = ""] = Object.keys(answers[0]?.content ?? {});
  const examples = Object.fromEntries(
    statuses.map((status, index) => [status, { value: mediasIn(answers[index] as ResponseObject)[0]?.example }]),
  );
  const gathered: Media = { ...(media?.schema === undefined ? {} : { schema: media.schema }), examples };
  return { description, content: { [type]: gathered } };
}
