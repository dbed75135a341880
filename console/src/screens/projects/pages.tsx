/** The page and the forms of a project. */
import { useQuery } from "@tanstack/react-query";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { A, LinkButton } from "../../kit/link.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Card, Field, Fields, WithFacts } from "../../kit/object-screen.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ResourceCreate, ResourceEdit, ResourcePage } from "../../kit/resource-screens.tsx";
import { Time } from "../../kit/time.tsx";
import { BindingsEditor } from "../workspaces/bindings-editor.tsx";
import { WorkspaceLines } from "../workspaces/lines.tsx";
import type { ProjectRow } from "./named.ts";
import { workspacesOfQuery } from "./queries.ts";
import { PROJECT_RESOURCE } from "./resource.tsx";
import * as texts from "../../texts/projects.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen of a project. */
export function ProjectObject() {
  const place = usePlace();
  const id = usePathParameter("key");
  return (
    <ResourcePage
      resource={PROJECT_RESOURCE}
      id={id}
      here={["projects", id]}
      up={{ to: place.path("projects"), title: screenNames.projects.projects }}
      tools={({ attributes }) =>
        attributes.permissions["can-create-workspace"] && (
          <LinkButton
            to={`${place.path("workspaces", "new")}?project=${encodeURIComponent(id)}`}
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
          >
            {texts.newWorkspace}
          </LinkButton>
        )
      }
      overview={(project) => <Overview project={project} />}
    />
  );
}

/** The screen that makes one. */
export function ProjectCreate() {
  const place = usePlace();
  return (
    <ResourceCreate
      resource={PROJECT_RESOURCE}
      up={{ to: place.path("projects"), title: screenNames.projects.projects }}
      saved={({ id }) => place.path("projects", id)}
    />
  );
}

/** The screen that changes one. */
export function ProjectEdit() {
  const place = usePlace();
  return (
    <ResourceEdit
      resource={PROJECT_RESOURCE}
      id={usePathParameter("key")}
      here={({ id }) => place.path("projects", id)}
    />
  );
}

function Overview({ project: { id, attributes } }: { project: ProjectRow }) {
  const isOwn = attributes["setting-overwrites"]["default-execution-mode"];
  return (
    <WithFacts
      facts={
        <Card title={texts.details}>
          <Fields>
            <Field name={texts.description}>{attributes.description}</Field>
            <Field name={texts.executionMode} hint={texts.executionModeHint}>
              {isOwn ? attributes["default-execution-mode"] : texts.inheritedMode(attributes["default-execution-mode"])}
            </Field>
            <Field name={texts.destroyAfter}>{attributes["auto-destroy-activity-duration"]}</Field>
            <Field name={texts.created}>
              <Time value={attributes["created-at"]} />
            </Field>
          </Fields>
        </Card>
      }
    >
      <BindingsEditor holder={{ of: "project", id }} mayWrite={attributes.permissions["can-update"]} />
      <Workspaces project={id} />
    </WithFacts>
  );
}

function Workspaces({ project }: { project: string }) {
  const place = usePlace();
  const found = useQuery(workspacesOfQuery(place, project));
  const all = `${place.path("workspaces")}?${new URLSearchParams({ "filter[project][id]": project }).toString()}`;
  return (
    <Card
      title={texts.workspacesCount(found.data?.count)}
      tools={
        <A to={all} size="sm">
          {texts.viewAll}
        </A>
      }
    >
      {found.isError && <Refusal error={found.error} retry={() => void found.refetch()} />}
      {found.data !== undefined && <WorkspaceLines {...found.data} none={texts.noWorkspaces} />}
    </Card>
  );
}
