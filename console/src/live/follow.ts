/** Follows the server's streams of events. Used by the shared worker, and by a page whose browser has none. */
import { createClient, TesseraError } from "@tessera-server/client";
import type { LiveEvent, LiveState } from "./topics.ts";

interface Following {
  readonly address: string;
  readonly partition: string;
  readonly organization: string | undefined;
  tell(event: LiveEvent): void;
  state(state: LiveState): void;
  readonly signal: AbortSignal;
}

/** After an end that the client does not mend by itself, such as a session that ended. */
const REST = 5000;

/** Follows a partition, and an organization, until the signal. */
export async function follow(following: Following): Promise<void> {
  const { organization } = following;
  await Promise.all([
    keepOn(following, () => followPartition(following)),
    ...(organization === undefined ? [] : [keepOn(following, () => followOrganization(following, organization))]),
  ]);
}

/** Whatever was missed between two streams is not known: all is taken for old. */
async function keepOn(following: Following, run: () => Promise<void>): Promise<void> {
  const { signal, state, tell, partition } = following;
  while (!signal.aborted) {
    try {
      await run();
    } catch (error) {
      if (signal.aborted) return;
      state(error instanceof TesseraError && error.status < 500 ? "off" : "lost");
    }
    await new Promise((resolve) => setTimeout(resolve, REST));
    tell({ family: "v1", place: partition, namespace: "*", topic: "*" });
  }
}

async function followPartition({ address, partition, tell, state, signal }: Following): Promise<void> {
  const client = createClient({ address, headers: { "x-tessera-console": "live" } });
  const query = { ns: "*", ...(partition === "default" ? {} : { partition }) };
  const events = client.stream<{ Topic: string; Namespace?: string; Partition?: string }>("streamEvents", {
    query,
    signal,
    headers: { "x-tessera-console": "live" },
    // Between two streams anything may have changed.
    onOpen() {
      state("live");
      tell({ family: "v1", place: partition, namespace: "*", topic: "*" });
    },
    onReconnect: () => state("lost"),
  });
  for await (const { data } of events) {
    tell({ family: "v1", place: partition, namespace: data.Namespace ?? "default", topic: data.Topic });
  }
}

async function followOrganization({ address, tell, state, signal }: Following, organization: string): Promise<void> {
  const client = createClient({ address, headers: { "x-tessera-console": "live" } });
  const events = client.stream("streamOrganizationEvents", {
    path: { organization_name: organization },
    signal,
    onOpen() {
      state("live");
      tell({ family: "v2", place: organization, namespace: "", topic: "*" });
    },
    onReconnect: () => state("lost"),
  });
  for await (const event of events) {
    if (event.event !== "") tell({ family: "v2", place: organization, namespace: "", topic: "*" });
  }
}
