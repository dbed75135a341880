/** May this do that? */
import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Search } from "../../app/address.ts";
import { usePlace, type Place } from "../../app/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import type { Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { asQuestion, type Question } from "../policies/queries.ts";
import { DecisionCard } from "./decision.tsx";
import { choicesQuery, mayQuery, type Asked } from "./queries.ts";
import { Sentence, useQuestion } from "./sentence.tsx";
import classes from "./why.module.css";

/** The tab. */
export function May() {
  const place = usePlace();
  const search = useSearch({ strict: false }) as Search;
  const asked: Asked = { as: search["as"] === "role" ? "role" : "token", id: search["of"] ?? "" };
  const question = useQuestion();
  const [as, setAs] = useState(asked.as);
  const [id, setId] = useState(asked.id);
  const isAsked = asked.id !== "" && question !== undefined;
  return (
    <>
      <Sentence
        label="May this do that?"
        more={{ as, of: id }}
        isReady={id !== ""}
        begin={
          <>
            <Text span fw={600}>
              May
            </Text>
            <Select
              aria-label="Who"
              data={[
                { value: "token", label: "the token" },
                { value: "role", label: "the role" },
              ]}
              value={as}
              onChange={(value) => {
                setAs(value === "role" ? "role" : "token");
                setId("");
              }}
              allowDeselect={false}
              w={120}
            />
            <WhoSelect key={as} place={place} as={as} id={id} choose={setId} />
          </>
        }
      />
      {isAsked ? (
        <Answer place={place} asked={asked} question={question} />
      ) : (
        <Text c="dimmed" size="sm" mt="lg">
          Choose a token or a role, and what it should do. The answer names the rule that decides.
        </Text>
      )}
    </>
  );
}

interface WhoSelectProps {
  readonly place: Place;
  readonly as: Asked["as"];
  readonly id: string;
  choose(id: string): void;
}

function WhoSelect({ place, as, id, choose }: WhoSelectProps) {
  const [text, setText] = useState("");
  const [typed] = useDebouncedValue(text, 150);
  // The label of what is chosen is no search.
  const query = useQuery(choicesQuery(place, as, id === "" ? typed : ""));
  const data = [...(query.data ?? [])];
  if (id !== "" && !data.some(({ value }) => value === id)) data.unshift({ value: id, label: id });
  return (
    <Select
      aria-label={as === "token" ? "Token" : "Role"}
      placeholder={as === "token" ? "Which token" : "Which role"}
      data={data}
      value={id === "" ? null : id}
      onChange={(value) => choose(value ?? "")}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={query.isFetching ? "Looking…" : "None is called so"}
      searchable
      clearable
      maxDropdownHeight={280}
      className={classes.who}
    />
  );
}

function Answer({ place, asked, question }: { place: Place; asked: Asked; question: Question }) {
  const query = useQuery(mayQuery(place, asked, question));
  const choices = useQuery(choicesQuery(place, asked.as, ""));
  if (query.isPending) return <ObjectSkeleton />;
  if (query.isError) {
    return (
      <div className={classes.result}>
        <Refusal error={query.error} retry={() => void query.refetch()} />
      </div>
    );
  }
  if (query.data === undefined) return null;
  const name = choices.data?.find(({ value }) => value === asked.id)?.label ?? asked.id.slice(0, 8);
  return (
    <div className={classes.result}>
      <DecisionCard decision={query.data} who={{ ...asked, name }} />
      <CodePanel plan={planOf(asked, name, question)} />
    </div>
  );
}

function planOf({ as, id }: Asked, name: string, question: Question): Plan {
  const { access, resource, segment } = question;
  const what = segment === "" ? [access, resource] : [access, resource, segment];
  return {
    operation: "explainDecisions",
    body: { ...(as === "token" ? { AccessorID: id } : { RoleID: id }), Questions: [asQuestion(question)] },
    command: ["can", ...what, "--explain", ...(as === "token" ? ["--token", id] : ["--role", name])],
  };
}
