/** A rule that is written beside a login: whether it matches, what it gives, and the same as code. */
import { Alert, Button, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { usePlace } from "../../base/place.ts";
import { CodePanel } from "../../kit/code-panel.tsx";
import { Icon, type IconName } from "../../kit/icons.tsx";
import { Card } from "../../kit/object-screen.tsx";
import { flagsOf, send, textFlag, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import { useMay } from "../../kit/rights.ts";
import { terraformOf } from "../binding-rules/kind.tsx";
import classes from "./login.module.css";
import type { Explanation } from "./queries.ts";

export interface Draft {
  readonly selector: string;
  readonly type: string;
  readonly name: string;
  /** Template for the name, for a templated policy that has a variable. */
  readonly variable: string;
}

export const EMPTY_DRAFT: Draft = { selector: "", type: "role", name: "", variable: "" };

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
  { value: "role", label: "a role" },
  { value: "policy", label: "a policy" },
  { value: "service", label: "the rights of a service" },
  { value: "node", label: "the rights of a node" },
  { value: "templated-policy", label: "a templated policy" },
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
  const plan = planOf(method, draft);
  const save = useMutation({
    mutationFn: async () => send(plan, place),
    onSuccess(answer) {
      notifications.show({ message: "The binding rule is saved.", color: "teal" });
      void navigate({ to: place.path("binding-rules", (answer as { ID: string }).ID) });
    },
  });
  const isWritten = draftOf(draft) !== undefined;
  return (
    <Card title="A rule for them">
      <Stack gap="sm">
        <DraftFields draft={draft} change={change} />
        <div aria-live="polite">{isWritten && <Result result={result} isAsked={isAsked} />}</div>
        {save.isError && <Refusal error={save.error} isWrite />}
        {isWritten && mayWrite && (
          <>
            <CodePanel plan={plan} />
            <Button
              style={{ alignSelf: "flex-start" }}
              disabled={draft.name.trim() === ""}
              loading={save.isPending}
              onClick={() => save.mutate()}
            >
              Save as binding rule
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
        label="Selector"
        description="Whom it is for; everybody when it is empty."
        placeholder={'value.repository == "example/web"'}
        rows={3}
        className={classes.mono ?? ""}
        spellCheck={false}
        value={draft.selector}
        onChange={(event) => set({ selector: event.currentTarget.value })}
      />
      <Select
        label="It gives"
        data={TYPES}
        value={draft.type}
        allowDeselect={false}
        onChange={(type) => set({ type: type ?? draft.type })}
      />
      <TextInput
        label="Called"
        description="May have variables, such as ${value.repository}."
        value={draft.name}
        spellCheck={false}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      {draft.type === "templated-policy" && (
        <TextInput
          label="Its variable Name"
          value={draft.variable}
          spellCheck={false}
          onChange={(event) => set({ variable: event.currentTarget.value })}
        />
      )}
    </>
  );
}

const LOOKS: Readonly<Record<string, { color: string; icon: IconName; title: string }>> = {
  matched: { color: "teal", icon: "check", title: "It matches" },
  "not matched": { color: "gray", icon: "close", title: "It does not match" },
  failed: { color: "red", icon: "alert", title: "It cannot be saved like this, or nobody logs in by it" },
};

function Result({ result, isAsked }: { result: Explanation["BindingRule"]; isAsked: boolean }) {
  if (result === undefined) {
    return (
      <Text size="xs" c="dimmed">
        {isAsked ? "" : "Give a JWT or claims above, to see whether it matches."}
      </Text>
    );
  }
  const { color, icon, title } = LOOKS[result.Verdict] ?? {
    color: "gray",
    icon: "help" as const,
    title: result.Verdict,
  };
  const gives = result.BindName === undefined ? "" : `, and gives the ${result.BindType} ${result.BindName}`;
  return (
    <Alert color={color} variant="outline" icon={<Icon name={icon} size={16} />} title={`${title}${gives}`}>
      <Text size="xs" style={{ overflowWrap: "anywhere" }}>
        {result.Reason}
      </Text>
    </Alert>
  );
}

function planOf(method: string, draft: Draft): Plan {
  const body = { AuthMethod: method, ...draftOf(draft) };
  const flags = flagsOf(body, {
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
