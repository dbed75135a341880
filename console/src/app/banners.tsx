/** Banners for problems that affect all screens: no network, no answer from the server, an outdated console. */
import { Alert, Button, Group } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Icon } from "../kit/icons.tsx";
import { useIsOutdated } from "../kit/later.tsx";
import { useLiveState } from "../live/use-live.ts";

/** Banners above the screen. */
export function Banners() {
  const { online } = useNetwork();
  const live = useLiveState();
  const isOutdated = useIsOutdated();
  if (!online) return <Banner text="You are offline. What you see is from before; what you write is kept." />;
  if (live === "lost") return <Banner text="The server does not answer. Trying again; what you write is kept." />;
  if (isOutdated) {
    return (
      <Banner text="The server has a newer console now, and this one cannot show all any more. Save what you write.">
        <Button size="compact-xs" variant="default" onClick={() => location.reload()}>
          Load the new one
        </Button>
      </Banner>
    );
  }
  return null;
}

function Banner({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <Alert role="status" color="yellow" variant="outline" py={8} mb="md" icon={<Icon name="alert" size={16} />}>
      <Group gap="xs">
        {text}
        {children}
      </Group>
    </Alert>
  );
}
