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
              <Title order={1}>Signing in …</Title>
            </Group>
          ) : (
            <Stack gap="lg">
              <Title order={1}>Not signed in</Title>
              {finish.isError ? <Refusal error={finish.error} /> : <Missing error={error} />}
              <LinkButton to="/" size="sm">
                Back to sign in
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
  access_denied: "The provider says that it was not agreed to.",
  login_required: "The provider wants you to sign in there first.",
  interaction_required: "The provider has a question for you, and was not let ask it.",
  consent_required: "The provider needs your consent.",
  temporarily_unavailable: "The provider is too busy. Try it again in a while.",
  server_error: "The provider failed. Try it again in a while.",
  unauthorized_client: "The provider does not know this server as one that may ask it.",
};

/** Notice for a return without a code. Texts of the provider are not shown: any link can contain them. */
function Missing({ error }: { error: string | undefined }) {
  const known = error === undefined ? "This address is only for who comes from a provider." : WORDS[error];
  return (
    <Alert color="yellow" variant="outline" icon={<Icon name="alert" size={18} />} role="alert">
      <Text size="sm">
        {known ??
          `The provider refused${/^[a-z_]{1,40}$/.test(error ?? "") ? `: ${error}` : ""}. Whoever runs this server finds more at the provider.`}
      </Text>
    </Alert>
  );
}
