/** Unused rights of a namespace, by days. The kind and the days are in the address. */
import { Alert, Select, Stack, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { Search } from "../../base/address.ts";
import { usePlace, type Place } from "../../base/place.ts";
import { dayText } from "../../kit/dates.ts";
import { isBuiltIn } from "../../kit/cells.tsx";
import { Icon, type IconName } from "../../kit/icons.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { screenNames } from "../../texts/names.ts";
import { reportQuery, type UseKind, type UseReport } from "./queries.ts";
import { UseTable } from "./table.tsx";
import * as texts from "../../texts/unused.ts";

const KINDS: readonly { readonly kind: UseKind; readonly title: string; readonly icon: IconName }[] = [
  { kind: "policy", title: texts.policies, icon: "policy" },
  { kind: "rule", title: texts.policyRules, icon: "rule" },
  { kind: "role", title: texts.roles, icon: "role" },
  { kind: "token", title: texts.tokens, icon: "key" },
  { kind: "binding-rule", title: texts.bindingRules, icon: "link" },
];
const DAYS = [7, 30, 60, 90, 120];

/** The screen. */
export function UnusedRights() {
  const place = usePlace();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const kind = KINDS.find((each) => each.kind === search["tab"])?.kind ?? "policy";
  const days = DAYS.find((each) => String(each) === search["days"]);
  const ask = (more: Search) => void navigate({ to: ".", replace: true, search: { ...search, ...more } });
  return (
    <section aria-label={screenNames.unused.title}>
      <PageHead title={screenNames.unused.title} about={texts.about} />
      {place.scope.namespace === "*" ? (
        <Text size="sm">{texts.chooseNamespace}</Text>
      ) : (
        <Tabs value={kind} keepMounted={false} onChange={(next) => ask({ tab: next ?? "policy" })}>
          <Tabs.List mb="md">
            {KINDS.map(({ kind: value, title, icon }) => (
              <Tabs.Tab key={value} value={value} leftSection={<Icon name={icon} size={14} />}>
                {title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={kind}>
            <Stack gap="md">
              <Select
                label={texts.unusedFor}
                data={[
                  { value: "", label: texts.allDays },
                  ...DAYS.map((each) => ({ value: String(each), label: texts.days(each) })),
                ]}
                value={String(days ?? "")}
                allowDeselect={false}
                onChange={(value) => ask({ days: value ?? "" })}
                w={200}
              />
              <Report key={kind} place={place} kind={kind} days={days} />
            </Stack>
          </Tabs.Panel>
        </Tabs>
      )}
    </section>
  );
}

function Report({ place, kind, days }: { place: Place; kind: UseKind; days: number | undefined }) {
  const query = useQuery(reportQuery(place, { by: kind, ...(days !== undefined && { "unused-for": `${days}d` }) }));
  if (query.isError) return <Refusal error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <ObjectSkeleton />;
  const { Entries: found, More } = query.data;
  // Built-in policies cannot be made smaller.
  const all = found.filter(({ Policy }) => Policy === undefined || !isBuiltIn(Policy));
  // Without a number of days: what was never used since use is recorded.
  const Entries = days === undefined ? all.filter(({ LastDay }) => LastDay === undefined) : all;
  return (
    <>
      <Reach report={query.data} kind={kind} />
      {Entries.length === 0 ? (
        <Text size="sm">{days === undefined ? texts.noneNever : texts.none(days)}</Text>
      ) : (
        <UseTable kind={kind} entries={Entries} place={place} />
      )}
      {More === true && (
        <Text size="xs" c="dimmed">
          {texts.more}
        </Text>
      )}
    </>
  );
}

function Reach({ report: { Since, IncompleteOn }, kind }: { report: UseReport; kind: UseKind }) {
  const isMatched = kind === "binding-rule";
  if (Since === undefined) {
    return (
      <Alert color="yellow" variant="outline" py={8} icon={<Icon name="alert" />}>
        {isMatched ? texts.matchedUnknown : texts.notRecorded}
      </Alert>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      {isMatched ? texts.matchedSince(dayText(Since)) : texts.recordedSince(dayText(Since))}
      {IncompleteOn !== undefined && ` ${texts.incomplete(dayText(IncompleteOn))}`}
    </Text>
  );
}
