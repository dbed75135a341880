/** A decision: yes or no, the way to it step by step, and what would have to be given. */
import { Badge, Code, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { usePlace, type Place } from "../../base/place.ts";
import { CopyButton } from "../../kit/copy.tsx";
import { AccessGraph } from "../../kit/graph.tsx";
import { Icon, type IconName } from "../../kit/icons.tsx";
import { oneQuery } from "../../kit/kind.ts";
import { A, LinkButton } from "../../kit/link.tsx";
import { useMay } from "../../kit/rights.ts";
import { ROLE } from "../roles/named.ts";
import { tokenQuery } from "../tokens/queries.ts";
import { graphOfDecision } from "./graph.ts";
import type { Decision, WhoIsAsked } from "./queries.ts";
import classes from "./why.module.css";
import * as texts from "../../texts/why.ts";

type Step = NonNullable<Decision["Path"]>[number];
type Link = Step["Links"][number];
type Wanted = NonNullable<Decision["Wanted"]>;

/** Placeholder that the server sends for a name that the caller may not know. */
const HIDDEN = "hidden";

const WHO = {
  token: { icon: "key", title: texts.token, noun: "tokens" },
  role: { icon: "role", title: texts.role, noun: "roles" },
  method: { icon: "method", title: texts.loginStep, noun: "auth-methods" },
} as const;

/** The card of a decision. */
export function DecisionCard({ decision, who }: { decision: Decision; who: WhoIsAsked | undefined }) {
  const { Allow, Wanted } = decision;
  return (
    <article className={classes.card} aria-label={texts.result} aria-live="polite">
      <header className={classes.verdict} data-allow={Allow}>
        <Icon name={Allow === true ? "check" : Allow === false ? "close" : "lock"} size={20} />
        <div>
          <h2>{Allow === undefined ? texts.unknown : Allow ? texts.allowed : texts.denied}</h2>
          <Text size="sm">{askedText(decision)}</Text>
        </div>
      </header>
      {who !== undefined && <Drawing decision={decision} who={who} />}
      <Way decision={decision} who={who} />
      {Wanted !== undefined && <WantedGrant wanted={Wanted} />}
    </article>
  );
}

function Drawing({ decision, who }: { decision: Decision; who: WhoIsAsked }) {
  const place = usePlace();
  const token = useQuery({ ...tokenQuery(place, who.id), enabled: who.as === "token" });
  const role = useQuery({ ...oneQuery(ROLE, place, who.id), enabled: who.as === "role" });
  const graph = useMemo(() => {
    const policies = (who.as === "token" ? token.data?.Policies : role.data?.Policies) ?? [];
    return graphOfDecision(decision, who, { policies, roles: token.data?.Roles ?? [] }, place);
  }, [decision, who, token.data, role.data, place]);
  if (graph === undefined) return null;
  return (
    <div className={classes.part}>
      <AccessGraph graph={graph} />
    </div>
  );
}

function askedText({ Access, Resource, Segment, Request, Namespace }: Decision): string {
  const what = `${Access ?? ""} ${Resource ?? ""} ${Segment === HIDDEN ? texts.hiddenName : (Segment ?? "")}`;
  return texts.question(what.trim(), Request, Namespace === "default" ? undefined : Namespace);
}

function Way({ decision, who }: { decision: Decision; who: WhoIsAsked | undefined }) {
  const place = usePlace();
  const { Path = [], Rule, DecidedBy } = decision;
  if (decision.Allow === undefined) {
    return <Text className={classes.part}>{texts.noVisibleObject}</Text>;
  }
  return (
    <ol className={classes.way} aria-label={texts.steps}>
      {who !== undefined && (
        <StepItem icon={WHO[who.as].icon} title={WHO[who.as].title}>
          <A underline="always" to={place.path(WHO[who.as].noun, who.id)}>
            {who.name}
          </A>
        </StepItem>
      )}
      {Path.map((step) => (
        <StepItem
          key={step.ID + step.Name}
          icon="policy"
          title={Path.length > 1 ? texts.equalPolicyStep : texts.policyStep}
        >
          <PolicyStep step={step} place={place} who={who?.id} />
        </StepItem>
      ))}
      {Rule !== undefined && (
        <StepItem icon="rule" title={texts.ruleStep}>
          <Code>
            {Rule.Resource}
            {Rule.Prefix && "_prefix"}
            {(Rule.Segment !== "" || Rule.Prefix) && ` "${Rule.Segment}"`} → {Rule.Policy}
          </Code>
        </StepItem>
      )}
      {Rule === undefined && (
        <StepItem icon="rule" title={defaultText(DecidedBy, Path.length > 0)}>
          {who?.refusal}
        </StepItem>
      )}
      <StepItem
        icon={decision.Allow ? "check" : "close"}
        title={decision.Allow ? texts.allowedStep : texts.deniedStep}
      />
    </ol>
  );
}

function defaultText(decidedBy: string | undefined, hasPath: boolean): string {
  if (decidedBy === "login") return texts.loginDenied;
  if (decidedBy === "disabled") return texts.tokenDisabled;
  if (decidedBy === "default-policy") return texts.defaultPolicy;
  return hasPath ? texts.ruleHidden : texts.policyHidden;
}

function StepItem({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <li className={classes.step}>
      <span className={classes.bullet}>
        <Icon name={icon} size={14} />
      </span>
      <div className={classes.stepBody}>
        <Text size="xs" c="dimmed">
          {title}
        </Text>
        {children}
      </div>
    </li>
  );
}

function PolicyStep({ step, place, who }: { step: Step; place: Place; who: string | undefined }) {
  const { ID, Name, Places = [] } = step;
  // Links from the role to itself are omitted.
  const Links = step.Links.filter((link) => link.Kind !== "role" || link.ID !== who);
  const at = Places.map(({ Line, Column }) => `${Line}:${Column}`).join(", ");
  return (
    <>
      {ID === HIDDEN ? (
        <HiddenMark what={texts.policy} />
      ) : (
        <A underline="always" to={place.path("policies", ID)}>
          {Name}
        </A>
      )}
      {at !== "" && (
        <Text span size="xs" c="dimmed">
          {texts.atLine(at)}
        </Text>
      )}
      <ul className={classes.links}>
        {Links.map((link, index) => (
          <li key={index}>
            <LinkText link={link} place={place} />
          </li>
        ))}
      </ul>
    </>
  );
}

function LinkText({
  link: { Kind, ID = "", Name = "", Role, Namespace, BindingRules = [] },
  place,
}: {
  link: Link;
  place: Place;
}) {
  const by = BindingRules.map(({ ID: rule, AuthMethod, Selector }) => (
    <span key={rule}>
      {texts.byBindingRule}
      <A underline="always" to={place.path("binding-rules", rule)}>
        {rule === HIDDEN ? texts.hidden : rule.slice(0, 8)}
      </A>
      {AuthMethod !== undefined && texts.ofMethod(AuthMethod)}
      {Selector !== undefined && Selector !== "" && (
        <>
          {texts.withSelector}
          <Code>{Selector}</Code>
        </>
      )}
    </span>
  ));
  if (Kind === "direct")
    return (
      <>
        {texts.direct}
        {by}
      </>
    );
  if (Kind === "default") return <>{texts.namespaceDefault(Namespace ?? Name)}</>;
  if (Kind === "identity") {
    return (
      <>
        {texts.identity(Name, Role)}
        {by}
      </>
    );
  }
  return (
    <>
      {texts.throughRole}
      {ID === HIDDEN ? (
        <HiddenMark what={texts.hiddenRole} />
      ) : (
        <A underline="always" to={place.path("roles", ID)}>
          {Name || ID.slice(0, 8)}
        </A>
      )}
      {by}
    </>
  );
}

/** Says that there is something which the viewer may not see. */
export function HiddenMark({ what }: { what: string }) {
  return (
    <Badge leftSection={<Icon name="lock" size={11} />} title={texts.hiddenHint(what)}>
      {texts.hiddenKind(what)}
    </Badge>
  );
}

function WantedGrant({ wanted: { Rules, Overruled, Roles, RolesComplete } }: { wanted: Wanted }) {
  const place = usePlace();
  const mayWrite = useMay({ resource: "acl", access: "write" });
  return (
    <section className={classes.part} aria-label={texts.grantTitle}>
      <h3>{texts.grantTitle}</h3>
      {Overruled === true && (
        <Text size="sm">
          {texts.overruledStart}
          <b>{texts.deny}</b>
          {texts.overruledEnd}
        </Text>
      )}
      {Rules === undefined && Overruled !== true && <Text size="sm">{texts.noGrant}</Text>}
      {Rules !== undefined && (
        <>
          <Text size="sm">{texts.minimalRuleIntro}</Text>
          <div className={classes.rules}>
            {/* Makes the scrollable area focusable by keyboard. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <pre tabIndex={0} aria-label={texts.minimalRule}>
              {Rules}
            </pre>
            <CopyButton value={Rules} what={texts.copiedRule} />
          </div>
          {mayWrite && (
            <LinkButton
              to={`${place.path("policies", "new")}?${new URLSearchParams({ rules: Rules }).toString()}`}
              variant="default"
              leftSection={<Icon name="edit" size={14} />}
            >
              {texts.createPolicy}
            </LinkButton>
          )}
        </>
      )}
      {Roles.length > 0 && (
        <Group gap={6} mt="sm">
          <Text size="sm">{texts.rolesWithAccess}</Text>
          {Roles.map(({ ID, Name }) => (
            <Badge key={ID}>
              <A underline="always" to={place.path("roles", ID)} c="inherit">
                {Name}
              </A>
            </Badge>
          ))}
        </Group>
      )}
      {!RolesComplete && (
        <Text size="xs" c="dimmed" mt={4}>
          {texts.rolesIncomplete}
        </Text>
      )}
    </section>
  );
}
