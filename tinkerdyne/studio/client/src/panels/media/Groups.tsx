// Snakes, fits and volcanoes in the list of parts: one row for what many items make together.
import { groups } from "../../media/groups";
import { type SideName, side } from "../../state/store";

function show(panel: SideName): void {
  side.value = panel;
}

export function Groups() {
  const { snakes, fits, volcanoes } = groups.value;
  const rows: [string, string, SideName][] = [
    ...snakes.map((s): [string, string, SideName] => [s.name, `snake of ${s.points.length} points`, "image"]),
    ...fits
      .filter((f) => f.parameters.length)
      .map((f): [string, string, SideName] => [f.name, `fit of ${f.rows.length} rows`, "data"]),
    ...volcanoes.map((v): [string, string, SideName] => [v.name, "volcano", "image"]),
  ];
  if (!rows.length) return null;
  return (
    <div class="family" role="treeitem" aria-expanded={true} aria-selected={false}>
      <div class="family-title">Snakes and fits</div>
      <div role="group">
        {rows.map(([name, what, panel]) => (
          <div
            key={name}
            class="row"
            role="treeitem"
            aria-selected={false}
            tabIndex={-1}
            onClick={() => show(panel)}
            onKeyDown={(e) => e.key === "Enter" && show(panel)}
          >
            <span class="name">{name}</span>
            <span class="of">{what}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
