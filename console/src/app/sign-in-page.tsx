/** The page for who is not signed in. */
import { Alert, Anchor, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Icon } from "../kit/icons.tsx";
import { Brand } from "../kit/brand.tsx";
import { ColorSchemeSwitch } from "./color-scheme.tsx";
import type { SignedOut } from "../base/session.ts";
import { SignInForm } from "./sign-in-form.tsx";
import classes from "../kit/sign-in.module.css";
import * as texts from "../texts/app.ts";

/** Signs in, greets who is the first, and says why signing in is not possible where it is not. */
export function SignInPage({ session }: { session: SignedOut }) {
  const { FirstRun = false, Where, Version } = session;
  // Behind a proxy that does not say so the server cannot see that the browser came to it without TLS.
  const Insecure = session.Insecure === true || !isSecureContext;
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <Group justify="space-between" mb="lg">
          <Brand size={26} />
          <ColorSchemeSwitch />
        </Group>
        <Paper className={classes.card}>
          <Stack gap="lg">
            <div>
              <Title order={1}>{FirstRun ? texts.welcome : texts.signIn}</Title>
              <Text c="dimmed" size="sm" mt={4}>
                {FirstRun ? texts.welcomeSubtitle : texts.signInSubtitle}
              </Text>
            </div>
            {FirstRun && !Insecure && <FirstSteps where={Where} />}
            {Insecure ? <WhyNot /> : <SignInForm session={session} />}
          </Stack>
        </Paper>
        <Group justify="space-between" mt="md">
          <Text size="xs" c="dimmed">
            {Version === undefined ? "" : texts.version(Version)}
          </Text>
          <Anchor size="xs" href="../docs">
            {texts.apiReference}
          </Anchor>
        </Group>
      </div>
    </main>
  );
}

function FirstSteps({ where }: { where: string | undefined }) {
  return (
    <Alert variant="light" color="teal" icon={<Icon name="key" size={18} />} title={texts.firstToken}>
      <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {optionsWhole(where ?? texts.firstTokenHint)}
      </Text>
    </Alert>
  );
}

/** The text, in which no line ends within an option such as `--data-dir`. */
function optionsWhole(text: string) {
  return text.split(/(--[\w-]+)/).map((part, index) => (
    <span key={index} style={index % 2 === 1 ? { whiteSpace: "nowrap" } : undefined}>
      {part}
    </span>
  ));
}

function WhyNot() {
  const { host, pathname } = location;
  return (
    <Alert variant="outline" color="yellow" icon={<Icon name="lock" size={18} />} title={texts.insecureTitle}>
      <Stack gap="xs">
        <Text size="sm">{texts.insecureReason}</Text>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {texts.insecureOpen}
          <Code>{texts.httpsAddress(host, pathname)}</Code>
          {texts.insecureLocal}
          <Code>{texts.localAddress}</Code>
          {texts.insecureEnable}
          <Code>{texts.tlsCert}</Code>
          {texts.insecureAnd}
          <Code>{texts.tlsKey}</Code>
          {texts.insecureProxy}
          <Code>{texts.publicUrl}</Code>
          {texts.insecureEnd}
        </Text>
      </Stack>
    </Alert>
  );
}
