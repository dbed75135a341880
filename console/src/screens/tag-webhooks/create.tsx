/** A new webhook: its secret is shown once, since nobody is shown it later. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { usePlace } from "../../base/place.ts";
import { asLink, partsOf } from "../../kit/link.tsx";
import { ResourceCreate } from "../../kit/resource-screens.tsx";
import { SecretOnce } from "../../kit/secret.tsx";
import { WEBHOOK_RESOURCE } from "./resource.tsx";
import * as texts from "../../texts/tag-webhooks.ts";
import { screenNames } from "../../texts/names.ts";

/** The screen that makes one. */
export function WebhookCreate() {
  const place = usePlace();
  const navigate = useNavigate();
  const [made, setMade] = useState<{ path: string; secret: string }>();
  return (
    <>
      <ResourceCreate
        resource={WEBHOOK_RESOURCE}
        up={{ to: place.path("tag-webhooks"), title: screenNames.tagWebhooks.webhooks }}
        saved={({ id }, { secret }) => {
          const path = place.path("tag-webhooks", id);
          if (secret === "") return path;
          setMade({ path, secret });
          return undefined;
        }}
      />
      <SecretOnce
        what={texts.secretOwner}
        secret={made?.secret}
        close={() => {
          const path = made?.path ?? "";
          setMade(undefined);
          void navigate(asLink(partsOf(path)));
        }}
      />
    </>
  );
}
