/** A question as a sentence with pickers. What is asked goes into the address, so that it can be sent to others. */
import { Autocomplete, Button, Select, Text } from "@mantine/core";
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

interface SentenceProps {
  readonly label: string;
  /** How it begins: `Who may`, or about whom it is. */
  readonly begin: ReactNode;
  /** What stands in the address beside the question. */
  readonly more: Readonly<Record<string, string>>;
  readonly isReady: boolean;
}

/** The sentence. */
export function Sentence({ label, begin, more, isReady }: SentenceProps) {
  const asked = useQuestion();
  const navigate = useNavigate();
  const [access, setAccess] = useState(asked?.access ?? "write");
  const [resource, setResource] = useState(asked?.resource ?? "workspace");
  const [segment, setSegment] = useState(asked?.segment ?? "");
  const names = useNameChoices(resource, segment);
  const choose = (next: string) => {
    setResource(next);
    if (!askedAccessesOf(next).includes(access)) setAccess("read");
  };
  const ask = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = hasNames(resource) ? segment.trim() : "";
    const search = { ...more, access, resource, ...(name === "" ? {} : { name }) };
    void navigate({ to: ".", search });
  };
  return (
    <form className={classes.sentence} onSubmit={ask} aria-label={label}>
      {begin}
      <Select
        aria-label="Access"
        data={askedAccessesOf(resource)}
        value={access}
        onChange={(value) => setAccess(value ?? "read")}
        allowDeselect={false}
        w={110}
      />
      <Select
        aria-label="Kind"
        data={ASKED_RESOURCES}
        value={resource}
        onChange={(value) => choose(value ?? "workspace")}
        allowDeselect={false}
        searchable
        w={150}
      />
      {hasNames(resource) && (
        <Autocomplete
          aria-label="Name"
          placeholder="all of them"
          size="sm"
          data={names}
          filter={({ options }) => options}
          value={segment}
          onChange={setSegment}
          className={classes.name}
        />
      )}
      <Text span fw={600}>
        ?
      </Text>
      <Button type="submit" size="sm" disabled={!isReady}>
        Ask
      </Button>
    </form>
  );
}
