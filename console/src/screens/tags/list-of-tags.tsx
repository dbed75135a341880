/** The pool of an organization's tags. */
import { Badge, Group, Text } from "@mantine/core";
import { CopyButton } from "../../kit/copy.tsx";
import { Icon } from "../../kit/icons.tsx";
import { A, LinkButton } from "../../kit/link.tsx";
import type { ListQuery } from "../../kit/filter.ts";
import { v2Source, type PagedSource } from "../../kit/list-source.ts";
import type { List } from "../../kit/list.ts";
import { Time } from "../../kit/time.tsx";
import type { TagRow } from "./queries.ts";
import { Uses } from "./uses.tsx";
import { later } from "../../kit/later.tsx";
import { visible } from "../../kit/visible.ts";
import * as texts from "../../texts/tags.ts";
import { screenNames } from "../../texts/names.ts";

const BulkTags = later(async () => (await import("./bulk.tsx")).BulkTags);

/** Values that a row shows. */
const MOST = 3;

const PATH: NonNullable<List<TagRow>["path"]> = ({ id }, place) => place.path("tags", id);

export const TAG_LIST: List<TagRow> = {
  noun: "tags",
  singular: texts.tag,
  plural: screenNames.tags.tags,
  about: texts.listHint,
  belongsTo: "organization",
  source: (place) => withValues(v2Source(place.client, "listTags", { organization_name: place.organization ?? "" })),
  id: ({ id }) => id,
  name: ({ attributes }) => attributes.name,
  path: PATH,
  jump: { fields: ["", "name"], text: ({ attributes }) => attributes.name },
  columns: [
    {
      id: "name",
      title: texts.name,
      sort: "name",
      width: "minmax(160px, 2fr)",
      isNarrow: true,
      cell: (row, place) => (
        <A to={PATH(row, place)} fw={550} truncate tabIndex={-1}>
          <bdi>{visible(row.attributes.name)}</bdi>
        </A>
      ),
    },
    {
      id: "count",
      title: texts.workspaces,
      sort: "count",
      width: "minmax(84px, 1fr)",
      isNarrow: true,
      filter: {
        by: "filter[unused]",
        values: ({ attributes }) => [{ value: attributes["instance-count"] === 0 ? "true" : "false" }],
      },
      cell: ({ attributes }) => <Uses count={attributes["instance-count"]} />,
    },
    {
      id: "values",
      title: texts.values,
      width: "minmax(140px, 1.4fr)",
      isHidden: (search) => search["include"] !== "values" && search["filter[key]"] !== "true",
      cell: (row) => <Values row={row} />,
    },
    {
      id: "created",
      title: texts.created,
      sort: "created-at",
      width: "130px",
      cell: ({ attributes }) => <Time value={attributes["created-at"] ?? undefined} none="–" />,
    },
    {
      id: "id",
      title: texts.id,
      width: "220px",
      isHidden: true,
      cell: ({ id }) => (
        <Group gap={2} wrap="nowrap">
          <Text span className="mono" title={id}>
            {id}
          </Text>
          <CopyButton value={id} what={texts.id} />
        </Group>
      ),
    },
  ],
  filters: [
    {
      name: "filter[unused]",
      title: texts.usage,
      short: "",
      choices: [
        { value: "true", label: texts.unused, chip: texts.unusedChip },
        { value: "false", label: texts.used, chip: texts.usedChip },
      ],
    },
    {
      name: "filter[key]",
      title: texts.kind,
      short: "",
      choices: [
        { value: "true", label: texts.tagKeys, chip: texts.tagKeysChip },
        { value: "false", label: texts.flatTags, chip: texts.flatTagsChip },
      ],
    },
    { name: "filter[instance-count][gte]", title: texts.minWorkspaces, placeholder: texts.minWorkspacesExample },
    { name: "filter[instance-count][lte]", title: texts.maxWorkspaces, placeholder: texts.maxWorkspacesExample },
    { name: "include", title: texts.tagValues, choices: [{ value: "values", label: texts.shown }] },
  ],
  create: { path: "tags/new", right: { resource: "organization", access: "write" } },
  tools: (place) => (
    <>
      <LinkButton to={place.path("tags", "alike")} variant="default" leftSection={<Icon name="copy" size={14} />}>
        {screenNames.tags.duplicates}
      </LinkButton>
      <LinkButton to={place.path("tags", "files")} variant="default" leftSection={<Icon name="out" size={14} />}>
        {screenNames.tags.exportAndImport}
      </LinkButton>
    </>
  ),
  bulk: (selection) => <BulkTags selection={selection} />,
  empty: texts.emptyHint,
};

/** Keys come with what they have as values. */
function withValues(source: PagedSource<TagRow>): PagedSource<TagRow> {
  const more = (asked: ListQuery): ListQuery =>
    asked.filters["filter[key]"] === "true" ? { ...asked, filters: { ...asked.filters, include: "values" } } : asked;
  return {
    page: async (asked, cursor, signal) => source.page(more(asked), cursor, signal),
    pageAt: async (asked, text, jump, signal) => source.pageAt(more(asked), text, jump, signal),
  };
}

/** Values of a tag key. The list requests them only when its filter is set to tag keys. */
function Values({ row }: { row: TagRow }) {
  const { values, "value-count": count = 0 } = row.attributes;
  if (values === undefined || values.length === 0)
    return (
      <Text span inherit c="dimmed">
        {values === undefined ? "" : "–"}
      </Text>
    );
  const shown = values.slice(0, MOST);
  return (
    <Group gap={4} wrap="nowrap">
      {shown.map(({ value, count: uses }) => {
        const text = value === "" ? texts.noValue : value;
        return (
          <Badge key={value} maw={140} title={texts.valueUses(text, uses)}>
            {text}
          </Badge>
        );
      })}
      {count > shown.length && (
        <Text span size="xs" c="dimmed">
          +{count - shown.length}
        </Text>
      )}
    </Group>
  );
}
