// Snakes, fits and volcanoes in the list of parts: one row for what many items make together.
import { groups } from "../../media/groups";
import { reveal } from "../../state/layout";
import { type SideName, side } from "../../state/store";
import { wording } from "../../wording/spoken";

function show(panel: SideName): void {
  side.value = panel;
  reveal("side");
}

export function Groups() {
  const { snakes, fits, volcanoes } = groups.value;
  const rows: [string, string, SideName][] = [
    ...snakes.map((s): [string, string, SideName] => [
      s.name,
      wording.media.snakeOf({ count: s.points.length }),
      "image",
    ]),
    ...fits
      .filter((f) => f.parameters.length)
      .map((f): [string, string, SideName] => [
        f.name,
        wording.media.fitOf({ count: f.rows.length }),
        "data",
      ]),
    ...volcanoes.map((v): [string, string, SideName] => [v.name, wording.media.volcanoRow, "image"]),
  ];
  if (!rows.length) return null;
  return (
    <div class="family" role="treeitem" aria-expanded={true} aria-selected={false}>
      <div class="family-title">{wording.media.snakesAndFits}</div>
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
