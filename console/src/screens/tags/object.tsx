/** One tag: what carries it, what values it has, and what can be done with it. */
import { Button, Group, Menu, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { useCommands } from "../../kit/commands.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { OrganizationHistory } from "../../kit/history.tsx";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { MoreMenu } from "../../kit/more-menu.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import { Card, Cards, Field, Fields, ObjectScreen } from "../../kit/object-screen.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { useMay } from "../../kit/rights.ts";
import { Time } from "../../kit/time.tsx";
import { askingFor, NO_VALUE } from "../workspaces/bindings.ts";
import { WorkspaceLines } from "../workspaces/lines.tsx";
import { useMayTagWorkspaces } from "../workspaces/rights.ts";
import { AttachDialog, DeleteTagsDialog, MergeDialog, RenameDialog } from "./dialogs.tsx";
import { carriersQuery, tagQuery, valuesQuery, type TagRow } from "./queries.ts";
import classes from "./tags.module.css";
import { Uses } from "./uses.tsx";
import * as texts from "../../texts/tags.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen of a tag. */
export function TagObject() {
  const place = usePlace();
  const query = useQuery(tagQuery(place, usePathParameter("tag")));
  const tag = query.data;
  const up = { to: place.path("tags"), title: screenNames.tags.tags };
  if (tag === undefined) return <ObjectPending query={query} up={up} />;
  return (
    <ObjectScreen
      title={tag.attributes.name}
      query={query}
      up={up}
      about={
        <Group gap={4}>
          <Text span className="mono" size="xs">
            {tag.id}
          </Text>
          <CopyButton value={tag.id} what={texts.id} />
        </Group>
      }
      actions={<TagActions tag={tag} />}
      tabs={[
        { id: "overview", title: texts.overview, icon: "eye", content: <Overview tag={tag} /> },
        { id: "history", title: texts.history, icon: "history", content: <TagHistory id={tag.id} /> },
      ]}
    />
  );
}

function TagHistory({ id }: { id: string }) {
  return <OrganizationHistory kind="tag" id={id} none={texts.historyEmpty} />;
}

function Overview({ tag }: { tag: TagRow }) {
  const { name } = tag.attributes;
  return (
    <Cards>
      <Carriers tag={tag} />
      <div>
        <Card title={texts.details}>
          <Fields>
            <Field name={texts.name}>
              <Group gap={4} wrap="nowrap">
                <bdi>{name}</bdi>
                <CopyButton value={name} what={texts.copiedName} />
              </Group>
            </Field>
            <Field name={texts.workspaces} hint={texts.workspacesHint}>
              {tag.attributes["instance-count"]?.toLocaleString()}
            </Field>
            <Field name={texts.created}>
              <Time value={tag.attributes["created-at"] ?? undefined} none="" />
            </Field>
          </Fields>
        </Card>
        <Values tag={tag} />
      </div>
    </Cards>
  );
}

function Carriers({ tag }: { tag: TagRow }) {
  const place = usePlace();
  const carriers = useQuery(carriersQuery(place, tag.id));
  const all = `${place.path("workspaces")}?${new URLSearchParams({ "search[tags]": tag.attributes.name }).toString()}`;
  return (
    <Card
      title={texts.usedBy}
      tools={
        <A to={all} size="sm">
          {texts.viewAll}
        </A>
      }
    >
      {carriers.isError && <Refusal error={carriers.error} retry={() => void carriers.refetch()} />}
      {carriers.data !== undefined && (
        <WorkspaceLines rows={carriers.data.rows} count={carriers.data.count} none={texts.usedByNone} />
      )}
    </Card>
  );
}

function Values({ tag: { id, attributes } }: { tag: TagRow }) {
  const place = usePlace();
  const values = useQuery(valuesQuery(place, { id, name: attributes.name }));
  if (values.data === undefined || values.data.values.length === 0) return null;
  const { count } = values.data;
  return (
    <div style={{ marginTop: 16 }}>
      <Card title={texts.tagValuesCount(count)}>
        <ul className={classes.values}>
          {values.data.values.map(({ value, count: uses }) => {
            const query = new URLSearchParams({
              ...askingFor([{ key: attributes.name, value }]),
              ...(value === "" ? { [NO_VALUE]: "true" } : {}),
            });
            return (
              <li key={value}>
                <A to={`${place.path("workspaces")}?${query.toString()}`}>{value === "" ? texts.noValue : value}</A>
                <Uses count={uses} />
              </li>
            );
          })}
        </ul>
      </Card>
    </div>
  );
}

type Dialog = "add" | "rename" | "merge" | "delete";

function TagActions({ tag }: { tag: TagRow }) {
  const [open, setOpen] = useState<Dialog>();
  const mayWrite = useMay({ resource: "organization", access: "write" });
  const mayTag = useMayTagWorkspaces();
  const { name } = tag.attributes;
  const shared = { named: { tags: [{ name }] }, words: texts.tagNamed(name), close: () => setOpen(undefined) };
  const writes = [
    { title: texts.renameTitle(name), icon: "edit", act: () => setOpen("rename") },
    { title: texts.mergeCommand(name), icon: "rule", act: () => setOpen("merge") },
    { title: texts.deleteCommand(name), icon: "trash", act: () => setOpen("delete") },
  ] as const;
  const put = { title: texts.addCommand(name), icon: "workspace", act: () => setOpen("add") } as const;
  useCommands([...(mayTag ? [put] : []), ...(mayWrite ? writes : [])]);
  return (
    <>
      {mayTag && (
        <Button leftSection={<Icon name="workspace" size={14} />} onClick={() => setOpen("add")}>
          {texts.addToWorkspaces}
        </Button>
      )}
      {mayWrite && (
        <>
          <Button variant="default" leftSection={<Icon name="edit" size={14} />} onClick={() => setOpen("rename")}>
            {texts.rename}
          </Button>
          <MoreMenu>
            <Menu.Item leftSection={<Icon name="rule" />} onClick={() => setOpen("merge")}>
              {texts.mergeIntoAnother}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setOpen("delete")}>
              {texts.deleteLabel}
            </Menu.Item>
          </MoreMenu>
        </>
      )}
      <AttachDialog {...shared} isOpen={open === "add"} />
      <RenameDialog key={name} close={shared.close} name={name} isOpen={open === "rename"} />
      <MergeDialog {...shared} isOpen={open === "merge"} suggested="" />
      <DeleteTagsDialog {...shared} isOpen={open === "delete"} />
    </>
  );
}
