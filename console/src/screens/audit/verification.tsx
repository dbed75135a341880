/** Whether the records that are shown are those that were written: computed here, from what the server has of their chains. */
import { Alert, Button, Code, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { placeOf, type Place } from "../../base/place.ts";
import { momentText } from "../../kit/dates.ts";
import type { AuditRecord } from "../../kit/audit-record.ts";
import { Icon } from "../../kit/icons.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { operationOf } from "./queries.ts";
import { verify, type Verdict } from "./verify.ts";
import * as texts from "../../texts/audit.ts";

/** Maximum number of records of a verification. They hash in a few seconds. */
const MOST = 100_000;

/** State of a verification, which may not have started yet. */
export function useVerification(place: Place, records: readonly AuditRecord[]) {
  const [progress, setProgress] = useState(0);
  const run = useMutation({
    mutationFn: async (scope: "shown" | "all") => {
      setProgress(0);
      // Chains go through all namespaces, and filters would leave holes in them: only the time narrows what is read.
      const whole = place.organization === undefined ? placeOf({ ...place.scope, namespace: "*" }) : place;
      const oldest = scope === "all" ? undefined : records.at(-1)?.Time;
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
      onClick={() => run.mutate("shown")}
      disabled={run.isPending}
    >
      {run.isPending ? texts.verifying(progress) : texts.verify}
    </Button>
  );
}

export function VerifyResult({ verification: { run } }: { verification: Verification }) {
  return (
    <div aria-live="polite">
      {run.isError && <Refusal error={run.error} retry={() => run.mutate(run.variables ?? "shown")} />}
      {run.data !== undefined && (
        <Told verdict={run.data} isAll={run.variables === "all"} verifyAll={() => run.mutate("all")} />
      )}
    </div>
  );
}

interface ToldProps {
  readonly verdict: Verdict;
  readonly isAll: boolean;
  verifyAll(): void;
}

function Told({ verdict: { records, total, chains, from, finding, isCut }, isAll, verifyAll }: ToldProps) {
  if (finding !== undefined) {
    return (
      <Alert
        color="red"
        variant="outline"
        mb="md"
        icon={<Icon name="alert" size={18} />}
        title={texts.verificationFailed}
      >
        <Text size="sm">{texts.brokenRecord(finding.chain, finding.seq, finding.why)}</Text>
        <HeadNote />
      </Alert>
    );
  }
  return (
    <Alert
      color="teal"
      variant="light"
      mb="md"
      icon={<Icon name="check" size={18} />}
      title={isAll && !isCut ? texts.verifiedAll(records, chains) : texts.verified(records, total, chains)}
    >
      <Text size="sm">{texts.verifiedDetail(from === "" ? undefined : momentText(from), isCut)}</Text>
      <HeadNote />
      {!isAll && records < total && (
        <Button variant="default" mt="xs" onClick={verifyAll}>
          {texts.verifyAll}
        </Button>
      )}
    </Alert>
  );
}

/** The check of the page does not detect a chain that was computed again as a whole. */
function HeadNote() {
  return (
    <Text size="sm">
      {texts.verifyWithHead}
      <Code>{texts.verifyCommand}</Code>
    </Text>
  );
}
