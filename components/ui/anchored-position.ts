/**
 * Places a popover beside its anchor, inside the window. The popover must already be visible, because both
 * are measured.
 */
export function placeBeside(
  anchor: HTMLElement,
  popover: HTMLElement,
  align: "start" | "end" | "center",
): void {
  const gapPx = 6;
  const marginPx = 8;
  const box = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const wantedLeft =
    align === "start" ? box.left : align === "end" ? box.right - width : box.left + (box.width - width) / 2;
  const below = box.bottom + gapPx;
  const fitsBelow = below + height + marginPx <= window.innerHeight;
  const top = fitsBelow ? below : Math.max(marginPx, box.top - gapPx - height);
  const left = Math.min(
    Math.max(marginPx, wantedLeft),
    Math.max(marginPx, window.innerWidth - width - marginPx),
  );
  popover.style.left = `${left}px`;
  popover.style.top = `${top}px`;
}
