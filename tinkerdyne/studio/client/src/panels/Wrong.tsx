/** What is wrong with what was typed or asked for, read out by screen readers; nothing where nothing is. */
export function Wrong({ says }: { says: string | undefined }) {
  return says ? (
    <p class="error" role="alert">
      {says}
    </p>
  ) : null;
}
