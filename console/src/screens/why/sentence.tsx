/** A question as a sentence with pickers. What is asked goes into the address, so that it can be sent to others. */
import { Autocomplete, Button, Loader, Select, Text, TextInput } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState, type SubmitEvent, type ReactNode } from "react";
import type { Search } from "../../app/address.ts";
import { useNameChoices } from "../policies/names.ts";
import type { Question } from "../policies/queries.ts";
import { ASKED_RESOURCES, askedAccessesOf, hasNames } from "../policies/rule-kinds.ts";
import classes from "./why.module.css";

/** The question of the address; undefined before one is asked. */
export function useQuestion(): Question | undefined {
  const { access, resource, name = "" } = useSearch({ strict: false }) as Search;
  return access === undefined || resource === undefined ? undefined : { access, resource, segment: name };
}

/** The request of the address about which it is asked; undefined where it is no request. */
export function useRequest(): string | undefined {
  const { do: request } = useSearch({ strict: false }) as Search;
  return request;
}

/** In the place of an access: what is asked about is a request. */
const SEND = "send the request";
/** As the server takes it. */
const REQUEST = /^(GET|HEAD|POST|PUT|PATCH|DELETE) \/\S*$/;

interface SentenceProps {
  readonly label: string;
  /** How it begins: `Who may`, or about whom it is. */
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
  const { names, isLooking } = useNameChoices(resource, segment);
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
        aria-label="Access"
        data={[...askedAccessesOf(resource), ...(takesRequests ? [SEND] : [])]}
        value={access}
        onChange={(value) => setAccess(value ?? "read")}
        allowDeselect={false}
        w={isRequest ? 160 : 110}
      />
      {isRequest && (
        <TextInput
          aria-label="Request"
          placeholder="PUT /v1/acl/token"
          title="A method and a path"
          className={classes.who}
          value={request}
          onChange={(event) => setRequest(event.currentTarget.value)}
        />
      )}
      {!isRequest && (
        <Select
          aria-label="Kind"
          data={ASKED_RESOURCES}
          value={resource}
          onChange={(value) => choose(value ?? "workspace")}
          allowDeselect={false}
          searchable
          w={150}
        />
      )}
      {!isRequest && hasNames(resource) && (
        <Autocomplete
          aria-label="Name"
          placeholder="all of them"
          size="sm"
          data={names}
          rightSection={isLooking ? <Loader size={14} aria-label="Looking for names" /> : undefined}
          filter={({ options }) => options}
          value={segment}
          onChange={setSegment}
          className={classes.name}
        />
      )}
      <Text span fw={600}>
        ?
      </Text>
      <Button type="submit" size="sm" disabled={!isReady || (isRequest && !REQUEST.test(request.trim()))}>
        Ask
      </Button>
      {below}
    </form>
  );
}
