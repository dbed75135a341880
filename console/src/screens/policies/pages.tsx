/** The page and the forms of a policy. */
import { Alert } from "@mantine/core";
import { BuiltIn, isBuiltIn, WholeId } from "../../kit/cells.tsx";
import { CopyButton } from "../../kit/copy.tsx";
import { KindCreate, KindEdit, KindObject } from "../../kit/kind-screens.tsx";
import { Card, Cards, Field, Fields } from "../../kit/object-screen.tsx";
import { PolicyEffect } from "./effect.tsx";
import { POLICY_KIND } from "./kind.tsx";
import type { Policy } from "./named.ts";
import { QuestionPanel } from "./questions.tsx";
import { RulesText } from "./rules-field.tsx";

/** The screen of a policy. */
export function PolicyObject() {
  return (
    <KindObject
      kind={POLICY_KIND}
      about={({ ID }) => <WholeId id={ID} />}
      marks={(policy) => isBuiltIn(policy) && <BuiltIn />}
      isFixed={(policy) => isBuiltIn(policy)}
      overview={(policy) => <Overview policy={policy} />}
    />
  );
}

/** The screen that makes one. */
export function PolicyCreate() {
  return (
    <KindCreate
      kind={POLICY_KIND}
      begin={({ rules = "" }) => ({ rules })}
      extra={({ rules }) => <QuestionPanel rules={rules} />}
    />
  );
}

/** The screen that changes one. */
export function PolicyEdit() {
  return (
    <KindEdit
      kind={POLICY_KIND}
      extra={({ rules }, { ID, Rules }) => (
        <>
          <QuestionPanel rules={rules} />
          {rules !== Rules && <PolicyEffect id={ID} rules={rules} />}
        </>
      )}
    />
  );
}

function Overview({ policy }: { policy: Policy }) {
  return (
    <Cards>
      <Card title="Rules" tools={<CopyButton value={policy.Rules} what="the rules" />}>
        {policy.Rules === "" ? (
          <Alert color="gray" variant="outline" py={6}>
            It has no rules: it allows nothing.
          </Alert>
        ) : (
          <RulesText value={policy.Rules} />
        )}
      </Card>
      <Card title="About it">
        <Fields>
          <Field name="Description">{policy.Description}</Field>
          <Field name="Datacenters">{(policy.Datacenters ?? []).join(", ") || "all"}</Field>
          <Field name="Namespace">{policy.Namespace}</Field>
          <Field name="Partition">{policy.Partition}</Field>
          <Field name="Index" hint="Of its last change">
            {policy.ModifyIndex}
          </Field>
        </Fields>
      </Card>
    </Cards>
  );
}
