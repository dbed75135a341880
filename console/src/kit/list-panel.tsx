/** Panel beside a list with the details of one row. The list keeps its place, selection and filters. */
import { ActionIcon, Group, Text, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { placeOfObject, usePlace, type Place } from "../base/place.ts";
import { Icon } from "./icons.tsx";
import { oneQuery, type Named } from "./kind.ts";
import { LinkButton } from "./link.tsx";
import type { List } from "./list.ts";
import classes from "./list.module.css";
import { Field, Fields } from "./object-screen.tsx";
import { Refusal } from "./refusal.tsx";
import { ObjectSkeleton } from "./skeletons.tsx";
import { visible } from "./visible.ts";
import * as texts from "../texts/kit-lists.ts";

interface PanelProps<Row> {
  readonly list: List<Row>;
  /** Undefined until the user selects a row, and when the row has left the list. */
  readonly row: Row | undefined;
  close(): void;
}

/** The panel of a row, with a link to its page. */
export function ListPanel<Row>({ list, row, close }: PanelProps<Row>) {
  const place = usePlace();
  const path = row && list.path?.(row, place);
  return (
    <section className={classes.panel} aria-label={texts.panel}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <h2 className={classes.panelTitle}>{row === undefined ? texts.panel : visible(list.name(row))}</h2>
        <Group gap={4} wrap="nowrap">
          {path !== undefined && (
            <LinkButton to={path} variant="default" size="compact-sm">
              {texts.openPage}
            </LinkButton>
          )}
          <Tooltip label={texts.hidePanel}>
            <ActionIcon variant="subtle" color="gray" aria-label={texts.hidePanel} onClick={close}>
              <Icon name="close" />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      {row === undefined ? (
        <Text size="sm" c="dimmed" mt="sm">
          {texts.panelEmpty}
        </Text>
      ) : (
        <div className={classes.panelBody} key={list.id(row)}>
          {contentOf(list, row, place)}
        </div>
      )}
    </section>
  );
}

/** In a list of all namespaces, the page of an object has another place than the list: its columns are shown. */
function contentOf<Row>(list: List<Row>, row: Row, place: Place): ReactNode {
  if (list.panel !== undefined && (list.belongsTo === "organization" || place.scope.namespace !== "*"))
    return list.panel(row, place);
  return (
    <Fields>
      {list.columns.map((column) => (
        <Field key={column.id} name={column.title}>
          {column.cell(row, place)}
        </Field>
      ))}
    </Fields>
  );
}

interface ReadProps<T> {
  readonly named: Named<T>;
  readonly row: { readonly Namespace?: string | undefined };
  /** Key of the object in the API. */
  readonly id: string;
  children(object: T): ReactNode;
}

/** Reads the object of a row, for lists whose rows do not contain the whole object. */
export function ObjectOfRow<T>({ named, row, id, children }: ReadProps<T>) {
  const query = useQuery(oneQuery(named, placeOfObject(usePlace(), row), id));
  if (query.data !== undefined) return children(query.data);
  return query.isError ? <Refusal error={query.error} retry={() => void query.refetch()} /> : <ObjectSkeleton />;
}
