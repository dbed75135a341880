/** The page and the forms of a policy. */
import { Alert } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import type { Search } from "../../base/address.ts";
import { usePlace, type Place } from "../../base/place.ts";
import { BuiltIn, isBuiltIn, WholeId } from "../../kit/cells.tsx";
import { CopyButton } from "../../kit/copy.tsx";
import { Created, Placed } from "../../kit/facts.tsx";
import { Icon } from "../../kit/icons.tsx";
import { KindCreate, KindEdit, KindObject, type ProposalQuery } from "../../kit/kind-screens.tsx";
import { Card, Field, Fields, WithFacts } from "../../kit/object-screen.tsx";
import { TextFacts } from "../../kit/text-fields.tsx";
import { useLineMarks, UseField } from "../unused/mark.tsx";
import { daysIn, PolicyProposal, TightenButton } from "../unused/tighten.tsx";
import { tightenPolicyFetch, type TightenedPolicy } from "../unused/queries.ts";
import { DeleteEffect, PolicyEffect } from "./effect.tsx";
import { POLICY_KIND } from "./kind.tsx";
import type { Policy } from "./named.ts";
import { QuestionPanel } from "./questions.tsx";
import { RulesText } from "./rules-field.tsx";
import * as texts from "../../texts/policies.ts";

/** The screen of a policy. */
export function PolicyObject() {
  const place = usePlace();
  return (
    <KindObject
      kind={POLICY_KIND}
      about={({ ID }) => <WholeId id={ID} />}
      marks={(policy) => isBuiltIn(policy) && <BuiltIn />}
      isFixed={(policy) => isBuiltIn(policy)}
      tools={(policy) => !isBuiltIn(policy) && <TightenButton edit={place.path("policies", policy.ID, "edit")} />}
      overview={(policy) => <PolicyOverview policy={policy} />}
      warning={({ ID }) => <DeleteEffect policies={[ID]} />}
    />
  );
}

/** The screen that makes one. */
export function PolicyCreate() {
  return (
    <KindCreate
      kind={POLICY_KIND}
      begin={({ rules = "", description = "" }) => ({ rules, description })}
      extra={({ rules }) => (
        <>
          <DraftNotice />
          <QuestionPanel rules={rules} />
        </>
      )}
    />
  );
}

/** Says that the rules came with a link: nobody has written them here. */
function DraftNotice() {
  const { rules = "" } = useSearch({ strict: false }) as Search;
  if (rules === "") return null;
  return (
    <Alert color="yellow" variant="outline" mt="md" py={8} icon={<Icon name="alert" size={16} />}>
      {texts.draftFromLink}
    </Alert>
  );
}

/** The screen that changes one. */
export function PolicyEdit() {
  return (
    <KindEdit
      kind={POLICY_KIND}
      proposal={proposalOf}
      extra={({ rules }, { ID, Rules }) => (
        <>
          <PolicyProposal id={ID} />
          <QuestionPanel rules={rules} />
          {rules !== Rules && <PolicyEffect id={ID} rules={rules} />}
        </>
      )}
    />
  );
}

function proposalOf(place: Place, id: string, search: Search): ProposalQuery | undefined {
  const days = daysIn(search);
  if (days === undefined) return undefined;
  const select = (found: unknown) => ({ Rules: (found as TightenedPolicy).Rules });
  return { ...tightenPolicyFetch(place, id, days), select };
}

/** The first tab of the page. */
export function PolicyOverview({ policy }: { policy: Policy }) {
  const marks = useLineMarks(policy.ID);
  return (
    <WithFacts
      facts={
        <Card title={texts.detailsTitle}>
          <Fields>
            <TextFacts kind="policy" of={policy} />
            <UseField of="policy" id={policy.ID} />
            <Field name={texts.datacenters}>{(policy.Datacenters ?? []).join(", ") || texts.all}</Field>
            <Created kind="policy" id={policy.ID} />
          </Fields>
          <Placed {...policy} />
        </Card>
      }
    >
      <Card title={texts.rules} tools={<CopyButton value={policy.Rules} what={texts.rulesCopied} />}>
        {policy.Rules === "" ? (
          <Alert color="gray" variant="outline" py={6}>
            {texts.rulesNone}
          </Alert>
        ) : (
          <RulesText value={policy.Rules} marks={marks} />
        )}
      </Card>
    </WithFacts>
  );
}
