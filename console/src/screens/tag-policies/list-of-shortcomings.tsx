/** Workspaces that fall short of the organization's rules for tags. */
import { Text } from "@mantine/core";
import { TesseraError, type ItemOf } from "@tessera-server/client";
import { choicesOf } from "../../kit/filter.ts";
import { A } from "../../kit/link.tsx";
import { v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { ProjectInput, ProjectName } from "../projects/project-input.tsx";
import { RuleInput } from "./rule-input.tsx";
import * as texts from "../../texts/tag-policies.ts";

type Row = ItemOf<"reportTagPolicy">;

/** How a rule can be broken, as the API has it. */
const KINDS = {
  required: texts.kindRequired,
  value: texts.kindValue,
  name: texts.kindName,
  limit: texts.kindLimit,
};

const PATH: NonNullable<List<Row>["path"]> = ({ id }, place) => place.path("workspaces", id);

export const SHORTCOMING_LIST: List<Row> = {
  noun: "tag-policies",
  singular: texts.workspace,
  plural: texts.nonCompliant,
  about: texts.complianceHint,
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
      title: texts.workspaceTitle,
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
      title: texts.violations,
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
      title: texts.violationCount,
      width: "72px",
      align: "end",
      cell: ({ attributes }) => attributes["violation-count"].toLocaleString(),
    },
  ],
  filters: [
    {
      name: "filter[rule]",
      title: texts.rule,
      field: ({ value, onChange }) => <RuleInput value={value} onChange={onChange} />,
    },
    { name: "filter[kind]", title: texts.violation, choices: choicesOf(KINDS) },
    { name: "filter[key]", title: texts.keyOrName, placeholder: texts.keyExample },
    {
      name: "filter[project][id]",
      title: texts.project,
      field: ({ value, onChange }) => <ProjectInput value={value} onChange={onChange} size="xs" isInPortal={false} />,
      shown: (id) => <ProjectName id={id} />,
    },
  ],
  empty: texts.complianceEmptyHint,
};
