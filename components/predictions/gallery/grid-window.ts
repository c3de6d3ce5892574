/**
 * The layout of a grid in pixels. All tiles are squares of one size, so that nothing moves when a picture
 * loads.
 */
export interface GridLayout {
  columns: number;
  tilePx: number;
  /** From the top of a row to the top of the next. */
  rowPx: number;
}

export const gapPx = 12;
const smallestTilePx = 220;
/** The minimum number of columns, even on the narrowest phone. */
const minColumns = 2;
/** Rows that are rendered above and below the visible ones. */
const spareRows = 3;

export function layoutOf(widthPx: number): GridLayout {
  const columns = Math.max(minColumns, Math.floor((widthPx + gapPx) / (smallestTilePx + gapPx)));
  const tilePx = Math.max(1, (widthPx - gapPx * (columns - 1)) / columns);
  return { columns, tilePx, rowPx: tilePx + gapPx };
}

/** Rows from `first` up to but excluding `end`. */
export interface RowRange {
  first: number;
  end: number;
}

interface Sight {
  /** How far the top of the grid is above the top of the window. Negative if below. */
  hiddenPx: number;
  windowPx: number;
  rowPx: number;
  rows: number;
}

/** The rows to render: the visible ones, and a few more at both ends. */
export function rowsToDraw({ hiddenPx, windowPx, rowPx, rows }: Sight): RowRange {
  const within = (row: number) => Math.min(rows, Math.max(0, row));
  const first = Math.floor(hiddenPx / rowPx) - spareRows;
  const end = Math.ceil((hiddenPx + windowPx) / rowPx) + spareRows;
  return { first: within(first), end: within(end) };
}

/** The first row that is visible. */
export function firstInSight({ first }: RowRange): number {
  return first === 0 ? 0 : first + spareRows;
}

/**
 * The rows of the range, and the row with the focus, which stays rendered however far it is scrolled away.
 */
export function drawnRows({ first, end }: RowRange, focused: number | null): number[] {
  const rows = Array.from({ length: end - first }, (_, index) => first + index);
  if (focused === null || (focused >= first && focused < end)) return rows;
  return focused < first ? [focused, ...rows] : [...rows, focused];
}

/** Whether to read the next page, which is needed while its tiles are still screens away. */
export function isNearEnd({ end }: RowRange, rows: number, screenRows: number): boolean {
  return rows - end < screenAhead * Math.max(1, screenRows);
}

const screenAhead = 4;

/** The tile to which a key moves from `index`. Null for other keys. */
export function stepOf(key: string, index: number, columns: number, count: number): number | null {
  const to = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns < 0 ? index : index - columns,
    // From above a gap in the last row, Down moves to the end of that row.
    ArrowDown: isInLastRow(index, columns, count) ? index : index + columns,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : Math.min(count - 1, Math.max(0, to));
}

function isInLastRow(index: number, columns: number, count: number): boolean {
  return Math.floor(index / columns) === Math.floor((count - 1) / columns);
}
