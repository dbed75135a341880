/** Number of workspaces that would violate the drafted rules, before they are saved. */
import { Loader, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { usePlace, type Place } from "../../base/place.ts";
import { organizationKey } from "../../base/queries.ts";
import form from "../../kit/form.module.css";
import { Refusal } from "../../kit/refusal.tsx";
import { problemsOf, ruleOf, type RuleDraft, type TagRule } from "./rules.ts";
import * as texts from "../../texts/tag-policies.ts";

type Effect = BodyOf<"checkTagPolicy">["data"]["attributes"];

/** Time without input after which rules are checked, in ms: each check reads all workspaces. */
const SETTLED = 500;

function effectQuery(place: Place, rules: readonly TagRule[]) {
  const organization = place.organization ?? "";
  return queryOptions({
    queryKey: organizationKey(organization, "workspaces", "draft-effect", rules),
    queryFn: async ({ signal }): Promise<Effect> => {
      const { data } = await place.client.tagPolicies.check({
        organization,
        body: { data: { type: "tag-policies", attributes: { rules: [...rules] } } },
        signal,
      });
      return data.attributes;
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}

/** Panel below the form of the tag policy; nothing while the rules have errors or there are none. */
export function DraftCheck({ rules }: { rules: readonly RuleDraft[] }) {
  const isSound = rules.length > 0 && Object.keys(problemsOf(rules)).length === 0;
  const [settled] = useDebouncedValue(rules, SETTLED);
  const query = useQuery({ ...effectQuery(usePlace(), settled.map(ruleOf)), enabled: isSound && settled === rules });
  if (!isSound) return null;
  return (
    <section className={form.panel} aria-label={texts.effectTitle} style={{ marginTop: 16 }}>
      <div className={form.panelTitle}>
        {texts.effectTitle}{" "}
        {query.isFetching && (
          <Loader size={12} role="img" aria-label={texts.effectLoading} style={{ verticalAlign: "middle" }} />
        )}
      </div>
      <div aria-live="polite" style={{ padding: "9px 14px" }}>
        {query.isError && <Refusal error={query.error} retry={() => void query.refetch()} />}
        {query.data !== undefined && !query.isError && <EffectText effect={query.data} />}
      </div>
    </section>
  );
}

function EffectText({ effect }: { effect: Effect }) {
  const { workspaces, "non-compliant": failing, "newly-non-compliant": newly, rules } = effect;
  return (
    <>
      <Text size="sm" fw={550}>
        {texts.wouldFail(failing, workspaces)}
      </Text>
      {failing > 0 && <Text size="sm">{texts.newlyFailing(newly)}</Text>}
      {rules
        .filter((rule) => rule["non-compliant"] > 0)
        .map((rule) => (
          <Text key={rule.name} size="sm" c="dimmed">
            {texts.failedByRule(rule.name, rule["non-compliant"])}
          </Text>
        ))}
    </>
  );
}
