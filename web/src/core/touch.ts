/*
 * A finger that scrolls past a drawing chooses nothing there. Where a drawing lets the page scroll (`touch-action`), what a
 * finger does reaches it once it goes sideways, or as a press when it is lifted where it came down.
 */

/** Pixels that a finger may move and still tap. */
const slack = 10;

let held: { readonly event: PointerEvent; isSideways: boolean } | undefined;

/** Whether the page scrolls under a finger that goes up or down here. */
function scrolls(target: EventTarget | null): boolean {
  if (!(target instanceof Element && target.closest("svg, canvas, .problem-words"))) return false;
  for (let at: Element | null = target; at; at = at.parentElement) {
    const action = getComputedStyle(at).touchAction;
    if (action !== "auto") return action !== "none";
  }
  return false;
}

/** Gives the drawing the press that was held back. */
function press({ target, clientX, clientY, pointerId, pointerType }: PointerEvent): void {
  const like = { clientX, clientY, pointerId, pointerType, isPrimary: true, buttons: 1 };
  target?.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, cancelable: true, ...like }));
}

function down(event: PointerEvent): void {
  if (!event.isTrusted) return; // the press that is given back
  held = undefined;
  if (event.pointerType !== "touch" || !event.isPrimary || !scrolls(event.target)) return;
  held = { event, isSideways: false };
  event.stopPropagation();
}

function move(event: PointerEvent): void {
  if (event.pointerType !== "touch" || !held || held.isSideways) return;
  const [across, along] = [event.clientX - held.event.clientX, event.clientY - held.event.clientY].map(Math.abs);
  if (across > slack && across > along) {
    held.isSideways = true;
    press(held.event);
  } else event.stopPropagation();
}

function up(event: PointerEvent): void {
  if (event.pointerType === "touch" && held && !held.isSideways) {
    const far = Math.hypot(event.clientX - held.event.clientX, event.clientY - held.event.clientY);
    if (event.type === "pointerup" && far <= slack) press(held.event);
  }
  held = undefined;
}

export function followTouch(): void {
  const capture = true;
  addEventListener("pointerdown", down, { capture });
  addEventListener("pointermove", move, { capture });
  for (const end of ["pointerup", "pointercancel"] as const) addEventListener(end, up, { capture });
}
