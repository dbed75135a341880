/** Number of objects in total, by namespace and by organization. */
import { Text, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { inOrganization, inScope } from "../../base/address.ts";
import type { Place } from "../../base/place.ts";
import { Icon, type IconName } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { useMay } from "../../kit/rights.ts";
import classes from "./home.module.css";
import { wholePartition, type Overview } from "./queries.ts";
import * as texts from "../../texts/home.ts";

const KINDS = [
  { member: "Tokens", title: texts.tokens, noun: "tokens", icon: "key" },
  { member: "Policies", title: texts.policies, noun: "policies", icon: "policy" },
  { member: "Roles", title: texts.roles, noun: "roles", icon: "role" },
  { member: "AuthMethods", title: texts.authMethods, noun: "auth-methods", icon: "method" },
  { member: "BindingRules", title: texts.bindingRules, noun: "binding-rules", icon: "rule" },
] as const satisfies readonly { member: string; title: string; noun: string; icon: IconName }[];

/** How much there is of each kind, each of which leads to its list. */
export function CountTiles({ overview, place }: { overview: Overview; place: Place }) {
  const { path } = wholePartition(place.scope.partition);
  const mayRead = useMay({ resource: "acl", access: "read" }, place.scope);
  return (
    <div className={classes.counts}>
      {KINDS.map(({ member, title, noun, icon }) => (
        <Tile
          key={noun}
          icon={icon}
          title={title}
          count={!mayRead && overview.Counts[member] === 0 ? undefined : overview.Counts[member]}
          to={mayRead ? path(noun) : undefined}
        />
      ))}
      <Tile icon="namespace" title={texts.namespaces} count={overview.Namespaces.Count} />
      <Tile icon="organization" title={texts.organizations} count={overview.Organizations.Count} />
    </div>
  );
}

interface TileProps {
  readonly icon: IconName;
  readonly title: string;
  /** Undefined where it may not be known. */
  readonly count: number | undefined;
  readonly to?: string | undefined;
}

function Tile({ icon, title, count, to }: TileProps) {
  const content = (
    <>
      <span className={classes.number}>{count?.toLocaleString() ?? "–"}</span>
      <span className={classes.label}>
        <Icon name={icon} size={14} /> {title}
      </span>
    </>
  );
  if (to === undefined) return <div className={classes.count}>{content}</div>;
  return (
    <UnstyledButton className={classes.count} renderRoot={(props) => <Link {...props} to={to} />}>
      {content}
    </UnstyledButton>
  );
}

/** Number of objects in each namespace. */
export function NamespaceTable({ overview, place }: { overview: Overview; place: Place }) {
  const { First: first, Count: count } = overview.Namespaces;
  if (first.length === 0) return null;
  return (
    <Card title={texts.namespaces}>
      <Counted titles={[texts.namespace, ...KINDS.map(({ title }) => title)]} label={texts.countsByNamespace}>
        {first.map((row) => (
          <tr key={row.Name}>
            <th scope="row" aria-label={row.Name}>
              <A to={inScope({ partition: place.scope.partition, namespace: row.Name }, "tokens")}>
                <bdi>{row.Name}</bdi>
              </A>
            </th>
            {KINDS.map(({ member }) => (
              <td key={member}>{row[member].toLocaleString()}</td>
            ))}
          </tr>
        ))}
      </Counted>
      <More shown={first.length} count={count} />
    </Card>
  );
}

/** Number of objects in each organization. A dash stands for a number that the token may not know. */
export function OrganizationTable({ overview }: { overview: Overview }) {
  const { First: first, Count: count } = overview.Organizations;
  if (first.length === 0) return null;
  return (
    <Card title={texts.organizations}>
      <Counted
        titles={[texts.organization, texts.tags, texts.projects, texts.workspaces]}
        label={texts.countsByOrganization}
      >
        {first.map(({ Name: name, Tags, Projects, Workspaces }) => (
          <tr key={name}>
            <th scope="row" aria-label={name}>
              <A to={inOrganization(name, "tags")}>
                <bdi>{name}</bdi>
              </A>
            </th>
            {[Tags, Projects, Workspaces].map((each, index) => (
              <td key={index}>{each?.toLocaleString() ?? "–"}</td>
            ))}
          </tr>
        ))}
      </Counted>
      <More shown={first.length} count={count} />
    </Card>
  );
}

function Counted({ titles, label, children }: { titles: readonly string[]; label: string; children: ReactNode }) {
  return (
    // Makes the scrollable area focusable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={classes.table}>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function More({ shown, count }: { shown: number; count: number }) {
  if (count <= shown) return null;
  return (
    <Text size="xs" c="dimmed" mt="xs">
      {texts.showingFirst(shown, count)}
    </Text>
  );
}
