// Where the focus is.

/** Which of these elements has it; −1 for none. */
export function focusedOf(elements: readonly HTMLElement[]): number {
  const now = document.activeElement;
  return now instanceof HTMLElement ? elements.indexOf(now) : -1;
}
