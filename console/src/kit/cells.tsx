/** Columns that several lists have. */
import { Badge, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { placeOfObject } from "../base/place.ts";
import { CopyButton } from "./copy.tsx";
import { choicesOf, type Filter } from "./filter.ts";
import type { Named } from "./kind.ts";
import { A } from "./link.tsx";
import type { Column, List } from "./list.ts";
import { visible } from "./visible.ts";
import * as texts from "../texts/kit-lists.ts";

/** The path of a row of a kind. */
export function rowPath<Row extends { Namespace?: string | undefined }>(
  named: Pick<Named<Row>, "noun"> & { key(row: Row): string },
): NonNullable<List<Row>["path"]> {
  return (row, place) => placeOfObject(place, row).path(named.noun, named.key(row));
}

interface Titled<Row> {
  readonly title?: string;
  readonly sort?: string;
  readonly path: NonNullable<List<Row>["path"]>;
  text(row: Row): string;
  marks?(row: Row): ReactNode;
}

/** Column with the title of the row as a link to its page, followed by its marks. */
export function titleColumn<Row>({ title = texts.name, sort = "Name", path, text, marks }: Titled<Row>): Column<Row> {
  return {
    id: title.toLowerCase(),
    title,
    sort,
    width: "minmax(140px, 1.2fr)",
    isNarrow: true,
    cell: (row, place) => (
      <Group gap={6} wrap="nowrap">
        <A to={path(row, place)} fw={550} truncate tabIndex={-1}>
          {text(row)}
        </A>
        {marks?.(row)}
      </Group>
    ),
  };
}

/** A text of the row. */
export function textColumn<Row>(
  title: string,
  text: (row: Row) => string | undefined,
  more: Partial<Column<Row>> = {},
): Column<Row> {
  return {
    id: title.toLowerCase().replaceAll(" ", "-"),
    title,
    width: "minmax(120px, 1fr)",
    cell: (row) => {
      const value = text(row);
      if (value !== undefined && value !== "") return visible(value);
      return (
        <Text span inherit c="dimmed">
          –
        </Text>
      );
    },
    ...more,
  };
}

/** Column with the description, which the list can sort by. */
export function descriptionColumn<Row extends { Description?: string }>(): Column<Row> {
  return textColumn(texts.description, ({ Description }) => Description, {
    sort: "Description",
    width: "minmax(140px, 2fr)",
    isNarrow: true,
  });
}

/** The beginning of its ID, to be copied whole. */
export function idColumn<Row extends { ID: string }>(): Column<Row> {
  return {
    id: "id",
    title: texts.id,
    width: "120px",
    cell: ({ ID }) => <ShortId id={ID} />,
  };
}

/** The namespace, for lists of all of them. */
export function namespaceColumn<Row extends { Namespace?: string }>(): Column<Row> {
  return textColumn(texts.namespace, ({ Namespace }) => Namespace ?? "default", { width: "120px", isHidden: true });
}

/** Column with the index of the last change, to find recent changes. */
export function indexColumn<Row extends { ModifyIndex: number }>(): Column<Row> {
  return {
    id: "index",
    title: texts.index,
    sort: "ModifyIndex",
    width: "90px",
    align: "end",
    isHidden: true,
    cell: ({ ModifyIndex }) => ModifyIndex,
  };
}

/** An ID, short and to be copied. */
export function ShortId({ id }: { id: string }) {
  return (
    <Group gap={2} wrap="nowrap">
      <Text span className="mono" title={id}>
        {id.slice(0, 8)}
      </Text>
      <CopyButton value={id} what={texts.copiedId} />
    </Group>
  );
}

/** An ID in full, to be copied. */
export function WholeId({ id }: { id: string }) {
  return (
    <Group gap={4}>
      <Text span className="mono" size="xs" style={{ overflowWrap: "anywhere" }}>
        {id}
      </Text>
      <CopyButton value={id} what={texts.copiedId} />
    </Group>
  );
}

/** Marks what the server has of itself, and what is on its way out. */
export function BuiltIn() {
  return <Badge flex="none">{texts.builtIn}</Badge>;
}

export function Leaving() {
  return (
    <Badge flex="none" color="red" variant="outline" c="var(--mantine-color-error)">
      {texts.beingDeleted}
    </Badge>
  );
}

/** Filters by whether it is on its way out. */
export function byLeaving<Row extends { DeletedAt?: string | undefined }>(): Filter<Row> {
  return {
    name: "state",
    title: texts.state,
    choices: choicesOf({ staying: texts.notBeingDeleted, leaving: texts.beingDeleted }),
    fits: ({ DeletedAt }, state) => (DeletedAt === undefined) === (state === "staying"),
  };
}

/** Whether the server made it itself, by its ID. */
export function isBuiltIn({ ID }: { ID: string }): boolean {
  return ID.startsWith("00000000-0000-0000-0000-");
}
