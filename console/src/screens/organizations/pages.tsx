/** The page and the forms of an organization. */
import { Alert, Text } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
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
import * as texts from "../../texts/organizations.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen of the organization that one is in. */
export function OrganizationObject() {
  const { organization = "" } = usePlace();
  return (
    <ResourcePage
      resource={ORGANIZATION_RESOURCE}
      id={organization}
      here={["settings"]}
      up={{ to: "/organizations", title: screenNames.organizations.organizations }}
      tools={() => (
        <LinkButton
          to={inOrganization(organization, "audit")}
          variant="default"
          leftSection={<Icon name="audit" size={14} />}
        >
          {texts.auditLog}
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
      up={{ to: "/organizations", title: screenNames.organizations.organizations }}
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
  { noun: "tags", text: texts.tagCount, icon: "tag" },
  { noun: "workspaces", text: texts.workspaceCount, icon: "workspace" },
  { noun: "projects", text: texts.projectCount, icon: "project" },
] as const satisfies readonly { noun: Counted; text: CountText; icon: IconName }[];

/** Returns a count with its noun; without a count, the noun alone. */
type CountText = (count: number | undefined) => string;

function Overview({ row: { attributes } }: { row: OrganizationRow }) {
  const place = usePlace();
  // Its name is all that a reader of its workspaces alone is told.
  const isRead = attributes["external-id"] !== undefined;
  return (
    <Cards>
      <Card title={texts.contents}>
        <ul className={classes.parts}>
          {PARTS.filter(({ noun }) => isRead || noun === "workspaces").map(({ noun, text, icon }) => (
            <li key={noun}>
              <Icon name={icon} size={15} />
              <A to={place.path(noun)}>
                <Count noun={noun} text={text} />
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
  { page: "tag-rules", words: texts.tagPolicy, icon: "rule" },
  { page: "reserved-tag-keys", words: texts.reservedKeys, icon: "lock" },
  { page: "tag-webhooks", words: texts.webhooks, icon: "link" },
] as const;

function Settings({ attributes }: Pick<OrganizationRow, "attributes">) {
  const on = Object.entries(SWITCHES).filter(([name]) => attributes[name as keyof typeof SWITCHES]);
  const minutes = attributes["session-timeout"] ?? undefined;
  return (
    <Card title={texts.settings}>
      <Fields>
        <Field name={texts.email}>{attributes.email}</Field>
        <Field name={texts.executionMode} hint={texts.executionModeHint}>
          {attributes["default-execution-mode"]}
        </Field>
        <Field name={texts.enabled}>
          {on.length > 0 && (
            <ul className={classes.on}>
              {on.map(([name, words]) => (
                <li key={name}>{words}</li>
              ))}
            </ul>
          )}
        </Field>
        <Field name={texts.sessionTimeout} hint={texts.sessionTimeoutHint}>
          {minutes !== undefined && texts.minutes(minutes)}
        </Field>
        <Field name={texts.created}>
          <Time value={attributes["created-at"]} />
        </Field>
      </Fields>
      <Text size="xs" c="dimmed" mt="sm">
        {texts.settingsHint}
      </Text>
    </Card>
  );
}

/** How many there are that may be seen; only what they are until that is known. */
function Count({ noun, text }: { noun: Counted; text: CountText }) {
  return text(useQuery(countQuery(usePlace(), noun)).data);
}

function GoesAlong() {
  const place = usePlace();
  const counts = useQueries({ queries: PARTS.map(({ noun }) => countQuery(place, noun)) });
  return (
    <>
      <Alert color="red" variant="outline" py={8} icon={<Icon name="alert" />}>
        {texts.deleteWarning(PARTS.map(({ text }, index) => text(counts[index]?.data)))}
      </Alert>
      <Text size="sm">{texts.deleteHint}</Text>
    </>
  );
}
