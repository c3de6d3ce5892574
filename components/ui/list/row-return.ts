/** The way from a list to the page of a row and back; it lasts for one visit. */
interface Way {
  /** Address of the list as it was left. */
  list: string;
  /** Path of the page that was opened from it. */
  page: string;
  /** Which of several rows that lead to the page; null: there is but one. */
  row: string | null;
}

/** A list that shows its rows later than this has not brought the reader back. */
const returnMs = 10_000;

let way: Way | null = null;
let awaited: { page: string; row: string | null; untilMs: number } | null = null;

const pathOf = (address: string) => address.split(/[?#]/, 1)[0] ?? address;

/** A row is being opened from the list at `list`; `row` tells it from others that lead to the same page. */
export function leaveList(list: string, page: string, row: string | null = null): void {
  way = { list, page: pathOf(page), row };
}

/** From the page of one row straight to that of another of the same list. */
export function stepToRow(from: string, to: string): void {
  if (way?.page === pathOf(from)) way = { ...way, page: pathOf(to), row: null };
}

/** The list that the page was opened from, else `list`; its row gets the focus as soon as it is shown. */
export function returnFrom(page: string, list: string): string {
  const from = way?.page === pathOf(page) ? way : null;
  awaited = { page: pathOf(page), row: from?.row ?? null, untilMs: Date.now() + returnMs };
  return from?.list ?? list;
}

/** Whether the reader comes back to the row that leads to `page`; answered once. */
export function isReturnedTo(page: string, row: string | null = null): boolean {
  if (!awaited || awaited.page !== pathOf(page)) return false;
  if (awaited.row !== null && awaited.row !== row) return false;
  const inTime = Date.now() < awaited.untilMs;
  awaited = null;
  return inTime;
}
