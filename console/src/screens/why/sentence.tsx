/** Question as a sentence with pickers. The address contains the question, so users can share it. */
import { Autocomplete, Button, Loader, Select, Text, TextInput } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState, type SubmitEvent, type ReactNode } from "react";
import type { Search } from "../../base/address.ts";
import { useNameChoices } from "../policies/names.ts";
import type { Question } from "../policies/queries.ts";
import { ASKED_RESOURCES, askedAccessesOf, hasNames } from "../policies/rule-kinds.ts";
import classes from "./why.module.css";
import * as texts from "../../texts/why.ts";

/** Returns the question in the address; undefined when it has none. */
export function useQuestion(): Question | undefined {
  const { access, resource, name = "" } = useSearch({ strict: false }) as Search;
  return access === undefined || resource === undefined ? undefined : { access, resource, segment: name };
}

/** Returns the request in the address that the question is about; undefined when it is not a request. */
export function useRequest(): string | undefined {
  const { do: request } = useSearch({ strict: false }) as Search;
  return request;
}

/** Choice in the list of accesses for a question about a request. */
const SEND = texts.sendRequest;
/** Pattern for a request that the server accepts. */
const REQUEST = /^(GET|HEAD|POST|PUT|PATCH|DELETE) \/\S*$/;

interface SentenceProps {
  readonly label: string;
  /** Start of the sentence: `Who may`, or the subject. */
  readonly begin: ReactNode;
  /** Other parameters that the address keeps in addition to the question. */
  readonly more: Readonly<Record<string, string>>;
  readonly isReady: boolean;
  /** Whether a request can be asked about, by its method and path. */
  readonly takesRequests?: boolean;
  /** Fields below the sentence. */
  readonly below?: ReactNode;
}

/** The sentence. */
export function Sentence({ label, begin, more, isReady, takesRequests = false, below }: SentenceProps) {
  const asked = useQuestion();
  const askedRequest = useRequest();
  const navigate = useNavigate();
  const [access, setAccess] = useState(takesRequests && askedRequest !== undefined ? SEND : (asked?.access ?? "write"));
  const [request, setRequest] = useState(askedRequest ?? "");
  const [resource, setResource] = useState(asked?.resource ?? "workspace");
  const [segment, setSegment] = useState(asked?.segment ?? "");
  const choices = useNameChoices(resource, segment);
  const isRequest = access === SEND;
  const choose = (next: string) => {
    setResource(next);
    if (!askedAccessesOf(next).includes(access)) setAccess("read");
  };
  const ask = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isRequest) return void navigate({ to: ".", search: { ...more, do: request.trim() } });
    const name = hasNames(resource) ? segment.trim() : "";
    const search = { ...more, access, resource, ...(name === "" ? {} : { name }) };
    void navigate({ to: ".", search });
  };
  return (
    <form className={classes.sentence} onSubmit={ask} aria-label={label}>
      {begin}
      <Select
        aria-label={texts.access}
        data={[...askedAccessesOf(resource), ...(takesRequests ? [SEND] : [])]}
        value={access}
        onChange={(value) => setAccess(value ?? "read")}
        allowDeselect={false}
        w={isRequest ? 160 : 110}
      />
      {isRequest && <RequestField request={request} change={setRequest} />}
      {!isRequest && (
        <Select
          aria-label={texts.resource}
          data={ASKED_RESOURCES}
          value={resource}
          onChange={(value) => choose(value ?? "workspace")}
          allowDeselect={false}
          searchable
          w={150}
        />
      )}
      {!isRequest && hasNames(resource) && <NameField choices={choices} name={segment} change={setSegment} />}
      <Text span fw={600}>
        ?
      </Text>
      <Button type="submit" size="sm" disabled={!isReady || (isRequest && !REQUEST.test(request.trim()))}>
        {texts.check}
      </Button>
      {below}
    </form>
  );
}

function RequestField({ request, change }: { request: string; change: (request: string) => void }) {
  return (
    <TextInput
      aria-label={texts.request}
      placeholder={texts.requestExample}
      title={texts.requestFormat}
      className={classes.who}
      value={request}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

interface NameFieldProps {
  readonly choices: ReturnType<typeof useNameChoices>;
  readonly name: string;
  change(name: string): void;
}

function NameField({ choices: { names, isLooking }, name, change }: NameFieldProps) {
  return (
    <Autocomplete
      aria-label={texts.name}
      placeholder={texts.anyName}
      size="sm"
      data={names}
      rightSection={isLooking ? <Loader size={14} aria-label={texts.loadingNames} /> : undefined}
      filter={({ options }) => options}
      value={name}
      onChange={change}
      className={classes.name}
    />
  );
}
