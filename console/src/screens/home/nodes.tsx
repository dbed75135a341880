/** The servers of the database, each with when it was last seen: what has stopped answering says so. */
import { Text } from "@mantine/core";
import { Icon } from "../../kit/icons.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { Time } from "../../kit/time.tsx";
import classes from "./home.module.css";
import type { Overview } from "./queries.ts";
import * as texts from "../../texts/home.ts";

type Node = NonNullable<Overview["Nodes"]>[number];

/** The card. The first of them is the one that answers. */
export function Nodes({ nodes }: { nodes: readonly Node[] }) {
  return (
    <Card title={texts.nodes}>
      {nodes.map((node, index) => (
        <div key={`${node.Name} ${index}`} className={classes.item} role="group" aria-label={node.Name}>
          <Mark isFine={node.Ready} />
          <div className={classes.what} style={{ overflowWrap: "anywhere" }}>
            <bdi>{node.Name}</bdi>
            <Text size="xs" c="dimmed">
              {`${stateOf(node, index === 0)} · ${node.Version}`}
            </Text>
          </div>
          <span className={classes.when}>
            <Time value={node.LastSeen} />
          </span>
        </div>
      ))}
    </Card>
  );
}

/** Whether something is as it should be. */
export function Mark({ isFine }: { isFine: boolean }) {
  return (
    <Icon
      name={isFine ? "check" : "alert"}
      size={15}
      style={{ color: isFine ? "var(--added-text)" : "var(--mantine-color-error)" }}
    />
  );
}

function stateOf({ Ready: isReady }: Node, answers: boolean): string {
  if (answers) return isReady ? texts.readyHere : texts.notReadyHere;
  return isReady ? texts.ready : texts.notResponding;
}
