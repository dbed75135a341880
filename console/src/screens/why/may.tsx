/** May this do that? */
import { Select, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Search } from "../../base/address.ts";
import { usePlace, type Place } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import type { Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { DecisionCard } from "./decision.tsx";
import { bodyOf, choicesQuery, claimsOf, mayQuery, SUBJECTS, type WhySubject, type Deed } from "./queries.ts";
import { Sentence, useQuestion, useRequest } from "./sentence.tsx";
import classes from "./why.module.css";
import * as texts from "../../texts/why.ts";

const SUBJECT_CHOICES = [
  { value: "token", label: texts.aToken },
  { value: "role", label: texts.aRole },
  { value: "method", label: texts.aLogin },
];
const FIELDS = {
  token: { label: texts.token, placeholder: texts.chooseToken },
  role: { label: texts.role, placeholder: texts.chooseRole },
  method: { label: texts.authMethod, placeholder: texts.chooseMethod },
} as const;
const CLAIMS = texts.claimsExample;

/** The tab. */
export function May() {
  const place = usePlace();
  const search = useSearch({ strict: false }) as Search;
  const asked: WhySubject = { as: subjectIn(search["as"]), id: search["of"] ?? "", claims: search["claims"] ?? "" };
  const question = useQuestion();
  const request = useRequest();
  const deed: Deed | undefined = request === undefined ? question : { request };
  const [as, setAs] = useState(asked.as);
  const [id, setId] = useState(asked.id);
  const [claims, setClaims] = useState(asked.claims === "" ? CLAIMS : asked.claims);
  const isMethod = as === "method";
  const hasClaims = claimsOf(claims) !== undefined;
  const isAsked = asked.id !== "" && (asked.as !== "method" || claimsOf(asked.claims) !== undefined);
  return (
    <>
      <Sentence
        label={texts.checkAccess}
        more={{ as, of: id, ...(isMethod ? { claims } : {}) }}
        isReady={id !== "" && (!isMethod || hasClaims)}
        takesRequests
        begin={
          <>
            <Text span fw={600}>
              {texts.can}
            </Text>
            <Select
              aria-label={texts.subject}
              data={SUBJECT_CHOICES}
              value={as}
              onChange={(value) => {
                setAs(subjectIn(value ?? undefined));
                setId("");
              }}
              allowDeselect={false}
              w={150}
            />
            <WhoSelect key={as} place={place} as={as} id={id} choose={setId} />
          </>
        }
        below={isMethod && <ClaimsField claims={claims} isValid={hasClaims} change={setClaims} />}
      />
      {isAsked && deed !== undefined ? (
        <Answer place={place} asked={asked} deed={deed} />
      ) : (
        <Text c="dimmed" size="sm" mt="lg">
          {texts.checkHint}
        </Text>
      )}
    </>
  );
}

interface ClaimsFieldProps {
  readonly claims: string;
  readonly isValid: boolean;
  change(claims: string): void;
}

function ClaimsField({ claims, isValid, change }: ClaimsFieldProps) {
  return (
    <Textarea
      label={texts.claims}
      description={texts.claimsHint}
      className={classes.claims}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      value={claims}
      error={isValid ? undefined : texts.claimsInvalid}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

function subjectIn(text: string | undefined): WhySubject["as"] {
  return SUBJECTS.find((each) => each === text) ?? "token";
}

interface WhoSelectProps {
  readonly place: Place;
  readonly as: WhySubject["as"];
  readonly id: string;
  choose(id: string): void;
}

/** A field for one of the tokens, roles or auth methods. */
export function WhoSelect({ place, as, id, choose }: WhoSelectProps) {
  const [text, setText] = useState("");
  const [typed] = useDebouncedValue(text, 150);
  // The label of what is chosen is no search.
  const query = useQuery(choicesQuery(place, as, id === "" ? typed : ""));
  // The selected entry keeps its label while its list loads. Results for an earlier text are not offered.
  const isEarlier = id === "" && (query.isPlaceholderData || typed !== text);
  const data = isEarlier ? [] : [...(query.data ?? [])];
  if (id !== "" && !data.some(({ value }) => value === id)) data.unshift({ value: id, label: id });
  return (
    <Select
      aria-label={FIELDS[as].label}
      placeholder={FIELDS[as].placeholder}
      data={data}
      value={id === "" ? null : id}
      onChange={(value) => choose(value ?? "")}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={query.isFetching || isEarlier ? texts.searching : texts.noMatches}
      searchable
      clearable
      maxDropdownHeight={280}
      className={classes.who}
    />
  );
}

function Answer({ place, asked, deed }: { place: Place; asked: WhySubject; deed: Deed }) {
  const query = useQuery(mayQuery(place, asked, deed));
  const choices = useQuery(choicesQuery(place, asked.as, ""));
  if (query.isPending) return <ObjectSkeleton />;
  if (query.isError) {
    return (
      <div className={classes.result}>
        <Refusal error={query.error} retry={() => void query.refetch()} />
      </div>
    );
  }
  const { decision, refusal } = query.data;
  if (decision === undefined) return null;
  const short = asked.as === "method" ? asked.id : asked.id.slice(0, 8);
  const name = choices.data?.find(({ value }) => value === asked.id)?.label ?? short;
  return (
    <div className={classes.result}>
      <DecisionCard decision={decision} who={{ ...asked, name, refusal }} />
      <CodePanel plan={planOf(asked, name, deed)} />
    </div>
  );
}

function planOf(asked: WhySubject, name: string, deed: Deed): Plan {
  const { as, id, claims } = asked;
  const who = {
    token: ["--token", id],
    role: ["--role", name],
    method: ["--auth-method", id, "--claims", claims],
  }[as];
  return {
    operation: "explainDecisions",
    body: bodyOf(asked, deed),
    command: ["can", ...wordsOf(deed), "--explain", ...who],
  };
}

function wordsOf(deed: Deed): readonly string[] {
  if ("request" in deed) return [deed.request];
  return [deed.access, deed.resource, ...(deed.segment === "" ? [] : [deed.segment])];
}
