/** List of subjects with a permission. */
import { Badge, Button, Code, Group, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { placeOfObject, usePlace, type Place } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { A } from "../../kit/link.tsx";
import type { Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { ObjectSkeleton } from "../../kit/skeletons.tsx";
import type { Question } from "../policies/queries.ts";
import { HiddenMark } from "./decision.tsx";
import { whoQuery, type AccessHolder } from "./queries.ts";
import { Sentence, useQuestion } from "./sentence.tsx";
import classes from "./why.module.css";
import * as texts from "../../texts/why.ts";

const NOTHING: Question = { resource: "", segment: "", access: "" };
const KINDS = { token: texts.token, role: texts.role, "binding-rule": texts.bindingRule } as const;
const NOUNS = { token: "tokens", role: "roles", "binding-rule": "binding-rules" } as const;

/** The tab. */
export function Who() {
  const place = usePlace();
  const question = useQuestion();
  const query = useInfiniteQuery(whoQuery(place, question ?? NOTHING, question !== undefined));
  return (
    <>
      <Sentence
        label={texts.whoCanTitle}
        more={{ tab: "who" }}
        isReady
        begin={
          <Text span fw={600}>
            {texts.whoCanTitle}
          </Text>
        }
      />
      {question === undefined && (
        <Text c="dimmed" size="sm" mt="lg">
          {texts.whoCanHint}
        </Text>
      )}
      {question !== undefined && query.isPending && <ObjectSkeleton />}
      {query.isError && (
        <div className={classes.result}>
          <Refusal error={query.error} retry={() => void query.refetch()} />
        </div>
      )}
      {query.data !== undefined && (
        <Holders
          place={place}
          holders={query.data.pages.flatMap(({ holders }) => holders)}
          question={question ?? NOTHING}
          isHidden={query.data.pages.some(({ isHidden }) => isHidden)}
        />
      )}
      {query.hasNextPage && (
        <Button mt="sm" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {texts.showMore}
        </Button>
      )}
    </>
  );
}

interface HoldersProps {
  readonly place: Place;
  readonly question: Question;
  readonly holders: readonly AccessHolder[];
  readonly isHidden: boolean;
}

function Holders({ place, question, holders, isHidden }: HoldersProps) {
  return (
    <div className={classes.result} aria-live="polite">
      <div className={classes.card}>
        {holders.length === 0 ? (
          <Text className={classes.part}>{texts.nothingFound}</Text>
        ) : (
          <ul className={classes.holders} aria-label={texts.whoCanTitle}>
            {holders.map((holder) => (
              <HolderRow key={`${holder.Kind} ${holder.ID}`} holder={holder} place={placeOfObject(place, holder)} />
            ))}
          </ul>
        )}
        {isHidden && (
          <Text size="sm" c="dimmed" className={classes.part}>
            {texts.incomplete}
          </Text>
        )}
      </div>
      <CodePanel plan={planOf(question)} />
    </div>
  );
}

function planOf({ access, resource, segment }: Question): Plan {
  return {
    operation: "listAccess",
    query: { resource, segment: segment === "" ? undefined : segment, access },
    command: ["access", "who", access, resource, ...(segment === "" ? [] : [segment])],
  };
}

function HolderRow({ holder, place }: { holder: AccessHolder; place: Place }) {
  const { Kind, ID, Name, Policies, DecidedBy, Selector, AuthMethod, Namespace } = holder;
  return (
    <li className={classes.holder}>
      <Badge flex="none">{KINDS[Kind]}</Badge>
      <span className={classes.holderName}>
        <A to={place.path(NOUNS[Kind], ID)}>{Name ?? ID.slice(0, 8)}</A>
        {Namespace !== undefined && Namespace !== place.scope.namespace && (
          <Text span size="xs" c="dimmed">
            {texts.inNamespace(Namespace)}
          </Text>
        )}
        {Selector !== undefined && (
          <Text size="xs" c="dimmed">
            {texts.methodWithSelector(AuthMethod ?? "")}
            <Code>{Selector}</Code>
          </Text>
        )}
      </span>
      <Group gap={4} className={classes.by}>
        {DecidedBy === "default-policy" && texts.byDefaultPolicy}
        {DecidedBy === "computed" && texts.dependsOnLogin}
        {DecidedBy === "default" && texts.byNamespaceDefault}
        {Policies.map((policy, index) =>
          policy.ID === "hidden" ? (
            <HiddenMark key={index} what={texts.policy} />
          ) : (
            <Badge key={policy.ID}>
              <A to={place.path("policies", policy.ID)} c="inherit">
                {policy.Name}
              </A>
            </Badge>
          ),
        )}
      </Group>
    </li>
  );
}
