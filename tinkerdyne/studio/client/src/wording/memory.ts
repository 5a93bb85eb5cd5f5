// What this browser keeps for the page from one visit to the next.

/** Something kept in this browser, where it allows that. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`tinkerdyne.${key}`);
  } catch {
    return null; // storage is switched off
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`tinkerdyne.${key}`, value);
  } catch {
    return; // storage is switched off: nothing is kept
  }
}
