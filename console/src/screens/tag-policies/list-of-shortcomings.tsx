/** Workspaces that fall short of the organization's rules for tags. */
import { Text } from "@mantine/core";
import { TesseraError, type ItemOf } from "@tessera-server/client";
import { choicesOf } from "../../kit/filter.ts";
import { A } from "../../kit/link.tsx";
import { v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { ProjectInput, ProjectName } from "../projects/project-input.tsx";
import { RuleInput } from "./rule-input.tsx";

type Row = ItemOf<"reportTagPolicy">;

/** How a rule can be broken, as the API has it. */
const KINDS = {
  required: "a key is missing",
  value: "a value is not allowed",
  name: "a name is not allowed",
  limit: "patterns take too long",
};

const PATH: NonNullable<List<Row>["path"]> = ({ id }, place) => place.path("workspaces", id);

export const SHORTCOMING_LIST: List<Row> = {
  noun: "tag-policies",
  singular: "workspace",
  plural: "Workspaces that fall short",
  about: "What the organization’s rules for tags ask for, and these do not have.",
  belongsTo: "organization",
  whole: { resource: "organization", access: "read" },
  source: (place) => {
    const report = v2Source<Row>(place.client, "reportTagPolicy", { organization_name: place.organization ?? "" });
    return {
      async page(asked, cursor, signal) {
        try {
          return await report.page(asked, cursor, signal);
        } catch (error) {
          // An organization without rules has no report, and nobody who falls short.
          if (!(error instanceof TesseraError) || error.status !== 404) throw error;
          return { rows: [], next: undefined, total: undefined, isPartlyHidden: false };
        }
      },
    };
  },
  id: ({ id }) => id,
  name: ({ attributes }) => attributes["workspace-name"],
  path: PATH,
  columns: [
    {
      id: "name",
      title: "Workspace",
      width: "minmax(110px, 1fr)",
      isNarrow: true,
      cell: (row, place) => (
        <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
          {row.attributes["workspace-name"]}
        </A>
      ),
    },
    {
      id: "violations",
      title: "What it breaks",
      width: "minmax(150px, 2fr)",
      isNarrow: true,
      cell: ({ attributes }) => (
        <Text span inherit truncate title={attributes.violations.map(({ detail }) => detail).join("\n")}>
          {attributes.violations.map(({ rule, detail }) => `${rule}: ${detail}`).join("; ")}
        </Text>
      ),
    },
    {
      id: "count",
      title: "Rules",
      width: "72px",
      align: "end",
      cell: ({ attributes }) => attributes["violation-count"].toLocaleString(),
    },
  ],
  filters: [
    {
      name: "filter[rule]",
      title: "Breaks the rule",
      field: ({ value, onChange }) => <RuleInput value={value} onChange={onChange} />,
    },
    { name: "filter[kind]", title: "How", choices: choicesOf(KINDS) },
    { name: "filter[key]", title: "Whole key or name", placeholder: "owner" },
    {
      name: "filter[project][id]",
      title: "Project",
      field: ({ value, onChange }) => <ProjectInput value={value} onChange={onChange} size="xs" isInPortal={false} />,
      shown: (id) => <ProjectName id={id} />,
    },
  ],
  empty: "All workspaces have what the rules ask for, or there are no rules that your token may read.",
};
