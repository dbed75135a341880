/** Test of a new auth method with a token, before anything is saved. */
import { Alert, Button, Stack, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { BodyOf } from "@tessera-server/client";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import form from "../../kit/form.module.css";
import { Icon } from "../../kit/icons.tsx";
import { Field, Fields } from "../../kit/object-screen.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import { membersOf, ruleOf, type NewMethodValues } from "./draft.ts";
import * as texts from "../../texts/auth-methods.ts";

type Result = BodyOf<"explainLogin">;

/** The panel. */
export function TestLogin({ values }: { values: NewMethodValues }) {
  const place = usePlace();
  const [token, setToken] = useState("");
  const run = useMutation({
    mutationFn: async () => {
      const { Type, Config } = membersOf(values);
      const rule = ruleOf(values);
      const draft = rule === undefined ? {} : { BindingRule: withoutMethod(rule) };
      const body = { Method: { Type, Config }, BearerToken: token.replaceAll(/\s/g, ""), ...draft };
      return (await place.client.request<Result>("explainLogin", { body })).body;
    },
  });
  return (
    <section className={form.panel} aria-label={texts.testTitle} style={{ marginTop: 16 }}>
      <div className={form.panelTitle}>{texts.testTitle}</div>
      <Stack gap="sm" p="md">
        <Textarea
          label={texts.testToken}
          description={texts.testHint}
          placeholder={texts.testTokenExample}
          rows={3}
          autoComplete="off"
          spellCheck={false}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <Button
          variant="default"
          style={{ alignSelf: "flex-start" }}
          disabled={token.trim() === ""}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          {texts.testLabel}
        </Button>
        <div aria-live="polite">
          {run.isError && <Refusal error={run.error} failed={texts.testFailed} />}
          {run.isSuccess && <Outcome result={run.data} />}
        </div>
      </Stack>
    </section>
  );
}

function withoutMethod({ Selector, BindType, BindName }: NonNullable<ReturnType<typeof ruleOf>>) {
  return { Selector, BindType, BindName };
}

function Outcome({ result: { Refusal: refusal, Variables: variables = {}, BindingRule: rule } }: { result: Result }) {
  if (refusal !== undefined) {
    return (
      <Alert color="yellow" variant="outline" icon={<Icon name="lock" size={18} />} title={texts.testDenied}>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {refusal}
        </Text>
      </Alert>
    );
  }
  return (
    <Stack gap="xs">
      <Text size="sm">
        <Icon name="check" size={14} /> {texts.testVerified}{" "}
        {rule !== undefined && (rule.Verdict === "matched" ? texts.testMatches : texts.testNoMatch(rule.Reason))}
      </Text>
      <Fields>
        {Object.entries(variables).map(([name, value]) => (
          <Field key={name} name={name}>
            <bdi style={{ overflowWrap: "anywhere" }}>{value}</bdi>
          </Field>
        ))}
      </Fields>
    </Stack>
  );
}
