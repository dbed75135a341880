/** The page and the forms of a project. */
import { useQuery } from "@tanstack/react-query";
import { usePathParameter, usePlace } from "../../base/place.ts";
import { A, LinkButton } from "../../kit/link.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ResourceCreate, ResourceEdit, ResourcePage } from "../../kit/resource-screens.tsx";
import { Time } from "../../kit/time.tsx";
import { BindingsEditor } from "../workspaces/bindings-editor.tsx";
import { WorkspaceLines } from "../workspaces/lines.tsx";
import type { ProjectRow } from "./named.ts";
import { workspacesOfQuery } from "./queries.ts";
import { PROJECT_RESOURCE } from "./resource.tsx";

/** The screen of a project. */
export function ProjectObject() {
  const place = usePlace();
  const id = usePathParameter("key");
  return (
    <ResourcePage
      resource={PROJECT_RESOURCE}
      id={id}
      here={["projects", id]}
      up={{ to: place.path("projects"), title: "Projects" }}
      tools={({ attributes }) =>
        attributes.permissions["can-create-workspace"] && (
          <LinkButton
            to={`${place.path("workspaces", "new")}?project=${encodeURIComponent(id)}`}
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
          >
            New workspace in it
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
      up={{ to: place.path("projects"), title: "Projects" }}
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
    <Cards>
      <BindingsEditor holder={{ of: "project", id }} mayWrite={attributes.permissions["can-update"]} />
      <Workspaces project={id} />
      <Card title="About it">
        <Fields>
          <Field name="Description">{attributes.description}</Field>
          <Field name="Workspaces run" hint="What clients are told of where they run">
            {attributes["default-execution-mode"]}
            {isOwn ? "" : ", as the organization says"}
          </Field>
          <Field name="Destroyed after">{attributes["auto-destroy-activity-duration"]}</Field>
          <Field name="Created">
            <Time value={attributes["created-at"]} />
          </Field>
        </Fields>
      </Card>
    </Cards>
  );
}

function Workspaces({ project }: { project: string }) {
  const place = usePlace();
  const found = useQuery(workspacesOfQuery(place, project));
  const all = `${place.path("workspaces")}?${new URLSearchParams({ "filter[project][id]": project }).toString()}`;
  return (
    <Card
      title={`Its workspaces${found.data === undefined ? "" : ` (${found.data.count.toLocaleString()})`}`}
      tools={
        <A to={all} size="sm">
          All in the list
        </A>
      }
    >
      {found.isError && <Refusal error={found.error} retry={() => void found.refetch()} />}
      {found.data !== undefined && <WorkspaceLines {...found.data} none="None that you may see lies in it." />}
    </Card>
  );
}
