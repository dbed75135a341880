/** Search for leaked secrets that belong to active tokens. The secrets are sent to the server and not stored. */
import { Alert, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { useState } from "react";
import { placeOf, usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { linesOf } from "../../kit/identities.ts";
import { A } from "../../kit/link.tsx";
import { Card, Cards } from "../../kit/object-screen.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import * as texts from "../../texts/tokens.ts";
import { screenNames } from "../../texts/names.ts";

/** Maximum number of secrets in one request. */
const MOST = 1000;

/** The screen that looks for them. */
export function TokenLeaked() {
  const place = usePlace();
  const [text, setText] = useState("");
  const secrets = linesOf(text);
  const search = useMutation({
    mutationFn: async () => (await place.client.tokens.findLeaked({ body: { Secrets: [...secrets] } })).Live,
    gcTime: 0,
  });
  const live = search.data;
  return (
    <section aria-label={screenNames.tokens.leakedTitle}>
      <PageHead
        title={screenNames.tokens.leakedTitle}
        about={texts.leakedAbout}
        up={{ to: place.path("tokens"), title: screenNames.tokens.plural }}
      />
      <Cards>
        <Card title={texts.secretsTitle}>
          <Stack gap="md">
            <SecretsField
              text={text}
              count={secrets.length}
              change={(next) => {
                search.reset();
                setText(next);
              }}
            />
            <Group>
              <Button
                loading={search.isPending}
                disabled={secrets.length === 0 || secrets.length > MOST}
                leftSection={<Icon name="search" size={14} />}
                onClick={() => search.mutate()}
              >
                {texts.checkSecrets(secrets.length)}
              </Button>
            </Group>
          </Stack>
        </Card>
        <Card title={texts.resultTitle}>
          {search.isError && <Refusal error={search.error} />}
          {live === undefined && !search.isError && (
            <Text size="sm" c="dimmed">
              {texts.notCheckedYet}
            </Text>
          )}
          {live?.length === 0 && (
            <Alert color="teal" variant="outline" py={8} icon={<Icon name="check" />} role="status">
              {texts.noActiveSecrets}
            </Alert>
          )}
          {live !== undefined && live.length > 0 && <Living found={live} />}
        </Card>
      </Cards>
    </section>
  );
}

interface SecretsFieldProps {
  readonly text: string;
  readonly count: number;
  change(text: string): void;
}

function SecretsField({ text, count, change }: SecretsFieldProps) {
  return (
    <Textarea
      label={texts.secrets}
      description={texts.secretsHint(MOST)}
      autosize
      minRows={8}
      maxRows={20}
      spellCheck={false}
      autoComplete="off"
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      error={count > MOST ? texts.tooManySecrets(count, MOST) : undefined}
    />
  );
}

/** Active tokens whose secrets leaked, by line of the input. */
function Living({ found }: { found: BodyOf<"findLeakedTokens">["Live"] }) {
  const place = usePlace();
  return (
    <Stack gap="xs">
      <Alert color="red" variant="outline" py={8} icon={<Icon name="alert" />}>
        {texts.activeSecrets(found.length)}
      </Alert>
      {found.map(({ Position, AccessorID, Old, Namespace, Partition }) => (
        <Text key={Position} size="sm">
          {texts.leakedLine(Position + 1)}
          <A
            to={(Namespace === undefined
              ? place
              : placeOf({ partition: Partition ?? place.scope.partition, namespace: Namespace })
            ).path("tokens", AccessorID)}
            className="mono"
          >
            {AccessorID.slice(0, 8)}
          </A>
          {Old ? texts.isOldSecret : ""}
        </Text>
      ))}
    </Stack>
  );
}
