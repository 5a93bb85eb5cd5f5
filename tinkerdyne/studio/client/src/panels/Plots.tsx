// Plots: the panel of all of them.
import { plotOf, plots } from "../state/plots";
import { theme } from "../state/store";
import { Plot } from "./Plot";
import { pin } from "./quantities";

export function Plots() {
  return (
    <section class="panel plots" aria-label="Plots" data-panel>
      <h2>Plots</h2>
      {plots.value.length ? null : (
        <p class="empty">
          Pin any quantity of a part in the inspector, or{" "}
          <button class="link" onClick={() => pin("energy")}>
            plot the energy
          </button>{" "}
          or{" "}
          <button
            class="link"
            onClick={() => (plots.value = [plotOf(["kinetic_energy", "potential_energy"])])}
          >
            both energies
          </button>
          .
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
