/** Why was this request refused? By the ID that every answer of the server carries. */
import { Button, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { TesseraError } from "@tessera-server/client";
import { useState, type SubmitEvent } from "react";
import type { Search } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { Actor } from "../../kit/actor.tsx";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Field, Fields } from "../../kit/object-screen.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { Time } from "../../kit/time.tsx";
import { DecisionCard } from "./decision.tsx";
import { refusedQuery, type Refused } from "./queries.ts";
import classes from "./why.module.css";
import * as texts from "../../texts/why.ts";

/** The tab. */
export function RefusedRequest() {
  const place = usePlace();
  const navigate = useNavigate();
  const { request = "" } = useSearch({ strict: false }) as Search;
  const [text, setText] = useState(request);
  const query = useQuery(refusedQuery(place, request));
  const ask = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void navigate({ to: ".", search: { tab: "request", request: text.trim() } });
  };
  return (
    <>
      <form className={classes.sentence} onSubmit={ask} aria-label={texts.explainTitle}>
        <Text span fw={600}>
          {texts.requestId}
        </Text>
        <TextInput
          aria-label={texts.requestId}
          placeholder={texts.requestIdHint}
          className={classes.who}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" disabled={text.trim() === ""}>
          {texts.explain}
        </Button>
      </form>
      {request !== "" && query.isPending && <ObjectSkeleton />}
      {query.isError && <NoRecord error={query.error} retry={() => void query.refetch()} />}
      {query.data !== undefined && (
        <div className={classes.result}>
          <RefusedCard refused={query.data} />
          <CodePanel plan={{ operation: "explainRefusal", path: { request_id: request }, command: ["why", request] }} />
        </div>
      )}
    </>
  );
}

function NoRecord({ error, retry }: { error: unknown; retry(): void }) {
  return (
    <div className={classes.result}>
      <div>
        {/* To ask why this was not found leads to nothing but another such answer. */}
        <Refusal error={error} retry={retry} says={isMissing(error) ? { hasReason: false } : {}} />
        <Text size="sm" c="dimmed" mt="sm">
          {texts.explainNote}
        </Text>
      </div>
    </div>
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof TesseraError && error.status === 404;
}

function RefusedCard({ refused }: { refused: Refused }) {
  const { At, Action, AccessorID, Count, Question, TokenIsGone, Login } = refused;
  const who =
    AccessorID === undefined ? undefined : { as: "token" as const, id: AccessorID, name: AccessorID.slice(0, 8) };
  return (
    <div>
      <div className={classes.card} style={{ marginBottom: 16 }}>
        <div className={classes.part}>
          <Fields>
            <Field name={texts.deniedAt}>
              <Time value={At} />
              {Count > 1 && texts.repeated(Count)}
            </Field>
            <Field name={texts.action}>{Action}</Field>
            <Field name={texts.token}>
              {AccessorID !== undefined && (
                <>
                  <Actor actor={{ AccessorID }} /> <span className="mono">{AccessorID}</span>
                </>
              )}
            </Field>
            <Field name={texts.authMethod}>{Login?.AuthMethod}</Field>
            <Field name={texts.reason}>{Login?.Reason}</Field>
            <Field name={texts.note}>{TokenIsGone === true && texts.tokenDeleted}</Field>
          </Fields>
        </div>
      </div>
      {Question !== undefined && TokenIsGone !== true && (
        <>
          <Text size="sm" c="dimmed" mb={6}>
            {texts.currentDecision}
          </Text>
          <DecisionCard decision={Question} who={who} />
        </>
      )}
    </div>
  );
}
