// A padlock, closed or open.
export function LockIcon({ isLocked }: { isLocked: boolean }) {
  return (
    <svg
      class="lock-icon"
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
    >
      <rect x="3" y="7" width="10" height="7" rx="1.5" fill={isLocked ? "currentColor" : "none"} />
      <path d={isLocked ? "M5 7V5a3 3 0 0 1 6 0v2" : "M5 7V4.5a3 3 0 0 1 5.8-1"} />
    </svg>
  );
}
