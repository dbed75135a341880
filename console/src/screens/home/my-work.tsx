/** Home for a token without operator permissions: its organizations and workspaces, and tokens that expire soon. */
import { Text } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { inOrganization, inScope } from "../../base/address.ts";
import { clientOf } from "../../base/client.ts";
import { organizationsQuery } from "../../base/place-queries.ts";
import type { Place } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { useMay } from "../../kit/rights.ts";
import { Time, useNow } from "../../kit/time.tsx";
import classes from "./home.module.css";
import { expiringQuery, ownTokenQuery, workspacesQuery, type Overview } from "./queries.ts";
import * as texts from "../../texts/home.ts";

/** Organizations in the list, and those of them whose first workspaces are read: each takes a request. */
const MOST_LISTED = 12;
const MOST_OPENED = 3;

/** Organizations of the token. One in which it may read some workspaces only has no link to its tags. */
export function MyOrganizations({ overview, place }: { overview: Overview; place: Place }) {
  const { data } = useQuery(organizationsQuery(clientOf(undefined)));
  const names = (data ?? []).flatMap(({ id }) => (id === undefined ? [] : [id]));
  const read = new Set(overview.Organizations.First.map(({ Name }) => Name));
  const opened = useQueries({ queries: names.slice(0, MOST_OPENED).map((name) => workspacesQuery(place, name)) });
  if (names.length === 0) return null;
  return (
    <Card title={texts.myOrganizations}>
      {names.slice(0, MOST_LISTED).map((name, index) => (
        <div key={name} className={classes.item}>
          <Icon name="organization" size={15} />
          <div className={classes.what}>
            {read.has(name) ? (
              <A to={inOrganization(name, "tags")} fw={550}>
                {name}
              </A>
            ) : (
              <Text span inherit fw={550}>
                <bdi>{name}</bdi>
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <Workspaces organization={name} names={opened[index]?.data ?? []} />
            </Text>
          </div>
          <A to={inOrganization(name, "workspaces")} inherit={false} size="xs">
            {texts.workspacesOf(name)}
          </A>
        </div>
      ))}
      {names.length > MOST_LISTED && (
        <A to="/organizations" inherit={false} size="xs">
          {texts.allOrganizations(names.length)}
        </A>
      )}
    </Card>
  );
}

function Workspaces({ organization, names }: { organization: string; names: readonly { id: string; name: string }[] }) {
  return names.map(({ id, name }, index) => (
    <span key={id}>
      {index > 0 && ", "}
      <A to={inOrganization(organization, "workspaces", id)}>{name}</A>
    </span>
  ));
}

/** Time before its end at which a token is in the list. */
const SOON_MS = 14 * 86_400_000;

/** The token of the session, and with acl:read the others of the partition, that expire within two weeks. */
export function ExpiringTokens({ place }: { place: Place }) {
  const now = useNow();
  const mayRead = useMay({ resource: "acl", access: "read" }, place.scope);
  const own = useQuery(ownTokenQuery(place)).data;
  const others = useQuery({ ...expiringQuery(place), enabled: mayRead }).data ?? [];
  const isOwnSoon = own?.ExpirationTime !== undefined && Date.parse(own.ExpirationTime) - now < SOON_MS;
  const rest = others.filter(({ AccessorID }) => AccessorID !== own?.AccessorID);
  if (!isOwnSoon && rest.length === 0) return null;
  return (
    <Card title={texts.expiringTokens}>
      {isOwnSoon && (
        <div className={classes.item}>
          <Icon name="clock" size={15} style={{ color: "var(--warning)" }} />
          <div className={classes.what}>
            <Text span inherit fw={550}>
              {texts.ownToken}
            </Text>
            <Text size="xs" c="dimmed">
              {texts.ownTokenHint}
            </Text>
          </div>
          <span className={classes.when}>
            <Time value={own.ExpirationTime} />
          </span>
        </div>
      )}
      {rest.map(({ AccessorID, Description, ExpirationTime, Namespace = "default" }) => (
        <div key={AccessorID} className={classes.item}>
          <Icon name="key" size={15} />
          <div className={classes.what}>
            <span title={AccessorID}>
              <A to={inScope({ ...place.scope, namespace: Namespace }, "tokens", AccessorID)}>
                {Description === "" ? texts.unnamedToken(AccessorID.slice(0, 8)) : Description}
              </A>
            </span>
          </div>
          <span className={classes.when}>
            <Time value={ExpirationTime} />
          </span>
        </div>
      ))}
    </Card>
  );
}
