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
import { queryClient } from "./app/queries.ts";
import { router } from "./app/router.tsx";
import { cssVariables, theme } from "./app/theme.ts";
import { installTrustedTypes } from "./app/trusted-types.ts";
import { later } from "./kit/later.tsx";

installTrustedTypes();

/** By which the server's policy lets pass the style sheets that Mantine writes. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
}

// What keeps the page from scrolling behind a dialog writes a sheet of its own, and looks for its nonce here.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce();

/** What is told before they are there waits for them. */
const Messages = later(async () => {
  await new Promise((resolve) => setTimeout(resolve, AFTER_MS));
  return (await import("./app/messages.tsx")).Messages;
});
/** What is looked at first is sent first. */
const AFTER_MS = 2000;

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
