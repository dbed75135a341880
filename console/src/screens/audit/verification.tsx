/** Whether the records that are shown are those that were written: computed here, from what the server has of their chains. */
import { Alert, Button, Code, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { placeOf, type Place } from "../../base/place.ts";
import type { AuditRecord } from "../../kit/audit-record.ts";
import { Icon } from "../../kit/icons.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { operationOf } from "./queries.ts";
import { verify, type Verdict } from "./verify.ts";

/** Maximum number of records of a verification. They hash in a few seconds. */
const MOST = 100_000;

/** State of a verification, which may not have started yet. */
export function useVerification(place: Place, records: readonly AuditRecord[]) {
  const [progress, setProgress] = useState(0);
  const run = useMutation({
    mutationFn: async () => {
      setProgress(0);
      // Chains go through all namespaces, and filters would leave holes in them: only the time narrows what is read.
      const whole = place.organization === undefined ? placeOf({ ...place.scope, namespace: "*" }) : place;
      const oldest = records.at(-1)?.Time;
      const { operation, path, query } = operationOf(whole, oldest === undefined ? {} : { from: oldest });
      const headers = { accept: "application/x-ndjson" };
      const lines = whole.client.lines(operation, { path, query, headers });
      return verify({ lines, shown: records, most: MOST, onProgress: setProgress });
    },
  });
  // The server returns positions in chains only to tokens that see the whole chain.
  return { run, progress, isPossible: records.some(({ Hash }) => Hash !== undefined) };
}

type Verification = ReturnType<typeof useVerification>;

export function VerifyButton({ verification: { run, progress, isPossible } }: { verification: Verification }) {
  if (!isPossible) return null;
  return (
    <Button
      variant="default"
      leftSection={<Icon name="link" size={14} />}
      onClick={() => run.mutate()}
      disabled={run.isPending}
    >
      {run.isPending ? `Verifying … ${progress === 0 ? "" : progress.toLocaleString()}` : "Verify the chain"}
    </Button>
  );
}

export function VerifyResult({ verification: { run } }: { verification: Verification }) {
  return (
    <div aria-live="polite">
      {run.isError && <Refusal error={run.error} retry={() => run.mutate()} />}
      {run.data !== undefined && <Told verdict={run.data} />}
    </div>
  );
}

function Told({ verdict: { records, chains, from, finding, isCut } }: { verdict: Verdict }) {
  if (finding !== undefined) {
    return (
      <Alert
        color="red"
        variant="outline"
        mb="md"
        icon={<Icon name="alert" size={18} />}
        title="The records are not those that were written"
      >
        <Text size="sm">
          In the chain <Code>{finding.chain}</Code>, record {finding.seq} {finding.why}. Verify all of it by{" "}
          <Code>tessera audit verify</Code>, and compare with heads that are kept elsewhere.
        </Text>
      </Alert>
    );
  }
  return (
    <Alert
      color="teal"
      variant="light"
      mb="md"
      icon={<Icon name="check" size={18} />}
      title={`${records.toLocaleString()} ${records === 1 ? "record" : "records"} of ${chains} ${chains === 1 ? "chain" : "chains"} fit together`}
    >
      <Text size="sm">
        {from === "" ? "" : `Since ${new Date(from).toLocaleString()}: none was changed, taken out or put in. `}
        {isCut ? "There are newer ones, which were not read. " : ""}
        This page computed it from what the server gave. Who can write the database could make all hashes anew; only{" "}
        <Code>tessera audit verify</Code> with a head that is kept elsewhere proves that nobody has.
      </Text>
    </Alert>
  );
}
