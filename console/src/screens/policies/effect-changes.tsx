/** Changes of an impact: one line for each change of access, which opens the list of its subjects. */
import { Badge, Button, Collapse, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useId } from "react";
import { inScope } from "../../base/address.ts";
import type { Place } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import { A } from "../../kit/link.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import { visible } from "../../kit/visible.ts";
import classes from "./editor.module.css";
import { subjectsQuery, type Effect, type EffectDraft } from "./queries.ts";
import * as texts from "../../texts/policies.ts";

type Change = Effect["Changes"][number];
type Entry = Effect["Entries"][number];

interface Props {
  readonly place: Place;
  readonly draft: EffectDraft;
}

/** The list of changes. */
export function EffectChanges({ changes, ...props }: Props & { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className={`${classes.rows} ${classes.most}`} aria-label={texts.impactList}>
      {changes.map((change) => (
        <ChangeRow key={change.ID} change={change} {...props} />
      ))}
    </ul>
  );
}

function ChangeRow({ change, ...props }: Props & { readonly change: Change }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const { Roles, Tokens, BindingRules, From, To } = change;
  return (
    <li className={classes.change}>
      <UnstyledButton className={classes.changeHead} onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
        <Icon name={isOpen ? "down" : "right"} size={14} />
        <bdi className={`mono ${classes.changeName}`}>{visible(nameOf(change))}</bdi>
        <span className={classes.right} data-sign={levelOf(To) > levelOf(From) ? "gains" : "loses"}>
          {texts.fromTo(From, To)}
        </span>
        <span className={classes.changeCount}>{texts.impactCounts(Tokens, Roles, BindingRules)}</span>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && <Subjects id={change.ID} {...props} />}
      </Collapse>
    </li>
  );
}

const LEVELS = ["deny", "read", "list", "write"];
const levelOf = (access: string) => LEVELS.indexOf(access);

/** Returns the resource and the name of a change, with its namespace where that is not `default`. */
export function nameOf({ Resource, Segment = "", Prefix, ...where }: Omit<Change, "ID">): string {
  const name = Prefix === true ? `${Segment}*` : Segment;
  const namespace = `${where.Namespace ?? ""}${where.NamespacePrefix === true ? "*" : ""}`;
  const partition = `${where.Partition ?? ""}${where.PartitionPrefix === true ? "*" : ""}`;
  const own = `${Resource} ${name}`.trim();
  return [
    own,
    ...(["", "default"].includes(namespace) ? [] : [texts.inNamespace(namespace)]),
    ...(["", "default"].includes(partition) ? [] : [texts.inPartition(partition)]),
  ].join(" ");
}

const NOUNS = { token: "tokens", role: "roles", "binding-rule": "binding-rules" } as const;
const KINDS = { token: texts.token, role: texts.role, "binding-rule": texts.bindingRule } as const;

function Subjects({ id, place, draft }: Props & { readonly id: string }) {
  const query = useInfiniteQuery(subjectsQuery(place, draft, id));
  if (query.isPending) return <ObjectSkeleton />;
  if (query.isError) return <Refusal error={query.error} retry={() => void query.refetch()} />;
  const entries = query.data.pages.flatMap(({ Entries }) => Entries);
  return (
    <ul className={classes.subjects} aria-label={texts.impactSubjects}>
      {entries.length === 0 && (
        <Text component="li" size="sm" c="dimmed">
          {texts.impactSubjectsGone}
        </Text>
      )}
      {entries.map((entry) => (
        <Subject key={`${entry.Kind} ${entry.ID}`} entry={entry} place={place} />
      ))}
      {query.hasNextPage && (
        <li>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => void query.fetchNextPage()}
            loading={query.isFetchingNextPage}
          >
            {texts.impactMore}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Subject({ entry: { Kind, ID, ...entry }, place }: { entry: Entry; place: Place }) {
  const scope = { partition: entry.Partition ?? place.scope.partition, namespace: entry.Namespace ?? "default" };
  const name = Kind === "binding-rule" ? entry.Description : entry.Name;
  return (
    <li className={classes.subject}>
      <Badge flex="none">{KINDS[Kind]}</Badge>
      <A to={inScope(scope, NOUNS[Kind], ID)}>{name === undefined || name === "" ? ID.slice(0, 8) : name}</A>
    </li>
  );
}
