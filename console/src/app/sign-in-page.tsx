/** The page for who is not signed in. */
import { Alert, Anchor, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Icon } from "../kit/icons.tsx";
import { Brand } from "../kit/brand.tsx";
import { ColorSchemeSwitch } from "./color-scheme.tsx";
import type { SignedOut } from "../base/session.ts";
import { SignInForm } from "./sign-in-form.tsx";
import classes from "../kit/sign-in.module.css";

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
              <Title order={1}>{FirstRun ? "Welcome to Tessera" : "Sign in"}</Title>
              <Text c="dimmed" size="sm" mt={4}>
                {FirstRun ? "Nobody has signed in here yet." : "Tags, workspaces and who may do what with them."}
              </Text>
            </div>
            {FirstRun && !Insecure && <FirstSteps where={Where} />}
            {Insecure ? <WhyNot /> : <SignInForm session={session} />}
          </Stack>
        </Paper>
        <Group justify="space-between" mt="md">
          <Text size="xs" c="dimmed">
            {Version === undefined ? "" : `Tessera ${Version}`}
          </Text>
          <Anchor size="xs" href="../docs">
            API reference
          </Anchor>
        </Group>
      </div>
    </main>
  );
}

function FirstSteps({ where }: { where: string | undefined }) {
  return (
    <Alert variant="light" color="teal" icon={<Icon name="key" size={18} />} title="Where the management token is">
      <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {optionsWhole(
          where ??
            "The server made one when it first started, and wrote where to its log. Sign in with it, and make narrower tokens for everybody else.",
        )}
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
    <Alert variant="outline" color="yellow" icon={<Icon name="lock" size={18} />} title="Not over this connection">
      <Stack gap="xs">
        <Text size="sm">
          This page came over plain HTTP. Whoever is between you and the server could read your token and act as you, so
          nobody can sign in here.
        </Text>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          Use <Code>{`https://${host}${pathname}`}</Code> if the server has TLS, or go to it from the machine that it
          runs on: <Code>http://127.0.0.1</Code>. Whoever runs it turns on TLS with <Code>--tls-cert</Code> and{" "}
          <Code>--tls-key</Code>, or says by <Code>--public-url</Code> that a proxy in front of it has TLS.
        </Text>
      </Stack>
    </Alert>
  );
}
