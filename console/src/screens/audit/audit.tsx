/** Audit records of changes and denied requests, the newest first. The filters are in the address. */
import { Button, Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Search } from "../../base/address.ts";
import { usePlace, type Place } from "../../base/place.ts";
import { Activity } from "../../kit/activity.tsx";
import type { AuditRecord } from "../../kit/audit-record.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import classes from "./audit.module.css";
import { ExportMenu } from "./export-menu.tsx";
import { AuditFilters } from "./filters.tsx";
import { auditQuery, filtersOf } from "./queries.ts";
import { RecordItem } from "./record.tsx";
import { VerifyButton, VerifyResult, useVerification } from "./verification.tsx";
import * as texts from "../../texts/audit.ts";
import { screenNames } from "../../texts/names.ts";

const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" });

/** The screen, of a scope or of an organization. */
export function Audit() {
  const place = usePlace();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const query = useInfiniteQuery(auditQuery(place, search));
  const records = query.data?.pages.flatMap((page) => page.records) ?? [];
  const verification = useVerification(place, records);
  const change = (changed: Record<string, string>, isAll = false) =>
    void navigate({
      to: ".",
      replace: true,
      search: (before: Search) => (isAll ? changed : { ...before, ...changed }),
    });
  const isFiltered = Object.keys(filtersOf(search)).length > 0;
  return (
    <section aria-label={screenNames.audit.title}>
      <PageHead
        title={screenNames.audit.title}
        about={aboutOf(place)}
        actions={
          <Group gap="xs">
            <VerifyButton verification={verification} />
            <ExportMenu filters={filtersOf(search)} />
          </Group>
        }
      />
      {place.organization === undefined && (
        <div className={classes.activity}>
          <Activity
            place={place}
            from={search["from"] ?? ""}
            to={search["to"] ?? ""}
            choose={(from, to) => change({ from, to })}
          />
        </div>
      )}
      <AuditFilters search={search} change={change} isFiltered={isFiltered} />
      <VerifyResult verification={verification} />
      {query.isPending && <ObjectSkeleton />}
      {query.isError && <Refusal error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && records.length === 0 && (
        <Text c="dimmed" size="sm" role="status">
          {isFiltered ? texts.noMatch : texts.empty}
        </Text>
      )}
      <Days records={records} />
      {query.hasNextPage && (
        <Button mt="md" variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
          {texts.showOlder}
        </Button>
      )}
      {records.length > 0 && (
        <Text size="xs" c="dimmed" mt="sm" role="status">
          {texts.recordCount(records.length, query.hasNextPage)}
        </Text>
      )}
    </section>
  );
}

function aboutOf({ organization, scope: { namespace } }: Place): string {
  if (organization !== undefined) return texts.organizationAbout(organization);
  return texts.about(namespace === "*" ? undefined : namespace);
}

function Days({ records }: { records: readonly AuditRecord[] }) {
  return daysOf(records).map(({ day, records: those }) => (
    <section key={day} aria-label={day}>
      <h2 className={classes.day}>{day}</h2>
      <ol className={classes.records}>
        {those.map((record, index) => (
          <RecordItem key={record.Hash ?? `${record.Time} ${record.RequestID} ${index}`} record={record} />
        ))}
      </ol>
    </section>
  ));
}

/** Records by the days of the viewer's zone. */
function daysOf(records: readonly AuditRecord[]): readonly { day: string; records: readonly AuditRecord[] }[] {
  const days: { day: string; records: AuditRecord[] }[] = [];
  for (const record of records) {
    const at = Date.parse(record.Time);
    const day = Number.isNaN(at) ? record.Time : DAY.format(at);
    const last = days.at(-1);
    if (last?.day === day) last.records.push(record);
    else days.push({ day, records: [record] });
  }
  return days;
}
