/** A screen that failed. The others go on. */
import { VisuallyHidden } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { Refusal } from "./refusal.tsx";
import * as texts from "../texts/kit-objects.ts";

/** Page in place of a screen that failed. */
export function ScreenError({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  return (
    <section aria-label={texts.screenFailed}>
      <VisuallyHidden component="h1">{texts.screenFailed}</VisuallyHidden>
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
