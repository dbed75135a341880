/** The table of unused subjects of one kind. */
import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { Place } from "../../base/place.ts";
import { dayText } from "../../kit/dates.ts";
import { A } from "../../kit/link.tsx";
import type { UseEntry, UseKind } from "./queries.ts";
import classes from "./unused.module.css";
import * as texts from "../../texts/unused.ts";

/** Entries that are added at a time. */
const SLICE = 200;

interface UseTableProps {
  readonly kind: UseKind;
  readonly entries: readonly UseEntry[];
  readonly place: Place;
}

/** The table, some entries at a time. */
export function UseTable({ kind, entries, place }: UseTableProps) {
  const [shown, setShown] = useState(SLICE);
  const isMatched = kind === "binding-rule";
  return (
    <div className={classes.result}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{kind === "rule" ? texts.rule : texts.name}</th>
            <th scope="col">{isMatched ? texts.lastMatch : texts.lastUse}</th>
            <th scope="col" className={classes.number}>
              {isMatched ? texts.logins : texts.uses}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.slice(0, shown).map((entry, index) => (
            <tr key={index}>
              <th scope="row">
                <Subject entry={entry} place={place} />
              </th>
              <td data-title={isMatched ? texts.lastMatch : texts.lastUse}>
                {entry.LastDay === undefined ? texts.never : dayText(entry.LastDay)}
              </td>
              <td className={classes.number} data-title={isMatched ? texts.logins : texts.uses}>
                {(entry.Enforced + entry.Own + entry.Others).toLocaleString("en")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {entries.length > shown && (
        <Button variant="default" m="sm" onClick={() => setShown(shown + SLICE)}>
          {texts.showMore}
        </Button>
      )}
    </div>
  );
}

function Subject({ entry: { Policy, Rule, Role, Token, BindingRule }, place }: { entry: UseEntry; place: Place }) {
  if (Rule !== undefined && Policy !== undefined) {
    return (
      <>
        <span className="mono">{ruleText(Rule)}</span>
        <Text size="xs" c="dimmed" component="div">
          <A to={place.path("policies", Policy.ID)}>{Policy.Name ?? Policy.ID}</A>
          {Rule.Block !== undefined && ` ${texts.inBlock(Rule.Block)}`}
        </Text>
      </>
    );
  }
  if (Policy !== undefined) return <A to={place.path("policies", Policy.ID)}>{Policy.Name ?? Policy.ID}</A>;
  if (Role !== undefined) return <A to={place.path("roles", Role.ID)}>{Role.Name}</A>;
  if (Token !== undefined) {
    const { AccessorID, Description } = Token;
    return <A to={place.path("tokens", AccessorID)}>{Description || texts.untitled(AccessorID.slice(0, 8))}</A>;
  }
  if (BindingRule === undefined) return null;
  const { ID, Description, AuthMethod } = BindingRule;
  return (
    <>
      <A to={place.path("binding-rules", ID)}>{Description || ID.slice(0, 8)}</A>
      <Text size="xs" c="dimmed" component="div">
        {AuthMethod}
      </Text>
    </>
  );
}

/** Kinds of rules without a name. */
const SCALARS: ReadonlySet<string> = new Set(["acl", "operator", "keyring", "mesh", "peering"]);

/** A rule as its policy has it, such as `key_prefix "app/" write`. */
export function ruleText({ Resource, Segment, Prefix, Policy }: NonNullable<UseEntry["Rule"]>): string {
  if (SCALARS.has(Resource)) return `${Resource} = ${JSON.stringify(Policy)}`;
  return `${Resource}${Prefix === true ? "_prefix" : ""} ${JSON.stringify(Segment)} ${Policy}`;
}
