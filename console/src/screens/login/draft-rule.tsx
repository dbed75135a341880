/** A rule that is written beside a login: whether it matches, what it gives, and the same as code. */
import { Alert, Button, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon, type IconName } from "../../kit/icons.tsx";
import { notifyDone } from "../../kit/notify-done.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { flagsOf, send, textFlag, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { useMay } from "../../kit/rights.ts";
import { terraformOf } from "../binding-rules/kind.tsx";
import classes from "./login.module.css";
import type { Explanation } from "./queries.ts";
import * as texts from "../../texts/login.ts";

export interface Draft {
  /** Title of the rule. The login is tested without it. */
  readonly description: string;
  readonly selector: string;
  readonly type: string;
  readonly name: string;
  /** Template for the name, for a templated policy that has a variable. */
  readonly variable: string;
}

export const EMPTY_DRAFT: Draft = { description: "", selector: "", type: "role", name: "", variable: "" };

/** The draft as the API takes it; undefined as long as nothing is written. */
export function draftOf({ selector, type, name, variable }: Draft): Readonly<Record<string, unknown>> | undefined {
  if (selector.trim() === "" && name.trim() === "") return undefined;
  return {
    ...(selector.trim() === "" ? {} : { Selector: selector.trim() }),
    BindType: type,
    ...(name.trim() === "" ? {} : { BindName: name.trim() }),
    ...(type === "templated-policy" && variable.trim() !== "" ? { BindVars: { Name: variable.trim() } } : {}),
  };
}

const TYPES = [
  { value: "role", label: texts.role },
  { value: "policy", label: texts.policy },
  { value: "service", label: texts.service },
  { value: "node", label: texts.node },
  { value: "templated-policy", label: texts.templatedPolicy },
];

interface Props {
  readonly method: string;
  readonly draft: Draft;
  change(draft: Draft): void;
  readonly result: Explanation["BindingRule"];
  /** Whether there is somebody to ask about. */
  readonly isAsked: boolean;
}

/** The card. */
export function DraftRule({ method, draft, change, result, isAsked }: Props) {
  const place = usePlace();
  const navigate = useNavigate();
  const mayWrite = useMay({ resource: "acl", access: "write" }) && place.scope.namespace !== "*";
  const [isAsking, setAsking] = useState(false);
  const plan = planOf(method, draft);
  const save = useMutation({
    mutationFn: async () => send(plan, place),
    onSuccess(answer) {
      const to = place.path("binding-rules", (answer as { ID: string }).ID);
      notifyDone({ text: texts.ruleCreated(draft.description.trim()), to, navigate });
      void navigate({ to });
    },
  });
  const isWritten = draftOf(draft) !== undefined;
  return (
    <Card title={texts.draftTitle}>
      <Stack gap="sm">
        <DraftFields draft={draft} change={change} />
        <div aria-live="polite">{isWritten && <Result result={result} isAsked={isAsked} />}</div>
        {save.isError && <Refusal error={save.error} isWrite failed={texts.createFailed} />}
        {isWritten && mayWrite && (
          <>
            <TextInput
              label={texts.ruleDescription}
              description={texts.ruleDescriptionHint}
              value={draft.description}
              error={isAsking && draft.description.trim() === "" && texts.ruleDescriptionMissing}
              onChange={(event) => change({ ...draft, description: event.currentTarget.value })}
            />
            <CodePanel plan={plan} />
            <Button
              style={{ alignSelf: "flex-start" }}
              disabled={draft.name.trim() === ""}
              loading={save.isPending}
              onClick={() => (draft.description.trim() === "" ? setAsking(true) : save.mutate())}
            >
              {texts.createRule}
            </Button>
          </>
        )}
      </Stack>
    </Card>
  );
}

function DraftFields({ draft, change }: Pick<Props, "draft" | "change">) {
  const set = (members: Partial<Draft>) => change({ ...draft, ...members });
  return (
    <>
      <Textarea
        label={texts.selector}
        description={texts.selectorHint}
        placeholder={texts.selectorExample}
        rows={3}
        className={classes.mono ?? ""}
        spellCheck={false}
        value={draft.selector}
        onChange={(event) => set({ selector: event.currentTarget.value })}
      />
      <Select
        label={texts.bindType}
        data={TYPES}
        value={draft.type}
        allowDeselect={false}
        onChange={(type) => set({ type: type ?? draft.type })}
      />
      <TextInput
        label={texts.bindName}
        description={texts.bindNameHint}
        value={draft.name}
        spellCheck={false}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {draft.type === "templated-policy" && (
        <TextInput
          label={texts.templateVariable}
          value={draft.variable}
          spellCheck={false}
          onChange={(event) => set({ variable: event.currentTarget.value })}
        />
      )}
    </>
  );
}

const LOOKS: Readonly<Record<string, { color: string; icon: IconName; title: string }>> = {
  matched: { color: "teal", icon: "check", title: texts.matches },
  "not matched": { color: "gray", icon: "close", title: texts.doesNotMatch },
  failed: { color: "red", icon: "alert", title: texts.invalidRule },
};

function Result({ result, isAsked }: { result: Explanation["BindingRule"]; isAsked: boolean }) {
  if (result === undefined) {
    return (
      <Text size="xs" c="dimmed">
        {isAsked ? "" : texts.draftHint}
      </Text>
    );
  }
  const { color, icon, title } = LOOKS[result.Verdict] ?? {
    color: "gray",
    icon: "help" as const,
    title: result.Verdict,
  };
  return (
    <Alert
      color={color}
      variant="outline"
      icon={<Icon name={icon} size={16} />}
      title={texts.ruleResult(title, result.BindType ?? "", result.BindName)}
    >
      <Text size="xs" style={{ overflowWrap: "anywhere" }}>
        {result.Reason}
      </Text>
    </Alert>
  );
}

function planOf(method: string, draft: Draft): Plan {
  const description = draft.description.trim();
  const body = { ...(description === "" ? {} : { Description: description }), AuthMethod: method, ...draftOf(draft) };
  const flags = flagsOf(body, {
    Description: textFlag("description"),
    AuthMethod: textFlag("auth-method"),
    Selector: textFlag("selector"),
    BindType: textFlag("bind-type"),
    BindName: textFlag("bind-name"),
  });
  return {
    operation: "createBindingRule",
    body,
    command: ["binding-rule", "create", ...flags],
    terraform: terraformOf(body),
  };
}
