import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useRef, useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Output } from "#contract/outputs.ts";
import { leaveList, returnFrom } from "@/components/ui/list/row-return";
import { GalleryGrid } from "./gallery-grid.tsx";

/** The test page has no layout, so the grid is defined as four tiles wide, at the top of the window. */
const widthPx = 4 * 220 + 3 * 12;
let hiddenPx = 0;
beforeEach(() => {
  hiddenPx = 0;
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(
    () => new DOMRect(0, -hiddenPx, widthPx, 0),
  );
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const idOf = (index: number) => `out_${index}`;

function file(index: number): Output {
  return {
    id: idOf(index),
    object: "output",
    run_id: `pred_${index}`,
    // The eighth and ninth file belong to one prediction.
    prediction_id: index === 1 ? null : `pred_${index === 8 ? 7 : index}`,
    position: 1,
    model: "svc/img-gen-b",
    api_type: "image-generation",
    url: "http://g/1.png",
    preview_url: "http://g/1.webp",
    content_type: "image/png",
    size_bytes: 9,
    gated: null,
    keepable: true,
    kept: null,
    kept_until: null,
    prompt: null,
    sandbox: false,
    provenance: { state: "unknown", reason: "not_read", issuer: null, claims: null, sha256: null },
    created_at: "2026-11-20T10:42:07Z",
    expires_at: "2026-11-21T10:42:07Z",
  };
}

const heard = {
  open: vi.fn(),
  select: vi.fn(),
  clearSelection: vi.fn(),
  onLetter: vi.fn(),
  onNearEnd: vi.fn(),
};
beforeEach(() => void Object.values(heard).forEach((listener) => void listener.mockClear()));

function Grid({ count, change }: { count: number; change?: Partial<Output> }) {
  const container = useRef<HTMLDivElement>(null);
  const [files] = useState(() =>
    Array.from({ length: count }, (_, index) => ({ ...file(index), ...change })),
  );
  return <GalleryGrid {...heard} container={container} files={files} hasMore selected={new Set([idOf(2)])} />;
}

const tiles = () => screen.getAllByRole("button", { name: /^Image by svc\/img-gen-b, 20 Nov 2026/ });
const focused = () => document.activeElement?.getAttribute("data-tile");

async function scrollTo(px: number): Promise<void> {
  hiddenPx = px;
  await act(async () => {
    fireEvent.scroll(window);
    await new Promise(requestAnimationFrame);
  });
}

it("draws only the visible tiles of thousands, and has the height of all of them", async () => {
  render(<Grid count={10_000} />);
  expect(tiles().length).toBeLessThan(60);
  const grid = screen.getByRole("grid");
  expect(grid.style.height).toBe(`${2500 * 232 - 12}px`);
  await scrollTo(1000 * 232);
  expect(tiles().length).toBeLessThan(60);
  expect(document.querySelector(`[data-tile="${idOf(4000)}"]`)).toBeTruthy();
  expect(document.querySelector(`[data-tile="${idOf(0)}"]`)).toBeNull();
});

it("is navigated by arrow keys, and keeps the focus on a tile that is scrolled out of view", async () => {
  render(<Grid count={10_000} />);
  act(() => tiles()[0]?.focus());
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown"])
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
  expect(focused()).toBe(idOf(9));
  expect(tiles().filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  await scrollTo(1000 * 232);
  expect(focused()).toBe(idOf(9));
});

it("returns the focus to the file from which a prediction was opened, even if the prediction has several files", async () => {
  leaveList("/predictions?view=gallery", "/predictions/pred_7", idOf(8));
  returnFrom("/predictions/pred_7", "/predictions");
  render(<Grid count={40} />);
  expect(focused()).toBe(idOf(8));
});

it("selects, keeps, compares and runs again by letter keys, and loads more files near its end", () => {
  render(<Grid count={40} />);
  expect(heard.onNearEnd).toHaveBeenCalled();
  act(() => tiles()[2]?.focus());
  const press = (key: string, more = {}) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
  press("x");
  press("X", { shiftKey: true });
  for (const key of ["k", "c", "r"]) press(key);
  press("r", { repeat: true });
  press("r", { ctrlKey: true });
  press("Escape");
  const second = expect.objectContaining({ id: idOf(2) });
  expect(heard.select.mock.calls).toEqual([
    [second, false],
    [second, true],
  ]);
  expect(heard.onLetter.mock.calls).toEqual([
    ["k", second],
    ["c", second],
    ["r", second],
  ]);
  expect(heard.clearSelection).toHaveBeenCalledOnce();
  const cells = screen.getAllByRole("gridcell");
  expect(cells[2]?.getAttribute("aria-selected")).toBe("true");
  expect(cells[1]?.getAttribute("aria-selected")).toBe("false");
});

it("fills tiles with their pictures, says which file the sandbox made, which is kept, and shows the prompt first", () => {
  const kept = {
    kept_at: "",
    kept_by: { user: null, key: null },
    labels: [],
    prompt: "A red fox",
    api_type: null,
    svc_region: null,
  };
  render(<Grid count={1} change={{ sandbox: true, kept, prompt: "A red fox" }} />);
  const [tile] = tiles();
  expect(tile?.querySelector("img")?.className).toContain("object-cover");
  screen.getByRole("button", { description: /^Sample output from the sandbox/ });
  screen.getByRole("img", { name: "In the library" });
  expect(screen.getByText("A red fox").nextElementSibling?.textContent).toBe("svc/img-gen-b");
});
