// One of several words, chosen from a list.

interface Props<T extends string> {
  label?: string | undefined; // where no label stands around it
  value: T;
  options: readonly (readonly [value: T, title: string])[];
  choose: (value: T) => void;
  isDisabled?: boolean;
}

export function Select<T extends string>({ label, value, options, choose, isDisabled = false }: Props<T>) {
  return (
    <select
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onChange={(e) => {
        const chosen = options[e.currentTarget.selectedIndex];
        if (chosen) choose(chosen[0]);
      }}
    >
      {options.map(([key, title]) => (
        <option key={key} value={key}>
          {title}
        </option>
      ))}
    </select>
  );
}
