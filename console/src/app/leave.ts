/** The way out. */
import { notifications } from "@mantine/notifications";
import { wordsOf } from "../kit/refusal-words.ts";
import { signOut } from "../base/session.ts";
import { forgetPage } from "../base/was-signed-in.ts";

/** Signs out, and leaves nothing of the page; says so where that failed. */
export async function leave(): Promise<void> {
  try {
    await signOut();
    forgetPage();
  } catch (error) {
    notifications.show({ color: "red", title: "Still signed in", message: wordsOf(error).detail });
  }
}
