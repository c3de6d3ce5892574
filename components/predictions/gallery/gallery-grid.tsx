"use client";

import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Output } from "#contract/outputs.ts";
import { usePreferences } from "@/components/shell/preferences";
import { isReturnedTo } from "@/components/ui/list/row-return";
import { predictionHref } from "../links.ts";
import { GalleryTile, type TileActions } from "./gallery-tile.tsx";
import {
  drawnRows,
  firstInSight,
  type GridLayout,
  gapPx,
  isNearEnd,
  layoutOf,
  type RowRange,
  rowsToDraw,
  stepOf,
} from "./grid-window.ts";

interface GalleryGridProps {
  container: RefObject<HTMLDivElement | null>;
  files: readonly Output[];
  hasMore: boolean;
  /** Called near the end of the list. */
  onNearEnd: () => void;
  ticked: ReadonlySet<string>;
  open: (file: Output) => void;
  compare: (file: Output) => void;
  clearComparison: () => void;
  runAgain: (file: Output) => void;
}

/** Tiles for all files, but only the visible ones are in the page. The arrow keys move between them. */
export function GalleryGrid(props: GalleryGridProps) {
  const { container, files, hasMore, onNearEnd, ticked } = props;
  const { preferences } = usePreferences();
  const [current, setCurrent] = useState<string | null>(null);
  const moveFocus = useRef(false);
  const { lively, want } = useLively();
  const shown = useGridWindow(container, files.length);
  const columns = shown?.layout.columns ?? 1;
  const rows = Math.ceil(files.length / columns);
  const found = current === null ? -1 : files.findIndex(({ id }) => id === current);
  // Before any tile had the focus, Tab leads to the first visible one.
  const index = found === -1 ? (shown ? firstInSight(shown.range) * columns : 0) : found;

  const latest = useRef(props);
  latest.current = props;
  const actions = useMemo<TileActions>(
    () => ({
      open: (file) => latest.current.open(file),
      compare: (file) => latest.current.compare(file),
      enter: setCurrent,
      rest: want,
    }),
    [want],
  );

  useEffect(() => {
    if (shown && hasMore && isNearEnd(shown.range, rows, shown.screenRows)) onNearEnd();
  }, [shown, hasMore, rows, onNearEnd]);

  // On return from a prediction's page, focus the file it was opened from.
  useEffect(() => {
    const back = latest.current.files.find(
      ({ id, prediction_id: made }) => made !== null && isReturnedTo(predictionHref(made), id),
    );
    if (!back) return;
    moveFocus.current = true;
    setCurrent(back.id);
  }, []);

  useLayoutEffect(() => {
    if (!moveFocus.current || !shown || current === null) return;
    const tile = container.current?.querySelector<HTMLElement>(`[data-tile="${current}"]`);
    if (!tile) return;
    moveFocus.current = false;
    tile.focus({ preventScroll: true });
    tile.scrollIntoView({ block: "nearest" });
  }, [current, shown, container]);

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const file = files[index];
    if (event.ctrlKey || event.metaKey || event.altKey || !file) return;
    const to = stepOf(key, index, columns, files.length);
    const letters = preferences.shortcuts && !event.repeat;
    if (to !== null) {
      moveFocus.current = true;
      setCurrent(files[to]?.id ?? null);
    } else if (letters && key === "c") props.compare(file);
    else if (letters && key === "r") props.runAgain(file);
    else if (key === "Escape" && ticked.size > 0) props.clearComparison();
    else return;
    event.preventDefault();
  };

  const { tilePx = 0, rowPx = 0 } = shown?.layout ?? {};
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot leave out the rows that are not in sight.
    <div
      ref={container}
      role="grid"
      aria-label="Files"
      aria-multiselectable
      aria-rowcount={hasMore ? -1 : rows}
      aria-colcount={columns}
      onKeyDown={onKeyDown}
      className="relative"
      style={{ height: Math.max(0, rows * rowPx - gapPx) }}
    >
      {shown &&
        drawnRows(shown.range, found === -1 ? null : Math.floor(index / columns)).map((row) => (
          // biome-ignore lint/a11y/useFocusableInteractive: a tile's button takes the focus.
          // biome-ignore lint/a11y/useSemanticElements: as the grid.
          <div
            key={row}
            role="row"
            aria-rowindex={row + 1}
            className="absolute inset-x-0 grid"
            style={{
              top: row * rowPx,
              height: tilePx,
              columnGap: gapPx,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            }}
          >
            {files.slice(row * columns, (row + 1) * columns).map((file, column) => (
              <GalleryTile
                key={file.id}
                file={file}
                column={column + 1}
                current={row * columns + column === index}
                lively={lively === file.id}
                ticked={file.prediction_id !== null && ticked.has(file.prediction_id)}
                actions={actions}
              />
            ))}
          </div>
        ))}
    </div>
  );
}

/** How long the pointer or focus must rest on a tile before it plays. */
const restMs = 150;
const lessMotion = "(prefers-reduced-motion: reduce)";

/**
 * The only tile that plays: the last one pointed at or focused, after a short rest. None with reduced motion.
 */
function useLively(): { lively: string | null; want: (id: string | null) => void } {
  const [lively, setLively] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const want = useCallback((id: string | null) => {
    clearTimeout(timer.current);
    if (id === null) setLively(null);
    else if (!matchMedia(lessMotion).matches) timer.current = setTimeout(() => setLively(id), restMs);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { lively, want };
}

interface GridWindow {
  layout: GridLayout;
  range: RowRange;
  /** How many rows fit into the browser's window. */
  screenRows: number;
}

/**
 * The visible tiles of a grid; null before it was measured. Changes only when another row becomes visible.
 */
function useGridWindow(container: RefObject<HTMLElement | null>, count: number): GridWindow | null {
  const [shown, setShown] = useState<GridWindow | null>(null);
  const frame = useRef(0);
  const measure = useCallback(() => {
    const box = container.current?.getBoundingClientRect();
    if (!box || box.width === 0) return;
    const layout = layoutOf(box.width);
    const { columns, rowPx } = layout;
    const windowPx = window.innerHeight;
    const next = {
      layout,
      range: rowsToDraw({ hiddenPx: -box.top, windowPx, rowPx, rows: Math.ceil(count / columns) }),
      screenRows: Math.ceil(windowPx / rowPx),
    };
    setShown((before) => (before && isSame(before, next) ? before : next));
  }, [container, count]);

  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    const onChange = () => {
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(measure);
    };
    const sizes = new ResizeObserver(onChange);
    if (container.current) sizes.observe(container.current);
    window.addEventListener("scroll", onChange, { passive: true });
    window.addEventListener("resize", onChange);
    return () => {
      cancelAnimationFrame(frame.current);
      sizes.disconnect();
      window.removeEventListener("scroll", onChange);
      window.removeEventListener("resize", onChange);
    };
  }, [container, measure]);
  return shown;
}

function isSame(one: GridWindow, other: GridWindow): boolean {
  return (
    one.range.first === other.range.first &&
    one.range.end === other.range.end &&
    one.layout.tilePx === other.layout.tilePx &&
    one.screenRows === other.screenRows
  );
}
