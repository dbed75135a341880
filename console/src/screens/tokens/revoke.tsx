/** Deletes all tokens that fit a filter: those are shown first, and how far it is then. */
import { Alert, Button, Group, Progress, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { useState } from "react";
import { usePlace, type Place } from "../../base/place.ts";
import { scopedKey } from "../../base/queries.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { NameInput } from "../../kit/name-input.tsx";
import { Card, Cards } from "../../kit/object-screen.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { flagsOf, send, textFlag, type Members, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";

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
    <section aria-label="Revoke tokens">
      <PageHead
        title="Revoke tokens"
        about="Deletes the tokens of this namespace that fit all that is filled in. The anonymous one and your own stay."
        up={{ to: place.path("tokens"), title: "Tokens" }}
      />
      <Cards>
        <Card title="Which">
          <Stack gap="md">
            <FilterFields values={values} change={change} />
            {!isEmpty && <CodePanel plan={plan} />}
          </Stack>
        </Card>
        <Card title="What goes">
          <Stack gap="md">
            {isEmpty && <Hint>Fill in what they have in common.</Hint>}
            {!isEmpty && preview.isPending && <Hint>Counting…</Hint>}
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
        label="Not used for"
        description="Such as 90d."
        placeholder="90d"
        value={values.UnusedFor}
        onChange={({ currentTarget }) => change({ UnusedFor: currentTarget.value })}
      />
      <TextInput
        label="Description holds"
        description="In the same case."
        placeholder="laptop"
        value={values.Description}
        onChange={({ currentTarget }) => change({ Description: currentTarget.value })}
      />
      <NameInput
        noun="auth-methods"
        label="Made by auth method"
        description="Its name."
        value={values.AuthMethod}
        onChange={(AuthMethod) => change({ AuthMethod })}
      />
      <NameInput
        noun="roles"
        label="Has the role"
        description="Its name or ID."
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
        Revoke {total.toLocaleString()} {total === 1 ? "token" : "tokens"}
      </Button>
    </Group>
  );
}

function Preview({ found: { Total = 0, AccessorIDs = [] } }: { found: Revocation }) {
  const place = usePlace();
  if (Total === 0) return <Text role="status">No token fits.</Text>;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} role="status">
        {Total.toLocaleString()} {Total === 1 ? "token fits" : "tokens fit"}
      </Text>
      <Text size="sm">Whoever calls with one of them is refused from then on. This cannot be undone.</Text>
      <Group gap="2px 10px">
        {AccessorIDs.map((accessor) => (
          <A key={accessor} to={place.path("tokens", accessor)} className="mono">
            {accessor.slice(0, 8)}
          </A>
        ))}
      </Group>
      {Total > AccessorIDs.length && (
        <Text size="xs" c="dimmed">
          The first {AccessorIDs.length} are shown.
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
      <Alert color="red" variant="outline" title={`It stopped after ${Revoked.toLocaleString()}`}>
        {Reason}
      </Alert>
    );
  }
  return (
    <Stack gap="xs">
      <Progress
        value={Status === "done" ? 100 : Total === 0 ? 0 : (100 * Revoked) / Total}
        aria-label="How far it is"
      />
      <Text size="sm" role="status">
        {Status === "done" ? "Done: " : ""}
        {Revoked.toLocaleString()} of {Total.toLocaleString()} revoked
      </Text>
      {Status !== "done" && (
        <Text size="xs" c="dimmed">
          It goes on when you leave this page.
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
