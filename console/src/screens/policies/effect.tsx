/** Impact of a draft: which tokens, roles and binding rules would gain or lose permissions, with counts and a list. */
import { Badge, Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { usePlace, type Place } from "../../base/place.ts";
import { Icon } from "../../kit/icons.tsx";
import form from "../../kit/form.module.css";
import { A } from "../../kit/link.tsx";
import { changedMembers } from "../../kit/members.ts";
import type { Members } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import classes from "./editor.module.css";
import { checkQuery, effectQuery, type Effect, type EffectDraft } from "./queries.ts";

type Entry = Effect["Entries"][number];
type Right = Entry["Gains"][number];

const KINDS = { token: "Token", role: "Role", "binding-rule": "Binding rule" } as const;

/** Impact of a policy draft. Policy rules with errors grant nothing, so no query is sent for them. */
export function PolicyEffect({ id, rules }: { id: string; rules: string }) {
  const check = useQuery(checkQuery(usePlace(), rules));
  const hasErrors = check.data !== undefined && check.data.Errors.length > 0;
  const isSound = check.data !== undefined && !check.isPlaceholderData && !hasErrors;
  const draft = { Policies: [{ ID: id, Rules: rules }] };
  return (
    <EffectPanel
      draft={draft}
      isSound={isSound}
      fault={hasErrors ? "Said when the rules have no errors." : undefined}
    />
  );
}

/** Members of a role or token that grant permissions. Other members change no permissions. */
const GRANTS = new Set(["Policies", "Roles", "ServiceIdentities", "NodeIdentities", "TemplatedPolicies"]);

interface GrantsEffectProps {
  readonly of: { readonly role: string } | { readonly token: string };
  readonly before: Members;
  readonly after: Members;
  readonly isSound: boolean;
}

/** Impact of an edit of a role or token; null while the grants are unchanged. */
export function GrantsEffect({ of, before, after, isSound }: GrantsEffectProps) {
  const changed = Object.entries(changedMembers(before, after)).filter(([name]) => GRANTS.has(name));
  if (changed.length === 0) return null;
  const given = Object.fromEntries(changed);
  const draft =
    "role" in of ? { Roles: [{ ID: of.role, ...given }] } : { Tokens: [{ AccessorID: of.token, ...given }] };
  return <EffectPanel draft={draft} isSound={isSound} />;
}

interface EffectPanelProps {
  readonly draft: EffectDraft;
  /** Whether the draft is one that can be asked about. */
  readonly isSound: boolean;
  /** Why it is not. */
  readonly fault?: string | undefined;
}

function EffectPanel({ draft, isSound, fault }: EffectPanelProps) {
  const place = usePlace();
  const query = useQuery({ ...effectQuery(place, draft), enabled: isSound });
  return (
    <section className={form.panel} aria-label="Who gains and who loses" style={{ marginTop: 16 }}>
      <div className={form.panelTitle}>
        Who gains and who loses{" "}
        {query.isFetching && <Loader size={12} role="img" aria-label="Asking" style={{ verticalAlign: "middle" }} />}
      </div>
      <div aria-live="polite">
        {fault !== undefined && (
          <Text size="sm" c="dimmed" className={classes.row}>
            {fault}
          </Text>
        )}
        {isSound && query.isError && <Refusal error={query.error} retry={() => void query.refetch()} />}
        {isSound && query.data !== undefined && !query.isError && <EffectBody {...query.data} place={place} />}
      </div>
    </section>
  );
}

function EffectBody({ effect, isHidden, place }: { effect: Effect; isHidden: boolean; place: Place }) {
  const { Tokens, Roles, BindingRules, Entries, Complete } = effect;
  const counted = [
    { title: ["token", "tokens"], count: Tokens },
    { title: ["role", "roles"], count: Roles },
    { title: ["binding rule", "binding rules"], count: BindingRules },
  ] as const;
  const words = (side: "Gain" | "Lose") =>
    counted
      .filter(({ count }) => count[side] > 0)
      .map(({ title, count }) => `${count[side].toLocaleString("en")} ${title[count[side] === 1 ? 0 : 1]}`)
      .join(", ");
  const [gain, lose] = [words("Gain"), words("Lose")];
  const total = counted.reduce((sum, { count }) => Math.max(sum, count.Gain, count.Lose), 0);
  return (
    <>
      <Text size="sm" className={classes.row} component="div">
        {gain === "" && lose === "" ? (
          "Nobody gains or loses anything."
        ) : (
          <span>
            {gain !== "" && (
              <>
                <b>Gain something:</b> {gain}.{" "}
              </>
            )}
            {lose !== "" && (
              <>
                <b>Lose something:</b> {lose}.
              </>
            )}
          </span>
        )}
      </Text>
      <ul className={`${classes.rows} ${classes.most}`} aria-label="Each of them">
        {Entries.map((entry) => (
          <EntryRow key={`${entry.Kind} ${entry.ID}`} entry={entry} place={place} />
        ))}
      </ul>
      {(total > Entries.length || !Complete || isHidden) && (
        <Text size="xs" c="dimmed" className={classes.row} component="div">
          {total > Entries.length && "These are the first of them. "}
          {!Complete && "So much changes that not all of it was compared. "}
          {isHidden && "There are others, which your token may not see."}
        </Text>
      )}
    </>
  );
}

const NOUNS = { token: "tokens", role: "roles", "binding-rule": "binding-rules" } as const;

function EntryRow({ entry, place }: { entry: Entry; place: Place }) {
  const { Kind, ID, Name, Gains, Losses, GainCount, LossCount } = entry;
  return (
    <li className={classes.row}>
      <Badge flex="none">{KINDS[Kind]}</Badge>
      <span className={classes.grow}>
        <A to={place.path(NOUNS[Kind], ID)}>{Name ?? ID.slice(0, 8)}</A>
      </span>
      <span className={classes.rights}>
        <Rights sign="gains" rights={Gains} count={GainCount} />
        <Rights sign="loses" rights={Losses} count={LossCount} />
      </span>
    </li>
  );
}

/** Rights that one line names. */
const SHOWN = 3;

function Rights({ sign, rights, count }: { sign: "gains" | "loses"; rights: readonly Right[]; count: number }) {
  if (count === 0) return null;
  const more = count - Math.min(SHOWN, rights.length);
  return (
    <span className={classes.right} data-sign={sign}>
      <Icon name={sign === "gains" ? "plus" : "close"} size={12} /> {sign}{" "}
      {rights.slice(0, SHOWN).map(rightText).join(", ")}
      {more > 0 && ` and ${more} more`}
    </span>
  );
}

function rightText({ Resource, Segment = "", Prefix, Access }: Right): string {
  const name = Prefix ? `${Segment}*` : Segment;
  return `${Access} ${Resource}${name === "" ? "" : ` ${name}`}`;
}
