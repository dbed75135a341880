/** The list of templated policies. */
import { descriptionColumn, textColumn, titleColumn } from "../../kit/cells.tsx";
import { choicesOf } from "../../kit/filter.ts";
import { localOf } from "../../kit/kind.ts";
import { mappedSource } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import type { Template } from "./queries.ts";
import * as texts from "../../texts/templated-policies.ts";
import { screenNames } from "../../texts/names.ts";

type Row = Template & { readonly Name: string };

const PATH: NonNullable<List<Row>["path"]> = ({ TemplateName }, place) =>
  place.path("templated-policies", TemplateName);

/** Kinds of rules that templates have. */
const KINDS = ["acl", "agent", "key", "mesh", "node", "query", "service"];

export const TEMPLATE_LIST: List<Row> = {
  noun: "templated-policies",
  singular: texts.singular,
  plural: screenNames.templatedPolicies.plural,
  about: texts.about,
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
    textColumn<Row>(texts.resources, ({ Template: text }) => kindsIn(text).join(", "), {
      id: "about",
      width: "minmax(120px, 1fr)",
      filter: { by: "about", values: ({ Template: text }) => kindsIn(text).map((value) => ({ value })) },
    }),
    textColumn<Row>(texts.variable, ({ Schema }) => (Schema === "" ? "" : texts.variableName), {
      id: "takes",
      width: "100px",
      filter: { by: "takes", values: ({ Schema }) => [{ value: Schema === "" ? "nothing" : "name" }] },
    }),
  ],
  filters: [
    {
      name: "about",
      title: texts.resources,
      choices: choicesOf(Object.fromEntries(KINDS.map((kind) => [kind, kind]))),
      fits: ({ Template: text }, kind) => kindsIn(text).includes(kind),
    },
    {
      name: "takes",
      title: texts.variable,
      choices: choicesOf({ name: texts.variableName, nothing: texts.variableNone }),
      fits: ({ Schema }, what) => (Schema === "") === (what === "nothing"),
    },
  ],
  empty: texts.emptyHint,
};

/** Kinds of which the rules of a template are, such as `service`. */
function kindsIn(rules: string): readonly string[] {
  const found = [...rules.matchAll(/^([a-z]+)(?:_prefix)? *(?:"|=)/gm)].map(([, kind = ""]) => kind);
  return [...new Set(found)].sort();
}
