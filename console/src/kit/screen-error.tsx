/** A screen that failed. The others go on. */
import { VisuallyHidden } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { Refusal } from "./refusal.tsx";

/** Page in place of a screen that failed. */
export function ScreenError({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  return (
    <section aria-label="This screen failed">
      <VisuallyHidden component="h1">This screen failed</VisuallyHidden>
      <Refusal
        error={error}
        retry={() => {
          reset?.();
          void router.invalidate();
        }}
      />
    </section>
  );
}
