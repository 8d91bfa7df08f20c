import { computed, signal } from "@preact/signals-core";

/** When trainings have to rest: nothing runs unseen, or on the last of a battery. */

const hidden = signal(document.visibilityState === "hidden");
document.addEventListener("visibilitychange", () => {
  hidden.value = document.visibilityState === "hidden";
});

/** The part of the Battery API that is used; not all browsers have it. */
interface Battery extends EventTarget {
  readonly charging: boolean;
  readonly level: number;
}

/** Trainings rest when the battery is below this share of its charge, as systems save it then too. */
const low = 0.2;
const drained = signal(false);
const saving = signal(false);

async function watchBattery(): Promise<void> {
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  const battery = await getBattery?.call(navigator).catch(() => undefined);
  if (!battery) return;
  const look = () => {
    drained.value = !battery.charging && battery.level <= low;
  };
  look();
  for (const event of ["chargingchange", "levelchange"]) battery.addEventListener(event, look);
}

function watchData(): void {
  const query = matchMedia("(prefers-reduced-data: reduce)");
  const look = () => {
    saving.value = query.matches;
  };
  look();
  query.addEventListener("change", look);
}

let isWatched = false;

/** Why the whole page has to rest, if it has to. */
export const restOfPage = computed(() =>
  hidden.value ? "hidden" : drained.value ? "battery" : saving.value ? "data" : undefined,
);

/** To be called before the first training. */
export function watch(): void {
  if (isWatched) return;
  isWatched = true;
  watchBattery();
  watchData();
}

/** Whether this looks like a phone: short runs are then the default. */
export const isSmall = () => navigator.hardwareConcurrency <= 2 || matchMedia("(max-width: 600px)").matches;
