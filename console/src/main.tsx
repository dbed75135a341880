/** The console's beginning. */
import "@fontsource-variable/inter/index.css";
import "./app/mantine.css";
import "@mantine/notifications/styles.layer.css";
import "./app/base.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./base/queries.ts";
import { router } from "./app/router.tsx";
import { cssVariables, theme } from "./app/theme.ts";
import { installTrustedTypes } from "./app/trusted-types.ts";
import { later } from "./kit/later.tsx";
import * as texts from "./texts/app.ts";

installTrustedTypes();

/** By which the server's policy lets pass the style sheets that Mantine writes. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

// The library that blocks scrolling behind a dialog writes its own style sheet, and reads the nonce from this variable.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce();

/** Message area, loaded late. Messages wait until it is there. */
const Messages = later(async () => {
  await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
  return (await import("./app/messages.tsx")).Messages;
});
/** Delay in ms before the message area loads: the code of the first screen loads first. */
const AFTER_MS = 2000;

/** Landmark for menus, pickers and hints: Mantine puts all layers into the first element with this attribute. */
const layers = document.createElement("aside");
layers.ariaLabel = texts.layers;
layers.dataset["mantineSharedPortalNode"] = "true";
document.body.append(layers);

const place = document.getElementById("root");
if (place === null) throw new Error("index.html has no #root");
createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <Messages />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
