/** Return from the identity provider: finishes the sign-in and continues on the previous page. */
import { Alert, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { BASE_PATH, type Search } from "../../base/address.ts";
import { Brand } from "../../kit/brand.tsx";
import { finishOidc } from "../../base/session.ts";
import classes from "../../kit/sign-in.module.css";
import { Icon } from "../../kit/icons.tsx";
import { LinkButton } from "../../kit/link.tsx";
import { Refusal } from "../../kit/refusal.tsx";
import * as texts from "../../texts/oidc.ts";

/** The page. */
export function OidcCallback() {
  const { state = "", code = "", error } = useSearch({ strict: false }) as Search;
  const router = useRouter();
  const { mutate, ...finish } = useMutation({
    mutationFn: async () => finishOidc(state, code),
    // Replaces this page in the history: its code is valid once, so a return to it would fail.
    onSuccess: (path) => router.history.replace(path.startsWith(BASE_PATH) ? path : BASE_PATH),
  });
  const isAsked = useRef(false);
  const isWhole = error === undefined && state !== "" && code !== "";
  useEffect(() => {
    if (!isWhole || isAsked.current) return;
    isAsked.current = true;
    mutate();
  }, [isWhole, mutate]);
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <Group mb="lg">
          <Brand size={26} />
        </Group>
        <Paper className={classes.card}>
          {isWhole && !finish.isError ? (
            <Group gap="sm" role="status">
              <Loader size="sm" aria-hidden="true" />
              <Title order={1}>{texts.signingIn}</Title>
            </Group>
          ) : (
            <Stack gap="lg">
              <Title order={1}>{texts.failedTitle}</Title>
              {finish.isError ? <Refusal error={finish.error} /> : <Missing error={error} />}
              <LinkButton to="/" size="sm">
                {texts.back}
              </LinkButton>
            </Stack>
          )}
        </Paper>
      </div>
    </main>
  );
}

/** Explanations of provider errors (RFC 6749, OpenID Connect), by error code. */
const WORDS: Readonly<Record<string, string>> = {
  access_denied: texts.accessDenied,
  login_required: texts.loginRequired,
  interaction_required: texts.interactionRequired,
  consent_required: texts.consentRequired,
  temporarily_unavailable: texts.providerBusy,
  server_error: texts.providerError,
  unauthorized_client: texts.clientRejected,
};

/** Notice for a return without a code. Texts of the provider are not shown: any link can contain them. */
function Missing({ error }: { error: string | undefined }) {
  const known = error === undefined ? texts.openedDirectly : WORDS[error];
  return (
    <Alert color="yellow" variant="outline" icon={<Icon name="alert" size={18} />} role="alert">
      <Text size="sm">{known ?? texts.rejected(/^[a-z_]{1,40}$/.test(error ?? "") ? (error ?? "") : "")}</Text>
    </Alert>
  );
}
