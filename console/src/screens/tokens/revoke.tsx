/** Deletes all tokens that fit a filter: those are shown first, and how far it is then. */
import { Alert, Button, Group, Progress, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { useState } from "react";
import { usePlace, type Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import { Actor } from "../../kit/actor.tsx";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon } from "../../kit/icons.tsx";
import { NameInput } from "../../kit/name-input.tsx";
import { Card, Cards } from "../../kit/object-screen.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { flagsOf, send, textFlag, type Members, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import * as texts from "../../texts/tokens.ts";
import { screenNames } from "../../texts/names.ts";

type Revocation = BodyOf<"readTokenRevocation">;

const EMPTY = { UnusedFor: "", AuthMethod: "", Role: "", Description: "" };

const FLAGS = {
  UnusedFor: textFlag("unused-for"),
  AuthMethod: textFlag("auth-method"),
  Role: textFlag("role"),
  Description: textFlag("description"),
};

function previewQuery(place: Place, filter: Members) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "tokens", "revocation", filter),
    queryFn: async ({ signal }) => {
      const asked = { query: { preview: true }, body: filter, signal };
      return (await place.client.request<Revocation>("revokeTokens", asked)).body;
    },
    placeholderData: keepPreviousData,
  });
}

function jobQuery(place: Place, id: string) {
  return queryOptions({
    queryKey: scopedKey(place.scope, "tokens", "revocation", "job", id),
    queryFn: async ({ signal }) =>
      (await place.client.request<Revocation>("readTokenRevocation", { path: { id }, signal })).body,
    refetchInterval: ({ state }) => (state.data === undefined || isUnderWay(state.data) ? 1000 : false),
  });
}

function isUnderWay({ Status }: Revocation): boolean {
  return Status === "queued" || Status === "running";
}

/** The screen that revokes. */
export function TokenRevoke() {
  const place = usePlace();
  const queries = useQueryClient();
  const [values, setValues] = useState(EMPTY);
  const [settled] = useDebouncedValue(values, 300);
  const filter = given(settled);
  const isEmpty = Object.keys(filter).length === 0;
  const preview = useQuery({ ...previewQuery(place, filter), enabled: !isEmpty });
  const plan: Plan = {
    operation: "revokeTokens",
    body: given(values),
    command: ["token", "revoke", ...flagsOf(given(values), FLAGS), "--yes"],
  };
  const start = useMutation({
    mutationFn: async () => (await send(plan, place)) as Revocation,
    onSuccess: async () => queries.invalidateQueries({ queryKey: scopedKey(place.scope, "tokens") }),
  });
  const change = (changed: Partial<typeof EMPTY>) => {
    start.reset();
    setValues({ ...values, ...changed });
  };
  const found = isEmpty ? undefined : preview.data;
  const isSettled = settled === values && !preview.isFetching;
  return (
    <section aria-label={screenNames.tokens.revokeTitle}>
      <PageHead
        title={screenNames.tokens.revokeTitle}
        about={texts.revokeAbout}
        up={{ to: place.path("tokens"), title: screenNames.tokens.plural }}
      />
      <Cards>
        <Card title={texts.filterTitle}>
          <Stack gap="md">
            <FilterFields values={values} change={change} />
            {!isEmpty && <CodePanel plan={plan} />}
          </Stack>
        </Card>
        <Card title={texts.matchesTitle}>
          <Stack gap="md">
            {isEmpty && <Hint>{texts.filterHint}</Hint>}
            {!isEmpty && preview.isPending && <Hint>{texts.counting}</Hint>}
            {!isEmpty && preview.isError && <Refusal error={preview.error} />}
            {start.data === undefined && found !== undefined && !preview.isError && <Preview found={found} />}
            {start.isError && <Refusal error={start.error} isWrite />}
            {start.data?.ID !== undefined && <Job id={start.data.ID} />}
            {start.data === undefined && found !== undefined && (found.Total ?? 0) > 0 && (
              <RevokeButton
                total={found.Total ?? 0}
                isReady={isSettled && !preview.isError}
                isStarting={start.isPending}
                act={() => start.mutate()}
              />
            )}
          </Stack>
        </Card>
      </Cards>
    </section>
  );
}

interface FilterProps {
  readonly values: typeof EMPTY;
  change(changed: Partial<typeof EMPTY>): void;
}

/** Fields for the things that the tokens have in common. */
function FilterFields({ values, change }: FilterProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={texts.notUsedFor}
        description={texts.notUsedForHint}
        placeholder={texts.notUsedForExample}
        value={values.UnusedFor}
        onChange={({ currentTarget }) => change({ UnusedFor: currentTarget.value })}
      />
      <TextInput
        label={texts.descriptionContains}
        description={texts.descriptionContainsHint}
        placeholder={texts.descriptionContainsExample}
        value={values.Description}
        onChange={({ currentTarget }) => change({ Description: currentTarget.value })}
      />
      <NameInput
        noun="auth-methods"
        label={texts.createdByMethod}
        description={texts.createdByMethodHint}
        value={values.AuthMethod}
        onChange={(AuthMethod) => change({ AuthMethod })}
      />
      <NameInput
        noun="roles"
        label={texts.hasRole}
        description={texts.hasRoleHint}
        value={values.Role}
        onChange={(Role) => change({ Role })}
      />
    </SimpleGrid>
  );
}

function Hint({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

interface RevokeButtonProps {
  readonly total: number;
  /** Whether the tokens that are shown are those that the filter says now. */
  readonly isReady: boolean;
  readonly isStarting: boolean;
  act(): void;
}

function RevokeButton({ total, isReady, isStarting, act }: RevokeButtonProps) {
  return (
    <Group>
      <Button
        color="red"
        disabled={!isReady}
        loading={isStarting}
        leftSection={<Icon name="trash" size={14} />}
        onClick={act}
      >
        {texts.revokeCount(total)}
      </Button>
    </Group>
  );
}

function Preview({ found: { Total = 0, AccessorIDs = [] } }: { found: Revocation }) {
  if (Total === 0) return <Text role="status">{texts.noMatch}</Text>;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} role="status">
        {texts.matching(Total)}
      </Text>
      <Text size="sm">{texts.deleteManyWarning}</Text>
      <Group gap="2px 10px">
        {AccessorIDs.map((accessor) => (
          <Actor key={accessor} actor={{ AccessorID: accessor }} />
        ))}
      </Group>
      {Total > AccessorIDs.length && (
        <Text size="xs" c="dimmed">
          {texts.firstShown(AccessorIDs.length, Total)}
        </Text>
      )}
    </Stack>
  );
}

function Job({ id }: { id: string }) {
  const place = usePlace();
  const query = useQuery(jobQuery(place, id));
  if (query.isError) return <Refusal error={query.error} retry={() => void query.refetch()} />;
  const { Status = "queued", Total = 0, Revoked = 0, Reason } = query.data ?? {};
  if (Status === "failed") {
    return (
      <Alert color="red" variant="outline" title={texts.revokeFailed(Revoked)}>
        {Reason}
      </Alert>
    );
  }
  return (
    <Stack gap="xs">
      <Progress
        value={Status === "done" ? 100 : Total === 0 ? 0 : (100 * Revoked) / Total}
        aria-label={texts.progress}
      />
      <Text size="sm" role="status">
        {texts.revokedCount(Status === "done", Revoked, Total)}
      </Text>
      {Status !== "done" && (
        <Text size="xs" c="dimmed">
          {texts.revokeContinues}
        </Text>
      )}
    </Stack>
  );
}

function given(values: typeof EMPTY): Members {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  );
}
