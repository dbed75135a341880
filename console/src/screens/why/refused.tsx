/** Why was this request refused? By the ID that every answer of the server carries. */
import { Button, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { TesseraError } from "@tessera-server/client";
import { useState, type SubmitEvent } from "react";
import type { Search } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { A } from "../../kit/link.tsx";
import { Field, Fields } from "../../kit/object-screen.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { Time } from "../../kit/time.tsx";
import { DecisionCard } from "./decision.tsx";
import { refusedQuery, type Refused } from "./queries.ts";
import classes from "./why.module.css";

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
      <form className={classes.sentence} onSubmit={ask} aria-label="A refused request">
        <Text span fw={600}>
          Why was
        </Text>
        <TextInput
          aria-label="Request ID"
          placeholder="the X-Request-Id of the answer"
          className={classes.who}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Text span fw={600}>
          refused?
        </Text>
        <Button type="submit" size="sm" disabled={text.trim() === ""}>
          Ask
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
          A refusal is told to who may read access control where its token lies, and only for as long as it is on
          record.
        </Text>
      </div>
    </div>
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof TesseraError && error.status === 404;
}

function RefusedCard({ refused }: { refused: Refused }) {
  const place = usePlace();
  const { At, Action, AccessorID, Count, Question, TokenIsGone, Login } = refused;
  const who =
    AccessorID === undefined ? undefined : { as: "token" as const, id: AccessorID, name: AccessorID.slice(0, 8) };
  return (
    <div>
      <div className={classes.card} style={{ marginBottom: 16 }}>
        <div className={classes.part}>
          <Fields>
            <Field name="Refused">
              <Time value={At} />
              {Count > 1 && `, ${Count} times within that minute`}
            </Field>
            <Field name="What it was">{Action}</Field>
            <Field name="Token">
              {AccessorID !== undefined && <A to={place.path("tokens", AccessorID)}>{AccessorID}</A>}
            </Field>
            <Field name="Auth method">{Login?.AuthMethod}</Field>
            <Field name="Reason">{Login?.Reason}</Field>
            <Field name="Note">
              {TokenIsGone === true && "The token is gone, so how it would be decided now cannot be said."}
            </Field>
          </Fields>
        </div>
      </div>
      {Question !== undefined && TokenIsGone !== true && (
        <>
          <Text size="sm" c="dimmed" mb={6}>
            How that is decided now:
          </Text>
          <DecisionCard decision={Question} who={who} />
        </>
      )}
    </div>
  );
}
