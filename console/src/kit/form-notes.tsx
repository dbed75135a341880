/** Messages of a form: a missing permission, restored input, a newer version, and the changes before they are saved. */
import { Alert } from "@mantine/core";
import { Changes } from "./changes.tsx";
import classes from "./form.module.css";
import type { changesOf } from "./members.ts";
import type { Right } from "./rights.ts";
import * as texts from "../texts/kit-forms.ts";

/** Message that the token may not save. */
export function Lacking({ right }: { right: Right }) {
  return (
    <Alert color="yellow" variant="outline" mb="md" py={8}>
      {texts.permissionMissing(right.resource, right.access)}
    </Alert>
  );
}

/** Message that the input was restored after a sign-in. */
export function Restored({ hasSecrets }: { hasSecrets: boolean }) {
  return (
    <Alert color="blue" variant="outline" mb="md" py={8}>
      {texts.restored(hasSecrets)}
    </Alert>
  );
}

/** Message that a newer version is loading. */
export function Rereading() {
  return (
    <Alert color="yellow" variant="outline" title={texts.reloadingTitle}>
      {texts.conflictLoading}
    </Alert>
  );
}

/** Changes of an edit. */
export function WhatChanges({ changes }: { changes: ReturnType<typeof changesOf> }) {
  return (
    <section className={classes.panel} aria-label={texts.changesTitle}>
      <div className={classes.panelTitle}>{texts.changesTitle}</div>
      <Changes changes={changes} />
    </section>
  );
}
