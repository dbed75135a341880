/** The list of templated policies. */
import { descriptionColumn, textColumn, titleColumn } from "../../kit/cells.tsx";
import { localOf } from "../../kit/kind.ts";
import { mappedSource } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import type { Template } from "./queries.ts";

type Row = Template & { readonly Name: string };

const PATH: NonNullable<List<Row>["path"]> = ({ TemplateName }, place) =>
  place.path("templated-policies", TemplateName);

export const TEMPLATE_LIST: List<Row> = {
  noun: "templated-policies",
  singular: "templated policy",
  plural: "Templated policies",
  about: "Policies with a gap for a name, which tokens, roles and binding rules fill. They come with the server.",
  belongsTo: "scope",
  source: (place) =>
    mappedSource<Row, Readonly<Record<string, Template>>>(
      place.client,
      "listTemplatedPolicies",
      (body) => Object.values(body).map((template) => ({ ...template, Name: template.TemplateName })),
      localOf<Row>("Name", "Description"),
    ),
  id: ({ TemplateName }) => TemplateName,
  name: ({ TemplateName }) => TemplateName,
  path: PATH,
  columns: [
    titleColumn<Row>({ path: PATH, text: ({ TemplateName }) => TemplateName }),
    descriptionColumn<Row>(),
    textColumn<Row>("Takes", ({ Schema }) => (Schema === "" ? "" : "a name"), { width: "100px" }),
  ],
  empty: "This server has none.",
};
