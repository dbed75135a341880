/** Impact of a draft: which tokens, roles and binding rules would gain or lose permissions, grouped by change. */
import { Loader, Text } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { usePlace, type Place } from "../../base/place.ts";
import { useReasonRequest, type ReasonState } from "../../kit/change-reason.tsx";
import form from "../../kit/form.module.css";
import { changedMembers } from "../../kit/members.ts";
import type { Members } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { ReplayPanel } from "../unused/replay.tsx";
import classes from "./editor.module.css";
import { EffectChanges } from "./effect-changes.tsx";
import { EffectExport } from "./effect-export.tsx";
import { checkQuery, effectQuery, type Effect, type EffectDraft } from "./queries.ts";
import * as texts from "../../texts/policies.ts";

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
      isChecking={!isSound && !hasErrors && !check.isError}
      fault={hasErrors ? texts.impactNeedsValidRules : undefined}
    />
  );
}

/** Impact of the delete of policies or roles of one namespace, by their IDs. */
export function DeleteEffect({ policies, roles }: Partial<Record<"policies" | "roles", readonly string[]>>) {
  const { scope } = usePlace();
  if (scope.namespace === "*") return null;
  const deleted = (ids: readonly string[] = []) => ids.map((ID) => ({ ID }));
  const draft = { DeletedPolicies: deleted(policies), DeletedRoles: deleted(roles) };
  return <EffectPanel draft={draft} isSound />;
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

/** Impact of an edit of several tokens. @param drafts each with its AccessorID and the members that change */
export function TokensEffect({ drafts }: { drafts: readonly Members[] }) {
  return drafts.length === 0 ? null : <EffectPanel draft={{ Tokens: drafts }} isSound />;
}

/** Impact of an edit of several roles. @param drafts each with its ID and the members that change */
export function RolesEffect({ drafts }: { drafts: readonly Members[] }) {
  return drafts.length === 0 ? null : <EffectPanel draft={{ Roles: drafts }} isSound />;
}

interface EffectPanelProps {
  readonly draft: EffectDraft;
  /** Whether the draft is one that can be asked about. */
  readonly isSound: boolean;
  /** Whether that is not known yet. */
  readonly isChecking?: boolean;
  /** Why it is not. */
  readonly fault?: string | undefined;
}

function EffectPanel({ draft, isSound, isChecking = false, fault }: EffectPanelProps) {
  const place = usePlace();
  const query = useQuery({ ...effectQuery(place, draft), enabled: isSound });
  useReasonRequest(isSound ? reasonState(query) : isChecking ? "loading" : "none");
  return (
    <>
      <Impact {...{ query, place, draft, isSound, fault }} />
      <ReplayPanel draft={draft} isSound={isSound} />
    </>
  );
}

interface ImpactProps extends Pick<EffectPanelProps, "draft" | "isSound" | "fault"> {
  readonly query: UseQueryResult<{ effect: Effect; isHidden: boolean }>;
  readonly place: Place;
}

function Impact({ query, place, draft, isSound, fault }: ImpactProps) {
  return (
    <section className={form.panel} aria-label={texts.impactTitle} style={{ marginTop: 16 }}>
      <div className={form.panelTitle}>
        {texts.impactTitle}{" "}
        {query.isFetching && (
          <Loader size={12} role="img" aria-label={texts.impactLoading} style={{ verticalAlign: "middle" }} />
        )}
      </div>
      <div aria-live="polite">
        {fault !== undefined && (
          <Text size="sm" c="dimmed" className={classes.row}>
            {fault}
          </Text>
        )}
        {isSound && query.isError && <Refusal error={query.error} retry={() => void query.refetch()} />}
        {isSound && query.data !== undefined && !query.isError && (
          <EffectBody {...query.data} place={place} draft={draft} />
        )}
      </div>
    </section>
  );
}

/** An impact that cannot be computed requires no reason: the server decides about the write. */
function reasonState(query: UseQueryResult<{ effect: Effect }>): ReasonState {
  if (query.isError) return "none";
  if (query.data === undefined || query.isPlaceholderData) return "loading";
  return query.data.effect.ReasonRequested ? "requested" : "none";
}

interface EffectBodyProps {
  readonly effect: Effect;
  readonly isHidden: boolean;
  readonly place: Place;
  readonly draft: EffectDraft;
}

function EffectBody({ effect, isHidden, place, draft }: EffectBodyProps) {
  const { Tokens, Roles, BindingRules, Changes, Complete } = effect;
  const gain = texts.impactCounts(Tokens.Gain, Roles.Gain, BindingRules.Gain);
  const lose = texts.impactCounts(Tokens.Lose, Roles.Lose, BindingRules.Lose);
  return (
    <>
      <Text size="sm" className={classes.row} component="div">
        {gain === "" && lose === "" ? (
          texts.impactNone
        ) : (
          <span>
            {gain !== "" && (
              <>
                <b>{texts.impactGain}</b> {gain}.{" "}
              </>
            )}
            {lose !== "" && (
              <>
                <b>{texts.impactLose}</b> {lose}.
              </>
            )}
          </span>
        )}
      </Text>
      <EffectChanges changes={Changes} place={place} draft={draft} />
      {(!Complete || isHidden) && (
        <Text size="xs" c="dimmed" className={classes.row} component="div">
          {!Complete && texts.impactPartial}
          {isHidden && texts.impactHidden}
        </Text>
      )}
      {Changes.length > 0 && <EffectExport place={place} draft={draft} />}
    </>
  );
}
