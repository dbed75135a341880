/** Code of an object, as it is, to be read and copied. */
import { CopyButton } from "./copy.tsx";
import classes from "./code-text.module.css";
import { visible } from "./visible.ts";

/** The text in a box that scrolls. */
export function CodeText({ text, what }: { text: string; what: string }) {
  return (
    <div className={classes.box}>
      {/* Makes the scrollable area focusable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes.text} tabIndex={0} aria-label={what}>
        {visible(text)}
      </pre>
      <div className={classes.copy}>
        <CopyButton value={text} what={what} />
      </div>
    </div>
  );
}
