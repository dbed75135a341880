/** The first screen: what is here, what needs care, what changed last, and how the server is. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { placeOf, type Place } from "../../base/place.ts";
import { usePlaces } from "../../kit/places.ts";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { iconOfAction, RecordLine } from "../../kit/records.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { Time } from "../../kit/time.tsx";
import { Care } from "./care.tsx";
import { CountTiles, NamespaceTable, OrganizationTable } from "./counts.tsx";
import classes from "./home.module.css";
import { Mark, Nodes } from "./nodes.tsx";
import { newestQuery, overviewQuery, type Overview } from "./queries.ts";

/** The screen. It is about the partition in which one was last. */
export function Home() {
  const { scope } = usePlaces();
  const place = placeOf({ partition: scope.partition, namespace: scope.namespace });
  const query = useQuery(overviewQuery(place));
  const overview = query.data;
  return (
    <section aria-label="Home">
      <PageHead
        title="Home"
        about={
          scope.partition === "default"
            ? "What your token may see of this server."
            : `What your token may see of the partition ${scope.partition}.`
        }
      />
      {query.isPending && <ObjectSkeleton />}
      {query.isError && overview === undefined && <Refusal error={query.error} retry={() => void query.refetch()} />}
      {overview !== undefined && <Whole overview={overview} place={place} />}
    </section>
  );
}

function Whole({ overview, place }: { overview: Overview; place: Place }) {
  return (
    <>
      <CountTiles overview={overview} place={place} />
      {overview.Hidden === true && (
        <Text size="xs" c="dimmed" mb="md">
          <Icon name="lock" size={13} style={{ verticalAlign: "-2px" }} /> Counted is what your token may see; there may
          be more.
        </Text>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <Care overview={overview} place={place} />
          <OrganizationTable overview={overview} />
          {overview.Nodes !== undefined && <Nodes nodes={overview.Nodes} />}
          {overview.Server !== undefined && <Health server={overview.Server} />}
        </div>
        <div className={classes.column}>
          <Newest place={place} />
          <NamespaceTable overview={overview} place={place} />
        </div>
      </div>
    </>
  );
}

function Newest({ place }: { place: Place }) {
  const query = useQuery(newestQuery(place));
  const records = query.data;
  return (
    <Card
      title="What changed last"
      tools={
        <A to={placeOf({ partition: place.scope.partition, namespace: "*" }).path("audit")} inherit={false} size="xs">
          All records
        </A>
      }
    >
      {query.isPending && <ObjectSkeleton />}
      {query.isError && <Refusal error={query.error} retry={() => void query.refetch()} />}
      {records?.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing yet, of what your token may see.
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
    <Card title={server.Ready ? "This server is ready" : "This server is not ready"}>
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
