/** Display of errors: a request that the server denied or rejected, with the reason, or a failed connection. */
import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { whyPath } from "../base/address.ts";
import { useState, type ReactNode } from "react";
import { CopyButton } from "./copy.tsx";
import { Icon } from "./icons.tsx";
import { A } from "./link.tsx";
import { ownerIn, ownerWords, takeOver } from "./owned.ts";
import { wordsOf, type Words } from "./refusal-words.ts";
import * as texts from "../texts/kit-objects.ts";

export { wordsOf };

interface RefusalProps {
  readonly error: unknown;
  retry?(): void;
  /** True for a write: without a response its outcome is unknown. */
  readonly isWrite?: boolean;
  /** Failed operation with its object, such as `Could not save role web`. Default: the title names the cause. */
  readonly failed?: string | undefined;
  /** Words for this place, where they tell more than the error itself. */
  readonly says?: Partial<Words>;
  /** Beside the other ways on. */
  readonly children?: ReactNode;
}

/** Shows a failure where its result would have been. */
export function Refusal({ error, retry, isWrite = false, failed, says, children }: RefusalProps) {
  const { title, detail, requestId, mayPass, hasReason } = { ...wordsOf(error, isWrite, failed), ...says };
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
              {texts.retry}
            </Button>
          )}
          {children}
          <TakeOver error={error} />
          {requestId !== undefined && hasReason && <A to={whyPath(requestId)}>{texts.explainDenial}</A>}
          {requestId !== undefined && (
            <Group gap={4}>
              <Text size="xs" c="dimmed">
                {texts.requestId}
              </Text>
              <Code>{requestId}</Code>
              <CopyButton value={requestId} what={texts.copiedRequestId} />
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
  if (taken === error) return <Text size="sm">{texts.takenOver(ownerWords(owner))}</Text>;
  const release = () => {
    takeOver(owner);
    setTaken(error);
  };
  return (
    <Button variant="default" onClick={release}>
      {texts.takeOver}
    </Button>
  );
}
