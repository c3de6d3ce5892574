/** The path from a list to the page of a row and back, for one visit. */
interface Way {
  /** Address of the list when the reader left it. */
  list: string;
  /** Path of the page that was opened from the list. */
  page: string;
  /** Which of several rows that open this page. Null: there is only one. */
  row: string | null;
}

/** A list that shows its rows later than this no longer moves the focus. */
const returnMs = 10_000;

let way: Way | null = null;
let awaited: { page: string; row: string | null; untilMs: number } | null = null;

const pathOf = (address: string) => address.split(/[?#]/, 1)[0] ?? address;

/**
 * Call it when a row is opened from the list at `list`. `row` distinguishes it from other rows that open the
 * same page.
 */
export function leaveList(list: string, page: string, row: string | null = null): void {
  way = { list, page: pathOf(page), row };
}

/** Call it when the reader goes from the page of one row straight to that of another. */
export function stepToRow(from: string, to: string): void {
  if (way?.page === pathOf(from)) way = { ...way, page: pathOf(to), row: null };
}

/** The list from which the page was opened, otherwise `list`. Its row gets the focus when it is shown. */
export function returnFrom(page: string, list: string): string {
  const from = way?.page === pathOf(page) ? way : null;
  awaited = { page: pathOf(page), row: from?.row ?? null, untilMs: Date.now() + returnMs };
  return from?.list ?? list;
}

/** Whether the reader returns to the row that opens `page`. True only once. */
export function isReturnedTo(page: string, row: string | null = null): boolean {
  if (!awaited || awaited.page !== pathOf(page)) return false;
  if (awaited.row !== null && awaited.row !== row) return false;
  const inTime = Date.now() < awaited.untilMs;
  awaited = null;
  return inTime;
}
