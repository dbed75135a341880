/**
 * Login workbench: explains the result of a login, and shows the live effect of a binding rule while the user writes
 * it.
 */
import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Search } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { LinkButton } from "../../kit/link.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { DraftRule, draftOf, EMPTY_DRAFT } from "./draft-rule.tsx";
import { askedOf, EMPTY_GIVEN, GivenCard, type Given } from "./given.tsx";
import classes from "./login.module.css";
import { Outcome } from "./outcome.tsx";
import { explainQuery, methodsQuery, type Method } from "./queries.ts";
import * as texts from "../../texts/login.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen. */
export function LoginWorkbench() {
  const place = usePlace();
  const methods = useQuery(methodsQuery(place));
  return (
    <section aria-label={screenNames.login.title}>
      <PageHead title={screenNames.login.title} about={texts.subtitle} />
      {methods.isPending && <ObjectSkeleton />}
      {methods.isError && <Refusal error={methods.error} retry={() => void methods.refetch()} />}
      {methods.data?.length === 0 && (
        <>
          <Text c="dimmed" size="sm" mb="sm">
            {texts.noMethods}
          </Text>
          <LinkButton to={place.path("auth-methods", "new")}>{texts.newMethod}</LinkButton>
        </>
      )}
      {methods.data !== undefined && methods.data.length > 0 && <Bench methods={methods.data} />}
    </section>
  );
}

function Bench({ methods }: { methods: readonly Method[] }) {
  const place = usePlace();
  const search = useSearch({ strict: false }) as Search;
  const [given, setGiven] = useState<Given>(() => ({
    ...EMPTY_GIVEN,
    method: methods.find(({ Name }) => Name === search["method"])?.Name ?? methods[0]?.Name ?? "",
  }));
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const { asked, problem } = useMemo(() => askedOf(given, draftOf(draft)), [given, draft]);
  const [settled] = useDebouncedValue(asked, 250);
  const query = useQuery(explainQuery(place, settled));
  const explanation = settled === undefined ? undefined : query.data;
  const adopt = (test: string) =>
    setDraft((before) => ({
      ...before,
      selector: before.selector.trim() === "" ? test : `${before.selector.trim()} and ${test}`,
    }));
  return (
    <div className={classes.bench}>
      <div className={classes.column}>
        <GivenCard methods={methods} given={given} change={setGiven} problem={problem} />
        <DraftRule
          method={given.method}
          draft={draft}
          change={setDraft}
          result={explanation?.BindingRule}
          isAsked={settled !== undefined}
        />
      </div>
      <div className={classes.column} aria-live="polite">
        {query.isError && settled !== undefined && <Refusal error={query.error} retry={() => void query.refetch()} />}
        {settled === undefined && (
          <Text size="sm" c="dimmed">
            {texts.startHint}
          </Text>
        )}
        {settled !== undefined && query.isPending && <ObjectSkeleton />}
        {explanation !== undefined && !query.isError && (
          <Outcome explanation={explanation} method={given.method} adopt={adopt} />
        )}
      </div>
    </div>
  );
}
