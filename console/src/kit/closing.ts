/** Drop-downs of fields that take several values: a choice closes them, and typing opens them again. */
import { useState } from "react";

/** Returns the properties of a field with a drop-down that does not stay over what the choice changes. */
export function useClosing() {
  const [isOpen, setOpen] = useState(false);
  return {
    dropdownOpened: isOpen,
    onDropdownOpen: () => setOpen(true),
    onDropdownClose: () => setOpen(false),
    onOptionSubmit: () => setOpen(false),
  };
}
