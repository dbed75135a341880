/** Tells in passing that an object was created or saved, with the way to it. */
import { Anchor } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { useNavigate } from "@tanstack/react-router";
import { BASE_PATH } from "../base/address.ts";
import { asLink, partsOf } from "./link.tsx";
import { visible } from "./visible.ts";
import * as texts from "../texts/kit-objects.ts";

interface Done {
  /** Such as `Created role web`. */
  readonly text: string;
  /** Path of the object; undefined when it has no page. */
  readonly to?: string | undefined;
  navigate: ReturnType<typeof useNavigate>;
}

/** Shows the message. */
export function notifyDone({ text, to, navigate }: Done): void {
  const id = notifications.show({
    color: "teal",
    message: (
      <>
        {visible(text)}{" "}
        {to !== undefined && (
          // Messages lie outside of the router: its link would reload the page.
          <Anchor
            size="sm"
            href={`${BASE_PATH}${to.slice(1)}`}
            onClick={(event) => {
              event.preventDefault();
              notifications.hide(id);
              void navigate(asLink(partsOf(to)));
            }}
          >
            {texts.openObject}
          </Anchor>
        )}
      </>
    ),
  });
}
