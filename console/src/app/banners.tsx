/** Banners for problems that affect all screens: no network, no answer from the server, an outdated console. */
import { Alert, Button, Group } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Icon } from "../kit/icons.tsx";
import { useIsOutdated } from "../kit/later.tsx";
import { useLiveState } from "../live/use-live.ts";
import * as texts from "../texts/app.ts";

/** Banners above the screen. */
export function Banners() {
  const { online } = useNetwork();
  const live = useLiveState();
  const isOutdated = useIsOutdated();
  if (!online) return <Banner text={texts.offline} />;
  if (live === "lost") return <Banner text={texts.serverSilent} />;
  if (isOutdated) {
    return (
      <Banner text={texts.outdated}>
        <Button size="compact-xs" variant="default" onClick={() => location.reload()}>
          {texts.reload}
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
