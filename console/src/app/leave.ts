/** The way out. */
import { notifications } from "@mantine/notifications";
import { wordsOf } from "../kit/refusal-words.ts";
import { signOut } from "../base/session.ts";
import { forgetPage } from "../base/was-signed-in.ts";
import * as texts from "../texts/app.ts";

/** Signs out, and leaves nothing of the page; says so where that failed. */
export async function leave(): Promise<void> {
  try {
    await signOut();
    forgetPage();
  } catch (error) {
    notifications.show({ color: "red", title: texts.signOutFailed, message: wordsOf(error).detail });
  }
}
