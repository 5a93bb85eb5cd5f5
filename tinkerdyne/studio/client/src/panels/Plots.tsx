// Plots: the panel of all of them.
import { plotOf, plots } from "../state/plots";
import { pin } from "../state/quantities";
import { theme } from "../state/store";
import { wording } from "../wording/spoken";
import { Plot } from "./Plot";
import { Said } from "./Said";

export function Plots() {
  return (
    <section class="panel plots" aria-label={wording.common.plots} data-panel>
      <h2>{wording.common.plots}</h2>
      {plots.value.length ? null : (
        <p class="empty">
          <Said
            text={wording.plots.pinHint}
            energy={
              <button class="link" onClick={() => pin("energy")}>
                {wording.plots.plotTheEnergy}
              </button>
            }
            both={
              <button
                class="link"
                onClick={() => (plots.value = [plotOf(["kinetic_energy", "potential_energy"])])}
              >
                {wording.plots.bothEnergies}
              </button>
            }
          />
        </p>
      )}
      <div class="plot-row">
        {plots.value.map((spec, i) => (
          <Plot key={`${spec.id} ${theme.value}`} spec={spec} place={i} />
        ))}
      </div>
    </section>
  );
}
