/** Tags or keys that are edited in place: what comes, what goes, the same as code, and a button that does it. */
import { Button, Group, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePlace } from "../../base/place.ts";
import { Changes } from "../../kit/changes.tsx";
import { CodePanel } from "../../kit/code-panel.tsx";
import { send, type Plan } from "../../kit/plan.ts";
import { Refusal } from "../../kit/refusal.tsx";
import * as texts from "../../texts/workspaces.ts";

interface DraftProps {
  /** Such as `Tags`. */
  readonly what: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** One after the other. */
  readonly plans: readonly Plan[];
  reset(): void;
}

/** Below a field that was changed. */
export function Draft({ what, before, after, plans, reset }: DraftProps) {
  const place = usePlace();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      for (const plan of plans) await send(plan, place);
    },
    onSuccess: () => notifications.show({ color: "teal", message: texts.saved(what) }),
    onSettled: async (_answer, error) => {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === "v2" });
      if (error === null) reset();
    },
  });
  return (
    <Stack gap="sm" mt="sm">
      <Changes changes={[{ path: what, before: [...before].sort(), after: [...after].sort() }]} />
      {save.isError && <Refusal error={save.error} isWrite />}
      {plans.map((plan) => (
        <CodePanel key={plan.operation} plan={plan} />
      ))}
      <Group gap="xs">
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {texts.save(what)}
        </Button>
        <Button variant="default" onClick={reset}>
          {texts.discard}
        </Button>
      </Group>
    </Stack>
  );
}
