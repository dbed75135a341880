/** The page and the forms of an organization. */
import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { inOrganization } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { Icon, type IconName } from "../../kit/icons.tsx";
import { A, LinkButton } from "../../kit/link.tsx";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
import { ResourceCreate, ResourceEdit, ResourcePage } from "../../kit/resource-screens.tsx";
import { Time } from "../../kit/time.tsx";
import type { OrganizationRow } from "./named.ts";
import classes from "./organizations.module.css";
import { countQuery, type Counted } from "./queries.ts";
import { ORGANIZATION_RESOURCE, SWITCHES } from "./resource.tsx";

/** The screen of the organization that one is in. */
export function OrganizationObject() {
  const { organization = "" } = usePlace();
  return (
    <ResourcePage
      resource={ORGANIZATION_RESOURCE}
      id={organization}
      here={["settings"]}
      up={{ to: "/organizations", title: "Organizations" }}
      tools={() => (
        <LinkButton
          to={inOrganization(organization, "audit")}
          variant="default"
          leftSection={<Icon name="audit" size={14} />}
        >
          All of its records
        </LinkButton>
      )}
      overview={(row) => <Overview row={row} />}
      isTyped
      warning={() => <GoesAlong />}
    />
  );
}

/** The screen that makes one. */
export function OrganizationCreate() {
  return (
    <ResourceCreate
      resource={ORGANIZATION_RESOURCE}
      up={{ to: "/organizations", title: "Organizations" }}
      saved={({ id }) => inOrganization(id, "settings")}
    />
  );
}

/** The screen that changes its settings. */
export function OrganizationEdit() {
  const { organization = "" } = usePlace();
  return (
    <ResourceEdit
      resource={ORGANIZATION_RESOURCE}
      id={organization}
      here={({ id }) => inOrganization(id, "settings")}
    />
  );
}

const PARTS = [
  { noun: "tags", one: "tag", many: "tags", icon: "tag" },
  { noun: "workspaces", one: "workspace", many: "workspaces", icon: "workspace" },
  { noun: "projects", one: "project", many: "projects", icon: "project" },
] as const satisfies readonly { noun: Counted; one: string; many: string; icon: IconName }[];

function Overview({ row: { attributes } }: { row: OrganizationRow }) {
  const place = usePlace();
  // Its name is all that a reader of its workspaces alone is told.
  const isRead = attributes["external-id"] !== undefined;
  return (
    <Cards>
      <Card title="What it has">
        <ul className={classes.parts}>
          {PARTS.filter(({ noun }) => isRead || noun === "workspaces").map(({ noun, one, many, icon }) => (
            <li key={noun}>
              <Icon name={icon} size={15} />
              <A to={place.path(noun)}>
                <Count noun={noun} one={one} many={many} />
              </A>
            </li>
          ))}
          {isRead &&
            OTHERS.map(({ page, words, icon }) => (
              <li key={page}>
                <Icon name={icon} size={15} />
                <A to={place.path(page)}>{words}</A>
              </li>
            ))}
        </ul>
      </Card>
      {isRead && <Settings attributes={attributes} />}
    </Cards>
  );
}

const OTHERS = [
  { page: "tag-rules", words: "Rules for tags", icon: "rule" },
  { page: "reserved-tag-keys", words: "Reserved keys", icon: "lock" },
  { page: "tag-webhooks", words: "Webhooks", icon: "link" },
] as const;

function Settings({ attributes }: Pick<OrganizationRow, "attributes">) {
  const on = Object.entries(SWITCHES).filter(([name]) => attributes[name as keyof typeof SWITCHES]);
  const minutes = attributes["session-timeout"] ?? undefined;
  return (
    <Card title="Settings">
      <Fields>
        <Field name="Email">{attributes.email}</Field>
        <Field name="Workspaces run" hint="What clients are told of where they run">
          {attributes["default-execution-mode"]}
        </Field>
        <Field name="On">
          {on.length > 0 && (
            <ul className={classes.on}>
              {on.map(([name, words]) => (
                <li key={name}>{words}</li>
              ))}
            </ul>
          )}
        </Field>
        <Field name="Sign in anew after" hint="Minutes without activity">
          {minutes !== undefined && `${minutes.toLocaleString()} minutes`}
        </Field>
        <Field name="Created">
          <Time value={attributes["created-at"]} />
        </Field>
      </Fields>
      <Text size="xs" c="dimmed" mt="sm">
        Settings are kept for clients such as Terraform’s provider, which read and write them. Signing in to this
        console does not depend on them.
      </Text>
    </Card>
  );
}

/** How many there are that may be seen; only what they are until that is known. */
function Count({ noun, one, many }: { noun: Counted; one: string; many: string }) {
  const { data } = useQuery(countQuery(usePlace(), noun));
  if (data === undefined) return many;
  return `${data.toLocaleString()} ${data === 1 ? one : many}`;
}

function GoesAlong() {
  return (
    <>
      <Alert color="red" variant="outline" py={8} icon={<Icon name="alert" />}>
        With it go{" "}
        <b>
          {PARTS.map(({ noun, one, many }, index) => (
            <span key={noun}>
              {index === 0 ? "" : index === PARTS.length - 1 ? " and " : ", "}
              <Count noun={noun} one={one} many={many} />
            </span>
          ))}
        </b>
        , its rules for tags, reserved keys and webhooks.
      </Alert>
      <Text size="sm">Its name is free at once. This cannot be undone.</Text>
    </>
  );
}
