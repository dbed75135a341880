/** Effective permissions of a subject: what it may do, by which policy and line; beside another one, and at an earlier time. */
import { Alert, Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { MATRIX_RESOURCES } from "../../../../packages/model/rule-kinds.ts";
import type { Search } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { momentText } from "../../kit/dates.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon } from "../../kit/icons.tsx";
import type { Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { WhoSelect } from "../why/may.tsx";
import { effectiveQuery, type Asked, type Effective, type SubjectQuery } from "./queries.ts";
import { Table } from "./table.tsx";
import classes from "./effective.module.css";
import * as texts from "../../texts/effective.ts";

const OTHERS = [
  { value: "", label: texts.nothing },
  { value: "token", label: texts.aToken },
  { value: "role", label: texts.aRole },
  { value: "method", label: texts.anAuthMethod },
];
const KINDS = { token: "accessor", role: "role", method: "auth-method" } as const;
type OtherKind = keyof typeof KINDS;

/** The tab of an object. */
export function EffectivePermissions({ of }: { of: SubjectQuery }) {
  const place = usePlace();
  const search = useSearch({ strict: false }) as Search;
  const asked: Asked = { resource: search["resource"] ?? "", with: search["with"] ?? "", at: search["at"] ?? "" };
  const query = useInfiniteQuery(effectiveQuery(place, of, asked));
  const pages = query.data?.pages ?? [];
  const [page] = pages;
  return (
    <Stack gap="md">
      <Tools asked={asked} hasPast={of["auth-method"] === undefined} />
      {query.isPending && <ObjectSkeleton />}
      {query.isError && <Refusal error={query.error} retry={() => void query.refetch()} />}
      {page !== undefined && (
        <div className={classes.result} aria-live="polite">
          <Notes table={page.table} isHidden={pages.some(({ isHidden }) => isHidden)} />
          <Table
            rows={pages.flatMap(({ table }) => table.Entries)}
            isCompared={page.table.With !== undefined}
            isLinked={asked.at === ""}
          />
          {query.hasNextPage && (
            <Button
              variant="default"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
              className={classes.more ?? ""}
            >
              {texts.showMore}
            </Button>
          )}
          <CodePanel plan={planOf(of, asked)} />
        </div>
      )}
    </Stack>
  );
}

function Tools({ asked, hasPast }: { asked: Asked; hasPast: boolean }) {
  const place = usePlace();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const ask = (more: Partial<Asked>) => void navigate({ to: ".", replace: true, search: { ...search, ...more } });
  const known = (Object.keys(KINDS) as OtherKind[]).find((each) => asked.with.startsWith(`${KINDS[each]}:`));
  const [kind, setKind] = useState<OtherKind | undefined>(known);
  const id = kind === undefined || kind !== known ? "" : asked.with.slice(KINDS[kind].length + 1);
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label={texts.resource}
        data={[{ value: "", label: texts.allResources }, ...MATRIX_RESOURCES]}
        value={asked.resource}
        allowDeselect={false}
        onChange={(value) => ask({ resource: value ?? "" })}
        w={150}
      />
      <Select
        label={texts.compareWith}
        data={OTHERS}
        value={kind ?? ""}
        allowDeselect={false}
        onChange={(value) => {
          const next = (Object.keys(KINDS) as OtherKind[]).find((each) => each === value);
          setKind(next);
          if (asked.with !== "") ask({ with: "" });
        }}
        w={150}
      />
      {kind !== undefined && (
        <WhoSelect
          key={kind}
          place={place}
          as={kind}
          id={id}
          choose={(chosen) => ask({ with: chosen === "" ? "" : `${KINDS[kind]}:${chosen}` })}
        />
      )}
      {hasPast && (
        <TextInput
          type="datetime-local"
          label={texts.atTime}
          value={localOf(asked.at)}
          onChange={(event) => {
            const at = new Date(event.currentTarget.value);
            ask({ at: Number.isNaN(at.getTime()) ? "" : at.toISOString() });
          }}
        />
      )}
      {asked.at !== "" && (
        <Button variant="default" leftSection={<Icon name="refresh" size={14} />} onClick={() => ask({ at: "" })}>
          {texts.now}
        </Button>
      )}
    </Group>
  );
}

/** A time of the viewer's zone; the address has it in UTC. */
function localOf(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function Notes({ table, isHidden }: { table: Effective; isHidden: boolean }) {
  const { At, Damage, Subject, DefaultPolicy, Entries, With } = table;
  const computed = Subject.Computed?.length ?? 0;
  return (
    <Stack gap={4}>
      {Damage !== undefined && (
        <Alert color="red" icon={<Icon name="alert" />}>
          {texts.damaged(Damage.Reason)}
        </Alert>
      )}
      {At !== undefined && <Text size="sm">{texts.asOf(momentText(At))}</Text>}
      {Entries.length === 0 && <Text size="sm">{With === undefined ? texts.none : texts.noDifference}</Text>}
      <Text size="sm" c="dimmed">
        {texts.rest(DefaultPolicy)}
      </Text>
      {computed > 0 && (
        <Text size="sm" c="dimmed">
          {texts.computed(computed)}
        </Text>
      )}
      {isHidden && (
        <Text size="sm" c="dimmed">
          {texts.incomplete}
        </Text>
      )}
    </Stack>
  );
}

const FLAGS = {
  accessor: "--token",
  role: "--role",
  "auth-method": "--auth-method",
  "namespace-defaults": "--namespace-defaults",
} as const;

function planOf(of: SubjectQuery, asked: Asked): Plan {
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ""));
  const subject = Object.entries(of).flatMap(([name, value]) => [FLAGS[name as keyof typeof FLAGS], value]);
  const more = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  return { operation: "listEffective", query: { ...of, ...given }, command: ["effective", ...subject, ...more] };
}
