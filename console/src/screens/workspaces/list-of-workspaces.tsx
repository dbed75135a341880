/** The workspaces of an organization. */
import { Badge, Group, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { A } from "../../kit/link.tsx";
import { v2Source } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import { ProjectInput, ProjectName } from "../projects/project-input.tsx";
import { BY_NO_VALUE, byKeys, byTags } from "./filters.tsx";
import type { WorkspaceRow } from "./queries.ts";
import { later } from "../../kit/later.tsx";
import { visible } from "../../kit/visible.ts";
import * as texts from "../../texts/workspaces.ts";
import { screenNames } from "../../texts/names.ts";

const ByFilter = later(async () => (await import("./by-filter.tsx")).ByFilter);
const BulkWorkspaces = later(async () => (await import("./bulk.tsx")).BulkWorkspaces);

/** Tags that a row shows. */
const MOST = 4;
/** A workspace has thousands of characters: twenty are less than 100 kB. */
const SIZE = 20;

const PATH: NonNullable<List<WorkspaceRow>["path"]> = ({ id }, place) => place.path("workspaces", id);

export const WORKSPACE_LIST: List<WorkspaceRow> = {
  noun: "workspaces",
  singular: screenNames.workspaces.workspace,
  plural: screenNames.workspaces.workspaces,
  about: texts.listHint,
  belongsTo: "organization",
  whole: { resource: "organization", access: "read" },
  source: (place) =>
    v2Source(
      place.client,
      "listWorkspaces",
      { organization_name: place.organization ?? "" },
      { "page[size]": SIZE },
      "search[name]",
    ),
  id: ({ id }) => id,
  name: ({ attributes }) => attributes.name,
  path: PATH,
  columns: [
    {
      id: "name",
      title: texts.name,
      sort: "name",
      width: "minmax(150px, 1.2fr)",
      isNarrow: true,
      cell: (row, place) => (
        <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
          {row.attributes.name}
        </A>
      ),
    },
    {
      id: "tags",
      title: texts.tags,
      width: "minmax(150px, 2fr)",
      isNarrow: true,
      filter: {
        by: "search[tags]",
        // A name with a comma cannot be in the parameter, which separates names by commas.
        values: ({ attributes }) =>
          attributes["tag-names"].filter((name) => !name.includes(",")).map((name) => ({ value: name })),
      },
      cell: ({ attributes }) => <TagNames names={attributes["tag-names"]} />,
    },
    {
      id: "changed",
      title: texts.changedAt,
      sort: "latest-change-at",
      width: "130px",
      cell: ({ attributes }) => <Time value={attributes["latest-change-at"]} />,
    },
    {
      id: "created",
      title: texts.created,
      sort: "created-at",
      width: "130px",
      isHidden: true,
      cell: ({ attributes }) => <Time value={attributes["created-at"]} />,
    },
  ],
  filters: [
    {
      name: "search[wildcard-name]",
      title: texts.namePattern,
      short: texts.name,
      placeholder: texts.namePatternExample,
    },
    byTags("search[tags]", texts.withTag),
    byTags("search[exclude-tags]", texts.withoutTag),
    byKeys(texts.effectiveKey),
    BY_NO_VALUE,
    {
      name: "filter[project][id]",
      title: texts.project,
      field: ({ value, onChange }) => <ProjectInput value={value} onChange={onChange} size="xs" isInPortal={false} />,
      shown: (id) => <ProjectName id={id} />,
    },
  ],
  create: { path: "workspaces/new", right: { resource: "organization", access: "write" } },
  tools: () => <ByFilter />,
  bulk: (selection) => <BulkWorkspaces selection={selection} />,
  empty: texts.emptyHint,
};

function TagNames({ names }: { names: readonly string[] }) {
  const isNarrow = useMediaQuery("(max-width: 48em)");
  if (names.length === 0)
    return (
      <Text span inherit c="dimmed">
        –
      </Text>
    );
  const shown = names.slice(0, isNarrow ? 1 : MOST);
  return (
    <Group gap={4} wrap="nowrap" style={{ overflow: "hidden" }}>
      {shown.map((name) => (
        <Badge key={name} maw={isNarrow ? 104 : 160} title={name} miw={36}>
          <bdi>{visible(name)}</bdi>
        </Badge>
      ))}
      {names.length > shown.length && (
        <Text span size="xs" c="dimmed">
          +{names.length - shown.length}
        </Text>
      )}
    </Group>
  );
}
