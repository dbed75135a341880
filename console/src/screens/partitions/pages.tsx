/** The page and the forms of a partition. */
import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { inScope } from "../../base/address.ts";
import { namespacesQuery } from "../../base/place-queries.ts";
import { Leaving } from "../../kit/cells.tsx";
import { Placed } from "../../kit/facts.tsx";
import { Icon } from "../../kit/icons.tsx";
import { KindCreate, KindEdit, KindObject } from "../../kit/kind-screens.tsx";
import { LinkButton } from "../../kit/link.tsx";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
import { Time } from "../../kit/time.tsx";
import { TextFacts } from "../../kit/text-fields.tsx";
import { PARTITION_KIND } from "./kind.tsx";
import type { Partition } from "./named.ts";
import * as texts from "../../texts/partitions.ts";

/** The screen of a partition. */
export function PartitionObject() {
  return (
    <KindObject
      kind={PARTITION_KIND}
      typed={({ Name }) => Name}
      historyAt="home"
      historyIn={({ Name }) => Name}
      marks={({ DeletedAt }) => DeletedAt !== undefined && <Leaving />}
      isFixed={({ DeletedAt }) => DeletedAt !== undefined}
      isKept={({ Name }) => Name === "default"}
      tools={({ Name }) => (
        <LinkButton
          to={inScope({ partition: Name, namespace: "default" }, "namespaces")}
          variant="default"
          leftSection={<Icon name="namespace" size={14} />}
        >
          {texts.namespaces}
        </LinkButton>
      )}
      warning={({ Name }) => <Loss partition={Name} />}
      overview={(partition) => <Overview partition={partition} />}
    />
  );
}

/** The screen that makes one. */
export function PartitionCreate() {
  return <KindCreate kind={PARTITION_KIND} />;
}

/** The screen that changes one. */
export function PartitionEdit() {
  return <KindEdit kind={PARTITION_KIND} />;
}

/** Names of namespaces that a sentence has. */
const MOST = 8;

/** Warning that lists the namespaces deleted with a partition, by name where the token may read them. */
function Loss({ partition }: { partition: string }) {
  const { data = [] } = useQuery(namespacesQuery(partition));
  const more = data.length - MOST;
  const names = data.slice(0, MOST).map(({ Name }) => Name);
  return (
    <Alert color="red" variant="outline" py={8} icon={<Icon name="alert" />}>
      {texts.deleteWarning(names, more)}
    </Alert>
  );
}

function Overview({ partition }: { partition: Partition }) {
  const { Name, DeletedAt, ModifyIndex } = partition;
  return (
    <Cards>
      <Card title={texts.detailsTitle}>
        <Fields>
          <Field name={texts.name}>{Name}</Field>
          <TextFacts kind="partition" of={partition} />
          <Field name={texts.deletingSince}>{DeletedAt !== undefined && <Time value={DeletedAt} />}</Field>
        </Fields>
        <Placed ModifyIndex={ModifyIndex} />
      </Card>
    </Cards>
  );
}
