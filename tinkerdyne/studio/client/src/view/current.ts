// The stage that is shown; a page has one.
import type { Stage } from "./stage";

export const view: { stage: Stage | null } = { stage: null };
