/** What went wrong, in words: what the server refused and why, or what stands between it and the browser. */
import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { ConnectionError, TesseraError } from "@tessera-server/client";
import { whyPath } from "../app/address.ts";
import { SignInError } from "../app/session.ts";
import type { ReactNode } from "react";
import { CopyButton } from "./copy.tsx";
import { Icon } from "./icons.tsx";
import { A } from "./link.tsx";

interface Words {
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string | undefined;
  /** Whether asking again may help. */
  readonly mayPass: boolean;
  /** Whether the server can say who would have to give what. */
  readonly hasReason: boolean;
}

/** What an error means to who reads it. */
export function wordsOf(error: unknown): Words {
  if (error instanceof TesseraError) return wordsOfServer(error);
  if (error instanceof SignInError) {
    return {
      title: "Not signed in",
      detail: error.message,
      requestId: error.requestId,
      mayPass: true,
      hasReason: false,
    };
  }
  if (error instanceof ConnectionError) {
    const title = error.kind === "timeout" ? "The server took too long" : "The server cannot be reached";
    return { title, detail: "Nothing was lost: what you see is from before.", mayPass: true, hasReason: false };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { title: "This screen failed", detail, mayPass: true, hasReason: false };
}

const TITLES: Readonly<Record<number, string>> = {
  400: "The server did not understand this",
  403: "Your token may not do this",
  404: "Not found",
  409: "It has changed meanwhile",
  422: "This cannot be saved",
  429: "Too many requests",
  503: "The server is not ready",
};

function wordsOfServer(error: TesseraError): Words {
  const { status, requestId, retryAfter } = error;
  const detail =
    error.errors.length > 1 ? error.errors.map((each) => each.detail ?? each.title).join("\n") : error.detail;
  const later = retryAfter === undefined ? "" : ` Come back in ${Math.ceil(retryAfter)} s.`;
  const missing = status === 404 ? "It is not there, or your token may not see it." : "";
  return {
    title: TITLES[status] ?? "The server failed",
    detail: `${detail === "" ? missing : detail}${later}`,
    requestId,
    mayPass: status === 429 || status >= 500,
    hasReason: status === 403 || status === 404,
  };
}

interface RefusalProps {
  readonly error: unknown;
  retry?(): void;
  /** What it means here, where that is more than the error itself tells. */
  readonly says?: Partial<Words>;
  /** Beside the other ways on. */
  readonly children?: ReactNode;
}

/** Shows a failure where its result would have been. */
export function Refusal({ error, retry, says, children }: RefusalProps) {
  const { title, detail, requestId, mayPass, hasReason } = { ...wordsOf(error), ...says };
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
