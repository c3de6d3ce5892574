"use client";

import { Play } from "lucide-react";
import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Output } from "#contract/outputs.ts";
import { useWords } from "#words";
import { mediaFamily } from "@/components/media/media-family";
import { OutputPicture } from "@/components/media/output-picture";
import { SandboxMark } from "@/components/media/sandbox-badge";
import { usePreferences } from "@/components/shell/preferences";
import { ShellIcon } from "@/components/shell/shell-icon";
import { Checkbox } from "@/components/ui/form/checkbox";
import { isReturnedTo } from "@/components/ui/list/row-return";
import { classNames } from "@/components/ui/looks";
import { formatTime } from "@/lib/format";
import { predictionHref } from "../links.ts";
import { fileTitle } from "./gallery-file.ts";
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

interface TileActions {
  open: (file: Output) => void;
  /** Selects the file, or no longer; with `range`, also those between it and the last one. */
  select: (file: Output, range: boolean) => void;
  /** Called when the tile gets the focus. */
  enter: (id: string) => void;
  /** Called when the pointer or focus enters (id) or leaves (null) the tile. */
  rest: (id: string | null) => void;
}

interface GalleryTileProps {
  file: Output;
  /** Column of the tile in its row, from 1. */
  column: number;
  /** Whether Tab moves to this tile. */
  current: boolean;
  lively: boolean;
  ticked: boolean;
  actions: TileActions;
}

/** One file, shown only as a picture. Its prompt appears with the pointer or the focus, on touch screens always. */
const GalleryTile = memo(function GalleryTile(props: GalleryTileProps) {
  const t = useWords("predictions");
  const ui = useWords("ui");
  const { file, column, current, lively, ticked, actions } = props;
  const { timeZone } = usePreferences();
  const { id, model, created_at, prompt, kept } = file;
  const title = fileTitle(ui, file, timeZone);
  const withShift = useRef(false);
  const sandboxId = file.sandbox ? `${id}-sandbox` : undefined;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus.
    // biome-ignore lint/a11y/useSemanticElements: as the grid.
    <div
      role="gridcell"
      aria-colindex={column}
      aria-selected={ticked}
      onPointerMove={({ pointerType }) => pointerType === "mouse" && actions.rest(id)}
      onPointerLeave={() => actions.rest(null)}
      className="group relative min-h-0"
    >
      <button
        type="button"
        data-tile={id}
        tabIndex={current ? 0 : -1}
        aria-label={title}
        aria-describedby={sandboxId}
        aria-haspopup="dialog"
        onClick={() => actions.open(file)}
        onFocus={() => {
          actions.enter(id);
          actions.rest(id);
        }}
        onBlur={() => actions.rest(null)}
        className={classNames(
          "relative block size-full scroll-mt-[72px] scroll-mb-[72px] overflow-hidden rounded-panel border bg-sunken",
          ticked && "border-accent ring-2 ring-(--accent)",
        )}
      >
        <OutputPicture file={file} cover />
        {sandboxId && <SandboxMark id={sandboxId} />}
        {mediaFamily(file.content_type) === "video" && (
          <span
            aria-hidden
            className="absolute right-2 bottom-2 rounded-full border bg-raised p-1.5 group-hover:hidden"
          >
            <Play size={12} />
          </span>
        )}
      </button>
      {lively && <LivelyMedia file={file} title={title} />}
      <span
        aria-hidden
        className={classNames(
          "pointer-events-none absolute inset-x-px bottom-px rounded-b-panel border-t bg-raised px-2.5 py-1.5 text-meta group-hover:block group-has-[:focus-visible]:block",
          prompt ? "hidden pointer-coarse:block" : "hidden",
        )}
      >
        {prompt && <span className="line-clamp-2 font-medium pointer-coarse:line-clamp-1">{prompt}</span>}
        <span className="block truncate font-mono pointer-coarse:hidden">{model}</span>
        <span className="block truncate text-muted pointer-coarse:hidden">
          {formatTime(created_at, timeZone, t.language)}
        </span>
      </span>
      {kept && (
        <span
          role="img"
          aria-label={t("inYourLibrary")}
          title={t("inYourLibrary")}
          className="pointer-events-none absolute bottom-2 left-2 rounded-[5px] border bg-raised p-1 group-hover:hidden group-has-[:focus-visible]:hidden pointer-coarse:hidden"
        >
          <ShellIcon name="bookmark" size={12} className="fill-current" />
        </span>
      )}
      <span
        className={classNames(
          "absolute top-2 right-2 rounded-control border bg-raised p-0.5 leading-none",
          ticked ? "flex" : "hidden group-hover:flex group-has-[:focus-visible]:flex pointer-coarse:flex",
        )}
      >
        <Checkbox
          hideLabel
          tabIndex={-1}
          label={t("selectTitle", { title })}
          checked={ticked}
          onClick={(event) => {
            withShift.current = event.shiftKey;
          }}
          onChange={() => actions.select(file, withShift.current)}
        />
      </span>
    </div>
  );
});

interface GalleryGridProps {
  container: RefObject<HTMLDivElement | null>;
  files: readonly Output[];
  hasMore: boolean;
  /** Called near the end of the list. */
  onNearEnd: () => void;
  /** The ids of the selected files. */
  selected: ReadonlySet<string>;
  open: (file: Output) => void;
  select: (file: Output, range: boolean) => void;
  clearSelection: () => void;
  /** What the letters K, C and R do with the file that has the focus. */
  onLetter: (letter: GalleryLetter, file: Output) => void;
}

export type GalleryLetter = "k" | "c" | "r";
const letters: readonly string[] = ["k", "c", "r"] satisfies GalleryLetter[];

/** Tiles for all files, but only the visible ones are in the page. The arrow keys move between them. */
export function GalleryGrid(props: GalleryGridProps) {
  const t = useWords("predictions");
  const { container, files, hasMore, onNearEnd, selected } = props;
  const { preferences } = usePreferences();
  const [current, setCurrent] = useState<string | null>(null);
  const moveFocus = useRef(false);
  const { lively, want } = useLively();
  const shown = useGridWindow(container, files.length);
  const columns = shown?.layout.columns ?? 1;
  const rows = Math.ceil(files.length / columns);
  const found = current === null ? -1 : files.findIndex(({ id }) => id === current);
  // Before any tile has had the focus, Tab moves to the first visible one.
  const index = found === -1 ? (shown ? firstInSight(shown.range) * columns : 0) : found;

  const latest = useRef(props);
  latest.current = props;
  const actions = useMemo<TileActions>(
    () => ({
      open: (file) => latest.current.open(file),
      select: (file, range) => latest.current.select(file, range),
      enter: setCurrent,
      rest: want,
    }),
    [want],
  );

  useEffect(() => {
    if (shown && hasMore && isNearEnd(shown.range, rows, shown.screenRows)) onNearEnd();
  }, [shown, hasMore, rows, onNearEnd]);

  // After returning from a prediction's page, the file from which it was opened gets the focus.
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
    const hears = preferences.shortcuts && !event.repeat;
    if (to !== null) {
      moveFocus.current = true;
      setCurrent(files[to]?.id ?? null);
    } else if (hears && key.toLowerCase() === "x") props.select(file, event.shiftKey);
    else if (hears && letters.includes(key)) props.onLetter(key as GalleryLetter, file);
    else if (key === "Escape" && selected.size > 0) props.clearSelection();
    else return;
    event.preventDefault();
  };

  const { tilePx = 0, rowPx = 0 } = shown?.layout ?? {};
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot leave out the rows that are not in sight.
    <div
      ref={container}
      role="grid"
      aria-label={t("files")}
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
                ticked={selected.has(file.id)}
                actions={actions}
              />
            ))}
          </div>
        ))}
    </div>
  );
}

/** Plays over a tile with the pointer or focus: a silent video, or a sound. */
function LivelyMedia({ file, title }: { file: Output; title: string }) {
  const family = mediaFamily(file.content_type);
  if (file.url === null) return null;
  if (family === "audio") return <LivelySound src={file.url} title={title} />;
  if (family !== "video") return null;
  return (
    <video
      src={file.url}
      {...(file.preview_url && { poster: file.preview_url })}
      autoPlay
      muted
      loop
      playsInline
      aria-hidden
      className="pointer-events-none absolute inset-0 size-full rounded-panel object-cover"
    />
  );
}

/** Browsers play no sound before the person has used the page. Until then, a button is shown. */
function LivelySound({ src, title }: { src: string; title: string }) {
  const t = useWords("predictions");
  const audio = useRef<HTMLAudioElement>(null);
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    const element = audio.current;
    let gone = false;
    // Leaving the tile also cancels a start in progress.
    element?.play().catch((error: Error) => !gone && setRefused(error.name === "NotAllowedError"));
    return () => {
      gone = true;
      element?.pause();
    };
  }, []);
  const play = () =>
    void audio.current?.play().then(
      () => setRefused(false),
      () => {},
    );
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: generated speech has no captions */}
      <audio ref={audio} src={src} />
      {refused && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t("playTitle", { title })}
          onClick={play}
          className="absolute top-1/2 left-1/2 grid size-11 -translate-1/2 place-items-center rounded-full border bg-raised shadow-float"
        >
          <Play size={18} aria-hidden />
        </button>
      )}
    </>
  );
}

/** How long the pointer or focus must rest on a tile before it plays. */
const restMs = 150;

const lessMotion = "(prefers-reduced-motion: reduce)";

/**
 * The only tile that plays: the last one with the pointer or focus, after a short rest. None with reduced
 * motion.
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

/** The visible tiles of a grid. Null before it is measured. Changes only when another row becomes visible. */
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
