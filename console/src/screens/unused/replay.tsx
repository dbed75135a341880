/** Replay of a draft: which recorded use it would deny. */
import { Badge, Loader, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { usePlace, type Place } from "../../base/place.ts";
import { dayText } from "../../kit/dates.ts";
import { A } from "../../kit/link.tsx";
import form from "../../kit/form.module.css";
import { Icon } from "../../kit/icons.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import editor from "../policies/editor.module.css";
import { replayQuery, type Replay, type ReplayDraft, type ReplayEntry } from "./queries.ts";
import classes from "./unused.module.css";
import * as texts from "../../texts/unused.ts";

/** A replay reads the whole ledger: not for each letter that is typed. */
const PAUSE = 400;

/** The panel beside the impact. @param isSound whether the draft is one that can be asked about */
export function ReplayPanel({ draft, isSound }: { draft: ReplayDraft; isSound: boolean }) {
  const place = usePlace();
  const [asked] = useDebouncedValue(JSON.stringify(draft), PAUSE);
  const query = useQuery({ ...replayQuery(place, JSON.parse(asked) as ReplayDraft), enabled: isSound });
  return (
    <section className={form.panel} aria-label={texts.replay} style={{ marginTop: 16 }}>
      <div className={form.panelTitle}>
        {texts.replay}{" "}
        {query.isFetching && (
          <Loader size={12} role="img" aria-label={texts.replayLoading} style={{ verticalAlign: "middle" }} />
        )}
      </div>
      <div aria-live="polite">
        {isSound && query.isError && <Refusal error={query.error} retry={() => void query.refetch()} />}
        {isSound && query.data !== undefined && !query.isError && <Body replay={query.data} place={place} />}
      </div>
    </section>
  );
}

function Body({ replay, place }: { replay: Replay; place: Place }) {
  const { Refused, Allowed, AlreadyRefused, Unreplayable, Ledger, Entries } = replay;
  return (
    <>
      <div className={classes.counts}>
        {Ledger.Since === undefined && <span>{texts.notRecorded}</span>}
        <b>{Refused === 0 ? texts.replayNone : texts.replayRefused(Refused)}</b>
        {Allowed > 0 && <b>{texts.replayAllowed(Allowed)}</b>}
        {AlreadyRefused > 0 && <span>{texts.replayAlready(AlreadyRefused)}</span>}
        {Unreplayable.Total > 0 && <span>{texts.replayLeft(Unreplayable.Total, leftOf(Unreplayable))}</span>}
      </div>
      <ul className={`${editor.rows} ${editor.most}`} aria-label={texts.replayList}>
        {Entries.map((entry, index) => (
          <Entry key={index} entry={entry} place={place} />
        ))}
      </ul>
      <div className={`${classes.counts} ${classes.note}`}>
        {Refused + Allowed > Entries.length && <span>{texts.replayFirst(Entries.length)}</span>}
        <Reach replay={replay} />
      </div>
    </>
  );
}

function leftOf({ Subjects, Names, Claims }: Replay["Unreplayable"]): string[] {
  return [
    ...(Subjects > 0 ? [texts.leftSubjects(Subjects)] : []),
    ...(Names > 0 ? [texts.leftNames(Names)] : []),
    ...(Claims > 0 ? [texts.leftClaims(Claims)] : []),
  ];
}

/** How far the answer reaches. */
function Reach({ replay: { Ledger, Refusals } }: { replay: Replay }) {
  const { Since, ReadsSince, Complete } = Refusals;
  const oldest = [Since, ReadsSince].filter((each) => each !== undefined).toSorted()[0];
  return (
    <>
      {Ledger.Since !== undefined && <span>{texts.replaySince(dayText(Ledger.Since))}</span>}
      {Ledger.IncompleteOn !== undefined && <span>{texts.incomplete(dayText(Ledger.IncompleteOn))}</span>}
      <span>{oldest === undefined ? texts.replayNoRefusals : texts.replayReach(dayText(oldest))}</span>
      {!Complete && <span>{texts.replayPart}</span>}
    </>
  );
}

const SIGNS = { refused: "loses", allowed: "gains", "already-refused": "loses" } as const;
const ENDS = {
  refused: texts.wouldBeDenied,
  allowed: texts.wouldBeAllowed,
  "already-refused": texts.alreadyDenied,
} as const;

function Entry({ entry, place }: { entry: ReplayEntry; place: Place }) {
  const { Change, Question, Questions, Uses, DaysUsed, FirstDay, LastDay } = entry;
  const { Access, Resource, Segment = "", Prefix } = Question;
  const asked = `${Access} ${Resource} ${Segment}${Prefix === true ? "*" : ""}`.trim();
  const use =
    Change === "allowed"
      ? texts.deniedSince(Uses, dayText(FirstDay))
      : `${texts.inUse(DaysUsed, dayText(LastDay))}; ${texts.usesSince(Uses, dayText(FirstDay))}`;
  return (
    <li className={editor.row}>
      <span className={editor.grow}>
        <Subject entry={entry} place={place} />
      </span>
      <span className={editor.rights}>
        <span className={editor.right} data-sign={SIGNS[Change]}>
          <Icon name={Change === "allowed" ? "plus" : "close"} size={12} /> {asked}
          {Questions > 1 && ` (${texts.names(Questions)})`}
        </span>
        <Text size="xs" component="span">
          {use}: {ENDS[Change]}
        </Text>
      </span>
    </li>
  );
}

function Subject({
  entry: { Kind, ID, Name, AuthMethod = "", Identity },
  place,
}: {
  entry: ReplayEntry;
  place: Place;
}) {
  if (Kind === "token" && ID !== undefined)
    return <A to={place.path("tokens", ID)}>{Name ?? texts.untitled(ID.slice(0, 8))}</A>;
  return (
    <>
      {Identity === undefined ? texts.rolesOf(AuthMethod) : visibleIdentity(Identity)}{" "}
      {Identity !== undefined && <Badge>{AuthMethod}</Badge>}
    </>
  );
}

/** An identity is its issuer and its subject. */
function visibleIdentity(identity: string): string {
  try {
    const parts: unknown = JSON.parse(identity);
    return Array.isArray(parts) ? String(parts.at(-1)) : identity;
  } catch {
    return identity;
  }
}
