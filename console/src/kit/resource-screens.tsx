/** The page and the forms of a kind of objects of `/api/v2`. */
import { Group, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePlace } from "../base/place.ts";
import { useCommands, useWhy } from "./commands.ts";
import { CopyButton } from "./copy.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { FormScreen, type Edited } from "./form-screen.tsx";
import { OrganizationHistory } from "./history.tsx";
import { Icon } from "./icons.tsx";
import { LinkButton } from "./link.tsx";
import { MoreMenu } from "./more-menu.tsx";
import { ObjectPending } from "./object-pending.tsx";
import { ObjectScreen, type ObjectTab } from "./object-screen.tsx";
import { ORGANIZATION_WRITE, useMay } from "./rights.ts";
import {
  createResourcePlan,
  deleteResourcePlan,
  resourceQuery,
  updateResourcePlan,
  type EditedResource,
  type ReadResource,
  type Resource,
  type ResourceRow,
} from "./resource.ts";
import * as texts from "../texts/kit-objects.ts";

interface PageProps<Row extends ResourceRow, V extends object> {
  readonly resource: Resource<Row, V>;
  /** Key of the object in the API's path. */
  readonly id: string;
  /** Path of its page, below the place. */
  readonly here: readonly string[];
  readonly up: { readonly to: string; readonly title: string };
  readonly marks?: (row: Row) => ReactNode;
  overview(row: Row): ReactNode;
  /** Tabs behind the overview. */
  tabs?(row: Row): readonly ObjectTab[];
  /** Buttons in front of the others. */
  tools?(row: Row): ReactNode;
  /** Whether its name has to be typed before it is deleted. */
  readonly isTyped?: boolean;
  /** Warning in the delete dialog. */
  warning?(row: Row): ReactNode;
}

/** The page of one object: what it is, and what was done to it. */
export function ResourcePage<Row extends ResourceRow, V extends object>(props: PageProps<Row, V>) {
  const { resource, id, up } = props;
  const query = useQuery(resourceQuery(resource.named, usePlace(), id));
  if (query.data === undefined) return <ObjectPending query={query} up={up} />;
  const { row } = query.data;
  return (
    <ObjectScreen
      title={resource.named.title(row)}
      query={query}
      up={up}
      marks={props.marks?.(row)}
      about={
        <Group gap={4}>
          <Text span className="mono" size="xs">
            {resource.recordId(row)}
          </Text>
          <CopyButton value={resource.recordId(row)} what={texts.copiedId} />
        </Group>
      }
      actions={<Actions {...props} read={query.data} />}
      tabs={[
        { id: "overview", title: texts.overviewTab, icon: "eye", content: props.overview(row) },
        ...(props.tabs?.(row) ?? []),
        {
          id: "history",
          title: texts.historyTab,
          icon: "history",
          content: <OrganizationHistory kind={resource.record} id={resource.recordId(row)} />,
        },
      ]}
    />
  );
}

function Actions<Row extends ResourceRow, V extends object>(
  props: PageProps<Row, V> & { readonly read: ReadResource<Row> },
) {
  const { resource, read, here, up, tools, warning } = props;
  const place = usePlace();
  const [isDeleting, { open, close }] = useDisclosure(false);
  const { singular, title } = resource.named;
  const mayWrite = useMay(ORGANIZATION_WRITE);
  const keptBy = resource.keptBy?.(read.row);
  const edit = place.path(...here, "edit");
  const called = texts.named(singular, title(read.row));
  const why = useWhy(place.scope, texts.whoCanChangeCommand(called), resource.why?.(read.row));
  useCommands([
    ...(mayWrite ? [{ title: texts.editCommand(called), icon: "edit", act: edit } as const] : []),
    ...(mayWrite && keptBy === undefined
      ? [{ title: texts.deleteCommand(called), icon: "trash", act: open } as const]
      : []),
    ...why,
  ]);
  return (
    <>
      {tools?.(read.row)}
      {mayWrite && (
        <LinkButton to={edit} leftSection={<Icon name="edit" size={14} />}>
          {texts.edit}
        </LinkButton>
      )}
      {mayWrite && (
        <>
          <MoreMenu>
            {keptBy === undefined ? (
              <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={open}>
                {texts.deleteLabel}
              </Menu.Item>
            ) : (
              <Menu.Item leftSection={<Icon name="trash" />} aria-disabled closeMenuOnClick={false}>
                {texts.deleteLabel}
                <Text size="xs" c="dimmed" maw={240}>
                  {keptBy}
                </Text>
              </Menu.Item>
            )}
          </MoreMenu>
          <DeleteDialog
            what={called}
            isOpen={isDeleting}
            close={close}
            then={up.to}
            plan={deleteResourcePlan(resource, read)}
            typed={props.isTyped === true ? title(read.row) : undefined}
          >
            {warning?.(read.row)}
          </DeleteDialog>
        </>
      )}
    </>
  );
}

interface CreateProps<Row extends ResourceRow, V extends object> {
  readonly resource: Resource<Row, V>;
  readonly up: { readonly to: string; readonly title: string };
  readonly initial?: V;
  /** Returns the path to open next; undefined to stay, such as when a secret is shown first. */
  saved(row: Row, values: V): string | undefined;
}

/** The form of a new one. */
export function ResourceCreate<Row extends ResourceRow, V extends object>(props: CreateProps<Row, V>) {
  const { resource, up, initial = resource.empty, saved } = props;
  const place = usePlace();
  const { singular } = resource.named;
  return (
    <FormScreen
      title={texts.newTitle(singular)}
      about={resource.aboutNew}
      up={up}
      write={ORGANIZATION_WRITE}
      initial={initial}
      validate={(values) => resource.check(values, true)}
      fields={(form) => resource.fields(form, true)}
      {...(resource.secrets === undefined ? {} : { secrets: resource.secrets })}
      members={resource.newMembers ?? resource.members}
      plan={(members) => createResourcePlan(resource, place, members)}
      object={(answer) => ({ name: texts.named(singular, resource.named.title((answer as { data: Row }).data)) })}
      saved={(answer, values) => saved((answer as { data: Row }).data, values)}
      saveLabel={texts.create(singular)}
      failed={texts.createFailed(singular)}
    />
  );
}

interface EditProps<Row extends ResourceRow, V extends object> {
  readonly resource: EditedResource<Row, V>;
  readonly id: string;
  /** Returns the path of its page. The edit may have changed the name in it. */
  here(row: Row): string;
}

/** The form of an edit, which follows what others do to the object. */
export function ResourceEdit<Row extends ResourceRow, V extends object>({ resource, id, here }: EditProps<Row, V>) {
  const place = usePlace();
  const query = useQuery(resourceQuery(resource.named, place, id));
  const { singular, plural, noun, title } = resource.named;
  if (query.data === undefined) return <ObjectPending query={query} up={{ to: place.path(noun), title: plural }} />;
  const { row } = query.data;
  return (
    <FormScreen
      title={texts.editTitle(title(row))}
      up={{ to: here(row), title: singular.charAt(0).toUpperCase() + singular.slice(1) }}
      write={ORGANIZATION_WRITE}
      initial={resource.valuesOf(row)}
      edited={editedOf(resource, query.data)}
      validate={(given) => resource.check(given, false)}
      fields={(form) => resource.fields(form, false)}
      {...(resource.secrets === undefined ? {} : { secrets: resource.secrets })}
      members={resource.members}
      plan={(changed, mark) => updateResourcePlan(resource, row, changed, mark)}
      query={query}
      isUnguarded={resource.named.read === "list"}
      fresh={async () => {
        const { data } = await query.refetch();
        return data === undefined ? undefined : editedOf(resource, data);
      }}
      object={(answer) => ({ name: texts.named(singular, title((answer as { data: Row }).data)) })}
      saved={(answer) => here((answer as { data: Row }).data)}
      saveLabel={texts.saveChanges}
      failed={texts.saveFailed(texts.named(singular, title(row)))}
    />
  );
}

/**
 * Returns the state on which an edit is based. Objects without an ETag use the time of their last change as version.
 */
function editedOf<Row extends ResourceRow, V extends object>(
  { named, valuesOf }: EditedResource<Row, V>,
  { row, etag }: ReadResource<Row>,
): Edited<V> {
  return { values: valuesOf(row), mark: etag === "" ? (named.changedAt?.(row) ?? "") : etag };
}
