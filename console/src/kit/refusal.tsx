/** Display of errors: a request that the server denied or rejected, with the reason, or a failed connection. */
import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { whyPath } from "../base/address.ts";
import { useState, type ReactNode } from "react";
import { CopyButton } from "./copy.tsx";
import { Icon } from "./icons.tsx";
import { A } from "./link.tsx";
import { ownerIn, ownerWords, takeOver } from "./owned.ts";
import { wordsOf, type Words } from "./refusal-words.ts";

export { wordsOf };

interface RefusalProps {
  readonly error: unknown;
  retry?(): void;
  /** Whether something would have been changed: without an answer it is not known whether it was. */
  readonly isWrite?: boolean;
  /** Words for this place, where they tell more than the error itself. */
  readonly says?: Partial<Words>;
  /** Beside the other ways on. */
  readonly children?: ReactNode;
}

/** Shows a failure where its result would have been. */
export function Refusal({ error, retry, isWrite = false, says, children }: RefusalProps) {
  const { title, detail, requestId, mayPass, hasReason } = { ...wordsOf(error, isWrite), ...says };
  return (
    <Alert
      variant="outline"
      color={hasReason ? "yellow" : "red"}
      icon={<Icon name={hasReason ? "lock" : "alert"} size={18} />}
      title={title}
      role="alert"
      maw={760}
    >
      <Stack gap="xs">
        {detail !== "" && (
          <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {detail}
          </Text>
        )}
        <Group gap="sm">
          {mayPass && retry !== undefined && (
            <Button variant="default" onClick={retry} leftSection={<Icon name="refresh" size={14} />}>
              Try again
            </Button>
          )}
          {children}
          <TakeOver error={error} />
          {requestId !== undefined && hasReason && <A to={whyPath(requestId)}>Why?</A>}
          {requestId !== undefined && (
            <Group gap={4}>
              <Text size="xs" c="dimmed">
                Request
              </Text>
              <Code>{requestId}</Code>
              <CopyButton value={requestId} what="the request ID" />
            </Group>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** Lets what was refused for its owner be sent again. */
function TakeOver({ error }: { error: unknown }) {
  const [taken, setTaken] = useState<unknown>();
  const owner = ownerIn(error);
  if (owner === undefined) return undefined;
  if (taken === error)
    return <Text size="sm">Now do it again: it is taken over from {ownerWords(owner)} this once.</Text>;
  const release = () => {
    takeOver(owner);
    setTaken(error);
  };
  return (
    <Button variant="default" onClick={release}>
      Take over
    </Button>
  );
}
