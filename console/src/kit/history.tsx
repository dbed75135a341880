/** History of an object from the audit records: who changed it, when, and the differences. */
import { Button, Group, Stack, Text, Timeline } from "@mantine/core";
import {
  infiniteQueryOptions,
  useInfiniteQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";
import { placeOf, usePlace, type Place } from "../base/place.ts";
import { organizationKey, scopedKey } from "../base/queries.ts";
import { Actor } from "./actor.tsx";
import type { AuditRecord } from "./audit-record.ts";
import { Changes } from "./changes.tsx";
import { changesOfDelta, changesOfTags, unfolded } from "./delta.ts";
import { Icon } from "./icons.tsx";
import type { Marked } from "./kind.ts";
import { LinkButton } from "./link.tsx";
import { readOrganizationRecords } from "./organization-records.ts";
import { iconOfAction } from "./records.tsx";
import { Refusal } from "./refusal.tsx";
import { ObjectSkeleton } from "./skeletons.tsx";
import { Time } from "./time.tsx";
import { visible } from "./visible.ts";
import * as texts from "../texts/kit-objects.ts";

const SIZE = 20;
/** Records per page for a kind whose objects have no visible ID: the records of one object are filtered from these. */
const MANY = 200;

/** Records of one object of an organization, the newest first. */
export function organizationHistoryQuery(place: Place, kind: string, id: string) {
  return infiniteQueryOptions({
    queryKey: organizationKey(place.organization ?? "", "audit", "of", kind, id),
    queryFn: async ({ pageParam, signal }) => {
      const after = pageParam === "" ? undefined : pageParam;
      const query = { "filter[kind]": kind, "filter[object]": id, "page[size]": SIZE, "page[after]": after };
      return readOrganizationRecords(place, query, signal);
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

/** Records of one object of `/v1`, the newest first. */
export function historyQuery(place: Place, kind: string, id: string, isByName = false) {
  return infiniteQueryOptions({
    queryKey: scopedKey(place.scope, "audit", "of", kind, id),
    queryFn: async ({ pageParam, signal }) => {
      const which = isByName ? { "page-size": MANY } : { object: id, "page-size": SIZE };
      const query = { kind, ...which, after: pageParam === "" ? undefined : pageParam };
      const { body, headers } = await place.client.request<readonly AuditRecord[]>("listAudit", { query, signal });
      const records = isByName ? body.filter(({ Name }) => Name === id) : body;
      return { records, next: headers.get("x-service-next") ?? undefined };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => (next === "" ? undefined : next),
  });
}

interface HistoryProps {
  readonly kind: string;
  readonly id: string;
  /** Namespaces and partitions are in no namespace: their records are in `default`. */
  readonly isHome?: boolean;
  /** The partition of these, where it is not that of the address. */
  readonly partition?: string | undefined;
  /** `id` is the name: the API does not show the ID in the records of auth methods. */
  readonly isByName?: boolean;
  /** Returns the path to the form that restores a version; undefined when the caller may not write. */
  restore?: ((version: number) => string) | undefined;
}

/** The history of an object. */
export function History({ kind, id, isHome = false, partition, isByName = false, restore }: HistoryProps) {
  const here = usePlace();
  const place = isHome ? placeOf({ partition: partition ?? here.scope.partition, namespace: "default" }) : here;
  return <Records query={useInfiniteQuery(historyQuery(place, kind, id, isByName))} restore={restore} />;
}

/** The history of an object of an organization. @param none what it means that there is none */
export function OrganizationHistory({ kind, id, none }: { kind: string; id: string; none?: string }) {
  return <Records query={useInfiniteQuery(organizationHistoryQuery(usePlace(), kind, id))} none={none} />;
}

type Found = UseInfiniteQueryResult<InfiniteData<{ readonly records: readonly AuditRecord[] }>>;

const TOO_OLD = texts.historyEmpty;

interface RecordsProps extends Pick<HistoryProps, "restore"> {
  readonly query: Found;
  readonly none?: string | undefined;
}

function Records({ query, none = TOO_OLD, restore }: RecordsProps) {
  if (query.isPending) return <ObjectSkeleton />;
  if (query.isError) return <Refusal error={query.error} retry={() => void query.refetch()} />;
  const records = query.data.pages.flatMap((page) => page.records);
  if (records.length === 0 && !query.hasNextPage)
    return (
      <Text size="sm" c="dimmed" maw={620}>
        {none}
      </Text>
    );
  return (
    <Stack gap="md" maw={860}>
      <Timeline bulletSize={24} lineWidth={1}>
        {records.map((record, index) => (
          <Timeline.Item
            key={record.Hash ?? `${record.Time} ${index}`}
            bullet={<Icon name={iconOfAction(record.Action)} size={13} />}
            title={<RecordTitle record={record} />}
          >
            <RecordBody record={record} />
            {restore !== undefined && <RestoreLink record={record} newest={records} restore={restore} />}
          </Timeline.Item>
        ))}
      </Timeline>
      {query.hasNextPage && (
        <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
          {texts.historyMore}
        </Button>
      )}
    </Stack>
  );
}

/** Link to the form with an earlier version. The newest version is what the object is now. */
function RestoreLink({
  record,
  newest,
  restore,
}: {
  record: AuditRecord;
  newest: readonly AuditRecord[];
  restore(version: number): string;
}) {
  const version = versionOf(record);
  const last = Math.max(0, ...newest.map((each) => versionOf(each) ?? 0));
  if (version === undefined || version === last) return null;
  return (
    <LinkButton to={restore(version)} variant="default" size="compact-xs" mt={4}>
      {texts.restore}
    </LinkButton>
  );
}

/** ModifyIndex that a write has given the object. */
function versionOf({ Outcome, Changes: changes }: AuditRecord): number | undefined {
  if (Outcome !== "done" || typeof changes !== "object" || changes === null) return undefined;
  if (Array.isArray(changes)) return changes.length === 1 ? (changes[0] as Marked).ModifyIndex : undefined;
  const { ModifyIndex: index } = changes as { ModifyIndex?: readonly number[] };
  return index?.at(-1);
}

function RecordTitle({ record }: { record: AuditRecord }) {
  return (
    <Group gap={6}>
      <Text size="sm" fw={600}>
        {texts.historyEntry(
          record.Action.charAt(0).toUpperCase() + record.Action.slice(1).replaceAll("-", " "),
          record.Outcome === "refused",
        )}
      </Text>
      <Text size="sm" c="dimmed">
        <Time value={record.Time} />
      </Text>
    </Group>
  );
}

function RecordBody({ record }: { record: AuditRecord }) {
  const { Address: address } = record.Actor;
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        {texts.historyBy}
        <Actor actor={record.Actor} />
        {address === undefined ? "" : texts.historyFrom(address)}
      </Text>
      {record.ChangeReason !== undefined && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {texts.historyReason(visible(record.ChangeReason))}
        </Text>
      )}
      <Changes
        changes={[...unfolded(changesOfDelta(record.Changes)), ...changesOfTags(record.Detail)]}
        none={texts.historyNoChanges}
      />
    </Stack>
  );
}
