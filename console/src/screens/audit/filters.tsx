/** Filter fields for audit records. */
import { Autocomplete, Button, Select, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import type { Search } from "../../base/address.ts";
import { usePlace } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { useTyped } from "../../kit/typed.ts";
import classes from "./audit.module.css";
import { filtersOf } from "./queries.ts";
import * as texts from "../../texts/audit.ts";

interface Props {
  readonly search: Search;
  change(changed: Record<string, string>, isAll?: boolean): void;
  readonly isFiltered: boolean;
}

const ACTIONS = ["create", "update", "delete", "rename", "login", "logout", "expire", "change-tags", "merge"];
const KINDS = ["token", "policy", "role", "auth-method", "binding-rule", "namespace", "partition", "login"];
const KINDS_OF_ORGANIZATION = ["workspace", "tag", "project", "organization", "tag-policy", "reserved-tag-key"];

/** The fields. */
export function AuditFilters({ search, change, isFiltered }: Props) {
  // On a phone the fields would fill the screen before the first record.
  const isNarrow = useMediaQuery("(max-width: 48em)");
  const [isOpen, setOpen] = useState(false);
  const count = Object.keys(filtersOf(search)).length;
  return (
    <search className={classes.folded} aria-label={texts.filtersLabel}>
      {isNarrow && (
        <Button
          variant="default"
          aria-expanded={isOpen}
          leftSection={<Icon name="filter" size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          {texts.filters(count)}
        </Button>
      )}
      {(isOpen || !isNarrow) && <Fields search={search} change={change} isFiltered={isFiltered} />}
    </search>
  );
}

function Fields({ search, change, isFiltered }: Props) {
  const { organization } = usePlace();
  const field = (name: string) => ({ name, value: search[name] ?? "", change });
  return (
    <div className={classes.filters}>
      <Select
        size="xs"
        label={texts.outcome}
        data={[
          { value: "done", label: texts.done },
          { value: "refused", label: texts.denied },
        ]}
        value={search["outcome"] || null}
        placeholder={texts.any}
        clearable
        onChange={(value) => change({ outcome: value ?? "" })}
      />
      <ChoiceField {...field("action")} label={texts.action} choices={ACTIONS} />
      <ChoiceField
        {...field("kind")}
        label={texts.kind}
        choices={organization === undefined ? KINDS : KINDS_OF_ORGANIZATION}
      />
      <TextField {...field("object")} label={texts.object} placeholder={texts.id} />
      <TextField {...field("actor")} label={texts.actor} placeholder={texts.accessorId} />
      <TextField {...field("request-id")} label={texts.requestId} placeholder={texts.id} />
      <TimeField {...field("from")} label={texts.from} />
      <TimeField {...field("to")} label={texts.until} />
      {isFiltered && (
        <Button variant="default" style={{ alignSelf: "end", justifySelf: "start" }} onClick={() => change({}, true)}>
          {texts.clearFilters}
        </Button>
      )}
    </div>
  );
}

/** Pause of typing in ms after which the records are read. */
const TYPING = 300;

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  change(changed: Record<string, string>): void;
}

function TextField({ placeholder, ...props }: FieldProps & { placeholder: string }) {
  const { name, value, change } = props;
  const { text, type } = useTyped(value, (next) => change({ [name]: next }), TYPING);
  return (
    <TextInput
      size="xs"
      label={props.label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      spellCheck={false}
    />
  );
}

function ChoiceField({ choices, ...props }: FieldProps & { choices: readonly string[] }) {
  const { name, value, change } = props;
  const { text, type } = useTyped(value, (next) => change({ [name]: next }), TYPING);
  return (
    <Autocomplete
      size="xs"
      label={props.label}
      placeholder={texts.any}
      data={[...choices]}
      value={text}
      onChange={type}
    />
  );
}

/** A time of the viewer's zone; the address has it in UTC, so that a link means the same to everybody. */
function TimeField({ name, label, value, change }: FieldProps) {
  return (
    <TextInput
      size="xs"
      className={classes.wide ?? ""}
      type="datetime-local"
      label={label}
      value={localOf(value)}
      onChange={(event) => {
        const at = new Date(event.currentTarget.value);
        change({ [name]: Number.isNaN(at.getTime()) ? "" : at.toISOString() });
      }}
    />
  );
}

function localOf(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
