/** Tells in passing that something was refused, with what leads to the reason. */
import { Anchor, Code, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { BASE_PATH, whyPath } from "../base/address.ts";
import { CopyButton } from "./copy.tsx";
import { wordsOf } from "./refusal-words.ts";
import * as texts from "../texts/kit-objects.ts";

/** It has an ID to be copied, so it stays for so many ms. */
const STAYS = 30_000;

/** Shows it. @param given `title` says what was not done, `isWrite` whether something would have been changed */
export function notifyRefusal(error: unknown, { title, isWrite = false }: { title?: string; isWrite?: boolean } = {}) {
  const words = wordsOf(error, isWrite, title);
  const { requestId, hasReason } = words;
  notifications.show({
    color: "red",
    title: words.title,
    autoClose: STAYS,
    message: (
      <>
        <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {words.detail === "" ? words.title : words.detail}
        </Text>
        {requestId !== undefined && (
          <Group gap={6} mt={4}>
            {/* Messages lie outside of the router. In a window of its own: what is written on the page stays. */}
            {hasReason && (
              <Anchor size="sm" href={`${BASE_PATH}${whyPath(requestId).slice(1)}`} target="_blank">
                {texts.explainDenial}
              </Anchor>
            )}
            <Text size="xs" c="dimmed">
              {texts.requestId}
            </Text>
            <Code>{requestId}</Code>
            <CopyButton value={requestId} what={texts.copiedRequestId} />
          </Group>
        )}
      </>
    ),
  });
}
