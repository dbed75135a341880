/** The first screen: what is here, what needs care, what changed last, and how the server is. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { placeOf, type Place } from "../../base/place.ts";
import { Activity } from "../../kit/activity.tsx";
import { usePlaces } from "../../kit/places.ts";
import { Icon } from "../../kit/icons.tsx";
import { A, asLink } from "../../kit/link.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { iconOfAction, RecordLine } from "../../kit/records.tsx";
import { useMay } from "../../kit/rights.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { Time } from "../../kit/time.tsx";
import { Care } from "./care.tsx";
import { CountTiles, NamespaceTable, OrganizationTable } from "./counts.tsx";
import { DeniedRequests } from "./denied.tsx";
import classes from "./home.module.css";
import { ExpiringTokens, MyOrganizations } from "./my-work.tsx";
import { NoPermissions } from "./no-permissions.tsx";
import { Mark, Nodes } from "./nodes.tsx";
import { newestQuery, overviewQuery, wholePartition, type Overview } from "./queries.ts";
import * as texts from "../../texts/home.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen. It is about the partition in which one was last. */
export function Home() {
  const { scope } = usePlaces();
  const place = placeOf({ partition: scope.partition, namespace: scope.namespace });
  const query = useQuery(overviewQuery(place));
  const overview = query.data;
  const isOwn = useIsOwn(overview, place);
  return (
    <section aria-label={screenNames.home.title}>
      <PageHead
        title={screenNames.home.title}
        about={
          isOwn
            ? texts.subtitleOfOwn
            : scope.partition === "default"
              ? texts.subtitle
              : texts.subtitleOfPartition(scope.partition)
        }
      />
      {query.isPending && <ObjectSkeleton />}
      {query.isError && overview === undefined && <Refusal error={query.error} retry={() => void query.refetch()} />}
      {overview !== undefined && <Whole overview={overview} place={place} />}
    </section>
  );
}

/** Whether the screen is that of a token that may read neither access control nor the server, whose state only operators see. */
function useIsOwn(overview: Overview | undefined, place: Place): boolean {
  const mayRead = useMay({ resource: "acl", access: "read" }, place.scope);
  return overview !== undefined && overview.Server === undefined && !mayRead;
}

function Whole({ overview, place }: { overview: Overview; place: Place }) {
  if (useIsOwn(overview, place)) return <MyWork overview={overview} place={place} />;
  return (
    <>
      <CountTiles overview={overview} place={place} />
      {overview.Hidden === true && (
        <Text size="xs" c="dimmed" mb="md">
          <Icon name="lock" size={13} style={{ verticalAlign: "-2px" }} /> {texts.countsPartial}
        </Text>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <Care overview={overview} place={place} />
          {overview.Server === undefined && <ExpiringTokens place={place} />}
          {overview.Server === undefined && <DeniedRequests place={place} />}
          {overview.Organizations.Count > 0 ? (
            <OrganizationTable overview={overview} />
          ) : (
            <MyOrganizations overview={overview} place={place} />
          )}
          {overview.Nodes !== undefined && <Nodes nodes={overview.Nodes} />}
          {overview.Server !== undefined && <Health server={overview.Server} />}
        </div>
        <div className={classes.column}>
          <ByDay place={wholePartition(place.scope.partition)} />
          <Newest place={place} />
          <NamespaceTable overview={overview} place={place} />
        </div>
      </div>
    </>
  );
}

/** The first screen of a token that may read neither access control nor the server. */
function MyWork({ overview, place }: { overview: Overview; place: Place }) {
  return (
    <>
      <NoPermissions overview={overview} place={place} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <DeniedRequests place={place} />
          <MyOrganizations overview={overview} place={place} />
        </div>
        <div className={classes.column}>
          <ExpiringTokens place={place} />
          {overview.Organizations.Count > 0 && <Care overview={overview} place={place} />}
          <NamespaceTable overview={overview} place={place} />
        </div>
      </div>
    </>
  );
}

/** Activity of the partition; a day leads to its records. */
function ByDay({ place }: { place: Place }) {
  const navigate = useNavigate();
  const choose = (from: string, to: string) => void navigate(asLink({ to: place.path("audit"), search: { from, to } }));
  return (
    <Card title={texts.daysTitle}>
      <Activity place={place} choose={choose} />
    </Card>
  );
}

function Newest({ place }: { place: Place }) {
  const query = useQuery(newestQuery(place));
  const records = query.data;
  return (
    <Card
      title={texts.activityTitle}
      tools={
        <A to={placeOf({ partition: place.scope.partition, namespace: "*" }).path("audit")} inherit={false} size="xs">
          {texts.activityAll}
        </A>
      }
    >
      {query.isPending && <ObjectSkeleton />}
      {query.isError && <Refusal error={query.error} retry={() => void query.refetch()} />}
      {records?.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.activityEmpty}
        </Text>
      )}
      {records?.map((record, index) => (
        <div key={record.Hash ?? `${record.Time} ${index}`} className={classes.item}>
          <Icon name={iconOfAction(record.Action)} size={15} />
          <div className={classes.what}>
            <RecordLine record={record} />
          </div>
          <span className={classes.when}>
            <Time value={record.Time} />
          </span>
        </div>
      ))}
    </Card>
  );
}

/** Checks of the server that answers, as `GET /ready` has them: `[+] name: what it says`. */
function Health({ server }: { server: NonNullable<Overview["Server"]> }) {
  return (
    <Card title={server.Ready ? texts.serverReady : texts.serverNotReady}>
      {server.Checks.map((line) => {
        const isFine = line.startsWith("[+]");
        return (
          <div key={line} className={classes.item}>
            <Mark isFine={isFine} />
            <div className={classes.what} style={{ overflowWrap: "anywhere" }}>
              {line.replace(/^\[.\] /, "")}
            </div>
          </div>
        );
      })}
    </Card>
  );
}
