/** One workspace: its tags and keys, changed in place, and what it is. */
import { Badge, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { useCommands, useWhy } from "../../kit/commands.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { OrganizationHistory } from "../../kit/history.tsx";
import { Icon } from "../../kit/icons.tsx";
import { A, LinkButton } from "../../kit/link.tsx";
import { ObjectPending } from "../../kit/object-pending.tsx";
import { Card, Field, Fields, ObjectScreen, WithFacts } from "../../kit/object-screen.tsx";
import { resourceQuery } from "../../kit/resource.ts";
import { Time } from "../../kit/time.tsx";
import { projectNamesQuery } from "../projects/project-input.tsx";
import { BindingsEditor } from "./bindings-editor.tsx";
import { Lock } from "./lock.tsx";
import { WORKSPACE } from "./named.ts";
import type { WorkspaceRow } from "./queries.ts";
import { Removal } from "./removal.tsx";
import { TagsEditor } from "./tags-editor.tsx";
import * as texts from "../../texts/workspaces.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen of a workspace. */
export function WorkspaceObject() {
  const place = usePlace();
  const query = useQuery(resourceQuery(WORKSPACE, place, usePathParameter("workspace")));
  const workspace = query.data?.row;
  const up = { to: place.path("workspaces"), title: screenNames.workspaces.workspaces };
  if (workspace === undefined) return <ObjectPending query={query} up={up} />;
  const { name, locked } = workspace.attributes;
  return (
    <ObjectScreen
      title={name}
      query={query}
      up={up}
      marks={locked && <Badge c="var(--warning)">{texts.lockedMark}</Badge>}
      about={
        <Group gap={4}>
          <Text span className="mono" size="xs">
            {workspace.id}
          </Text>
          <CopyButton value={workspace.id} what={texts.id} />
        </Group>
      }
      actions={<Actions workspace={workspace} />}
      tabs={[
        { id: "overview", title: texts.overview, icon: "eye", content: <Overview workspace={workspace} /> },
        {
          id: "history",
          title: texts.history,
          icon: "history",
          content: <OrganizationHistory kind="workspace" id={workspace.id} />,
        },
      ]}
    />
  );
}

function Actions({ workspace }: { workspace: WorkspaceRow }) {
  const place = usePlace();
  const { name, permissions } = workspace.attributes;
  const edit = place.path("workspaces", workspace.id, "edit");
  const question = { tab: "who", access: "write", resource: "workspace", name: `${place.organization ?? ""}/${name}` };
  const why = useWhy(place.scope, texts.whoCanCommand(name), question);
  const editing = { title: texts.editCommand(name), icon: "edit", act: edit } as const;
  useCommands([...(permissions["can-update"] ? [editing] : []), ...why]);
  return (
    <>
      {permissions["can-update"] && (
        <LinkButton to={edit} leftSection={<Icon name="edit" size={14} />}>
          {texts.edit}
        </LinkButton>
      )}
      {permissions["can-lock"] && <Lock workspace={workspace} />}
      {permissions["can-destroy"] && <Removal workspace={workspace} />}
    </>
  );
}

function Overview({ workspace }: { workspace: WorkspaceRow }) {
  const place = usePlace();
  const { attributes, relationships } = workspace;
  const mayWrite = attributes.permissions["can-manage-tags"];
  const { data } = relationships.project;
  const project = data === null || data === undefined || Array.isArray(data) ? "" : data.id;
  const projects = useQuery(projectNamesQuery(place));
  return (
    <WithFacts
      facts={
        <Card title={texts.details}>
          <Fields>
            <Field name={texts.project}>
              {project !== "" && (
                <A to={place.path("projects", project)}>
                  {projects.data?.find(({ value }) => value === project)?.label ?? project}
                </A>
              )}
            </Field>
            <Field name={texts.description}>{attributes.description}</Field>
            <Field name={texts.executionMode}>{attributes["execution-mode"]}</Field>
            <Field name={texts.lockedField}>
              {attributes.locked ? attributes["locked-reason"] || texts.lockedYes : ""}
            </Field>
            <Field name={texts.changedAt}>
              <Time value={attributes["latest-change-at"]} />
            </Field>
            <Field name={texts.created}>
              <Time value={attributes["created-at"]} />
            </Field>
          </Fields>
        </Card>
      }
    >
      <TagsEditor workspace={workspace} mayWrite={mayWrite} />
      <BindingsEditor holder={{ of: "workspace", id: workspace.id }} mayWrite={mayWrite} />
    </WithFacts>
  );
}
